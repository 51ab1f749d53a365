#include "distal/scenario/doubts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "unit/record/scratch_folder.hpp"

namespace distal {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Scene scene_with(const TetDescription& block, double youngs_modulus_pa, double density_kg_m3) {
  Scene scene;
  MaterialDescription material;
  material.youngs_modulus_pa = youngs_modulus_pa, material.poissons_ratio = 0.4;
  material.density_kg_m3 = density_kg_m3;
  scene.model.materials["rubber"] = material;
  scene.model.bodies = {{"block", block}};
  return scene;
}

TEST(Doubts, NameTheKeyAndWhatMayBeMeant) {
  TetDescription block;
  EXPECT_THAT(find_doubts(scene_with(block, 57.6e3, 1070.0)), IsEmpty());
  block.size_m = Vec3(50.0, 0.05, 0.02);
  EXPECT_THAT(find_doubts(scene_with(block, 57.6, 1.07)),
              ElementsAre(AllOf(HasSubstr("material.rubber.density_kg_m3 = 1.07"), HasSubstr("are 1070")),
                          AllOf(HasSubstr("material.rubber.youngs_modulus_pa = 57.6"), HasSubstr("are 57600")),
                          AllOf(HasSubstr("body.block.size_m = 50"), HasSubstr("50 mm are 0.05"))));
  // Where a thing stands is no size.
  block.size_m = Vec3::Constant(0.05), block.placement.position_m = Vec3(30.0, 0.0, 0.0);
  EXPECT_THAT(find_doubts(scene_with(block, 57.6e3, 1070.0)), IsEmpty());
}

TEST(Doubts, SayWhatIsUsedInsteadOfPartsOfAControlPeriod) {
  Scene scene;
  scene.run.control_period_s = 0.002;
  for (const double whole_s : {0.002, 0.6, 1.0, 1000.0}) {
    scene.run.duration_s = whole_s;
    EXPECT_THAT(find_doubts(scene), IsEmpty()) << whole_s;
  }
  scene.run.duration_s = 0.0105;
  scene.devices = {{"hand", DeviceDescription{}}};
  scene.devices.front().second.delay_s = 0.0049;
  EXPECT_THAT(find_doubts(scene),
              ElementsAre("run.duration_s = 0.0105: is no whole number of control periods of 0.002 s; the run lasts "
                          "0.012 s (whole: 0.01 and 0.012)",
                          "device.hand.delay_s = 0.0049: is no whole number of control periods of 0.002 s; the delay "
                          "is 0.004 s (whole: 0.004 and 0.006)"));
  scene.devices.clear();
}

TEST(Doubts, ADurationBesideAMotionIsNotUsed) {
  Scene scene;
  scene.motion.emplace();
  EXPECT_THAT(find_doubts(scene), IsEmpty());
  scene.run.duration_s = 0.0105;
  EXPECT_THAT(find_doubts(scene), ElementsAre("run.duration_s = 0.0105: is not used, the [motion] ends the run"));
}

TEST(Doubts, TheRodDoesNotTouch) {
  FingertipDescription tip;
  tip.tip_radius_m = 0.01, tip.rod_radius_m = 0.004;
  Scene scene;
  scene.model.bodies = {{"finger", tip}, {"table", PlaneDescription{}}};
  scene.motion.emplace();
  scene.motion->body = "finger";
  scene.motion->depths_m = {0.001, 0.0059};
  AdaptivePidDescription controller;
  controller.body = "finger", controller.depth_m = 0.0059, controller.gyration_radii_m.z() = 0.0028;
  scene.controllers = {{"press", controller}};
  EXPECT_THAT(find_doubts(scene), IsEmpty());
  scene.motion->depths_m = {0.001, 0.006};
  scene.controllers.front().second.depth_m = 0.007;
  const auto names_the_layer = HasSubstr("the soft layer of body.finger is 0.006 m (tip_radius_m - rod_radius_m)");
  EXPECT_THAT(find_doubts(scene), ElementsAre(AllOf(HasSubstr("controller.press.depth_m = 0.007"), names_the_layer),
                                              AllOf(HasSubstr("motion.depths_m = 0.006"), names_the_layer)));
  // Soft and loose partners give way.
  scene.model.bodies[1].second = TetDescription{};
  EXPECT_THAT(find_doubts(scene), IsEmpty());
  scene.model.bodies[1].second = RigidDescription{};
  EXPECT_THAT(find_doubts(scene), IsEmpty());
}

TEST(Doubts, AControllerThatIsToldOfAnotherBodyIsNoted) {
  Scene scene;
  scene.model.bodies = {{"finger", FingertipDescription{}}};
  AdaptivePidDescription controller;
  controller.body = "finger";
  scene.controllers = {{"press", controller}};
  EXPECT_THAT(find_doubts(scene), IsEmpty());  // the defaults are those of the default finger
  AdaptivePidDescription& told = scene.controllers.front().second;
  told.moving_mass_kg *= 1.19;
  told.centre_of_mass_m *= 0.81;
  told.gyration_radii_m *= 1.19;
  EXPECT_THAT(find_doubts(scene), IsEmpty());
  told.moving_mass_kg = 0.05, told.centre_of_mass_m.z() = 0.013, told.gyration_radii_m.z() = 0.0044;
  EXPECT_THAT(find_doubts(scene), ElementsAre(AllOf(HasSubstr("controller.press.moving_mass_kg = 0.05"),
                                                    HasSubstr("That of body.finger is 0.02")),
                                              HasSubstr("controller.press.centre_of_mass_m = [0, 0, 0.013]"),
                                              HasSubstr("controller.press.gyration_radii_m")));
}

TEST(Doubts, AFileThatTheShapeDoesNotReadIsNoted) {
  FingertipDescription tip;
  tip.file = "pad.stl";
  Scene scene;
  scene.model.bodies = {{"finger", tip}};
  EXPECT_THAT(find_doubts(scene),
              ElementsAre("body.finger.file = \"pad.stl\": is not read; shape = \"mesh\" reads it"));
  std::get<FingertipDescription>(scene.model.bodies[0].second).shape = FingertipShape::mesh;
  EXPECT_THAT(find_doubts(scene), IsEmpty());
}

// A box of 20 mm, its corners in the file's unit.
void write_box(const std::filesystem::path& file, double unit) {
  std::ofstream stream(file);
  for (int c = 0; c < 8; ++c)
    stream << "v " << (c & 1 ? unit : -unit) << ' ' << (c & 2 ? unit : -unit) << ' ' << (c & 4 ? unit : -unit) << '\n';
  stream << "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
}

TEST(Doubts, FilesInMillimetresAreAskedAbout) {
  test::ScratchFolder folder;
  write_box(folder / "mm.obj", 10.0), write_box(folder / "m.obj", 0.01);
  TetDescription block;
  block.shape = TetShape::surface, block.file = (folder / "mm.obj").string();
  const auto asks = AllOf(HasSubstr("body.block.file = "), HasSubstr("is that meant?"), HasSubstr("20 x 20 x 20 m"),
                          HasSubstr("looks like millimetres"));
  EXPECT_THAT(find_doubts(scene_with(block, 57.6e3, 1070.0)), ElementsAre(asks));
  block.file = (folder / "m.obj").string();
  EXPECT_THAT(find_doubts(scene_with(block, 57.6e3, 1070.0)), IsEmpty());
  RigidDescription rigid;
  rigid.shape = RigidShapeKind::mesh, rigid.file = (folder / "mm.obj").string();
  Scene scene;
  scene.model.bodies = {{"block", rigid}};
  EXPECT_THAT(find_doubts(scene), ElementsAre(asks));
  std::get<RigidDescription>(scene.model.bodies[0].second).mesh_scale = Vec3::Constant(1e-3);
  EXPECT_THAT(find_doubts(scene), IsEmpty());
}

TEST(Doubts, ThePadsFileGivesItsSize) {
  FingertipDescription tip;
  tip.shape = FingertipShape::mesh, tip.tip_radius_m = 0.02;
  Scene scene;
  scene.model.bodies = {{"finger", tip}};
  EXPECT_THAT(find_doubts(scene),
              ElementsAre("body.finger.tip_radius_m = 0.02: is not used, shape = \"mesh\" is as large as its file"));
}

TEST(Doubts, ALawOfSoftFingersNeedsTwoRigidBodies) {
  Scene scene;
  scene.model.contact.normal = NormalLaw::winkler;
  scene.model.bodies = {{"table", PlaneDescription{}}};
  EXPECT_THAT(find_doubts(scene), ElementsAre(AllOf(HasSubstr("contact.normal"), HasSubstr("is not used"))));
  scene.model.bodies.push_back({"ball", RigidDescription{}});
  EXPECT_THAT(find_doubts(scene), IsEmpty());
}

TEST(Doubts, NoShippedSceneRaisesAny) {
  const auto scenes = list_scenes(DISTAL_SCENARIO_DIR);
  EXPECT_GT(scenes.size(), 10u);
  for (const SceneListing& scene : scenes) EXPECT_THAT(find_doubts(load_scene(scene.file)), IsEmpty()) << scene.file;
}

}  // namespace
}  // namespace distal
