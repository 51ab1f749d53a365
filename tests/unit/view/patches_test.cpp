#include "distal/view/patches.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <numbers>

#include "distal/core/error.hpp"
#include "distal/run/run_scene.hpp"
#include "distal/view/live_geometry.hpp"
#include "distal/view/recorded_run.hpp"
#include "unit/record/scratch_folder.hpp"

namespace distal {
namespace {

constexpr double kFriction = 0.8;  // of the scene

// What viewers of the live scene are told at its end, and the state behind it.
struct LastMoment : Onlooker {
  void begin(const Scene&, const Session&) override {}
  double look(const Session&) override { return 0.0; }
  void end(const Session& session, RunStatus, const std::string&) override {
    LiveGeometry geometry(session.simulation(), {});
    RawMoment raw;
    copy_moment(session.simulation(), raw);
    geometry.develop(raw, ~0u, moment);
    scene = geometry.scene();
    state = session.simulation().state();
  }
  ViewScene scene;
  ViewMoment moment;
  State state;
};

// Two soft fingers hold a bar beside its centre of mass: friction bears its weight and a moment.
class HeldBar : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::vector<std::string> changes = {"run.duration_s=0.8", "record.frames_per_s=10"};
    const Scene scene = load_scene(std::filesystem::path(DISTAL_SCENARIO_DIR) / "lift_curved.toml", changes);
    RunOptions options;
    options.out = folder();
    options.onlooker = &live_;
    ASSERT_EQ(run_scene(scene, options).status, RunStatus::done);
  }
  std::filesystem::path folder() const { return scratch_.path() / "out"; }
  static std::string name(const ViewScene& scene, int body) {
    return scene.bodies[static_cast<std::size_t>(body)].name;
  }

  LastMoment live_;

 private:
  test::ScratchFolder scratch_;
};

TEST_F(HeldBar, EachPatchIsItsContact) {
  std::vector<HardContact> loaded;
  for (const HardContact& c : live_.state.hard_contacts)
    if (c.load_n > 0.0) loaded.push_back(c);
  ASSERT_EQ(live_.moment.patches.size(), loaded.size());
  ASSERT_EQ(loaded.size(), 2u) << "lifted: the fingers alone hold it";
  for (std::size_t i = 0; i < loaded.size(); ++i) {
    const ViewPatch& patch = live_.moment.patches[i];
    const HardContact& c = loaded[i];
    EXPECT_EQ(name(live_.scene, patch.bodies[0]), "object");
    EXPECT_EQ(patch.centre_m, c.point);
    EXPECT_NEAR(std::numbers::pi * patch.axes_m[0].norm() * patch.axes_m[1].norm(), c.area_m2(), 1e-12 * c.area_m2());
    EXPECT_GT(patch.axes_m[0].norm(), 2e-3);
    // A flat ellipse on the contact, along the directions of the friction.
    EXPECT_NEAR(patch.axes_m[0].dot(patch.axes_m[1]), 0.0, 1e-15);
    EXPECT_NEAR(patch.axes_m[0].dot(patch.normal), 0.0, 1e-15);
    const Vec3 sideways = patch.force_n - patch.load_n * patch.normal;
    EXPECT_NEAR(sideways.dot(patch.axes_m[0].normalized()), patch.friction.x(), 1e-12);
    EXPECT_NEAR(sideways.dot(patch.axes_m[1].normalized()), patch.friction.y(), 1e-12);
    const double most = kFriction * c.load_n;
    const Vec3 share(c.friction.x() / most, c.friction.y() / most, c.friction.z() / (c.eccentricity_m * most));
    EXPECT_LT((patch.use.share - share).norm(), 1e-12);
    EXPECT_GT(std::abs(share.z()), 0.5) << "the moment is most of it";
    EXPECT_NEAR(patch.use.use(), share.norm(), 1e-12);
    EXPECT_LT(patch.use.use(), 1.001);
  }
}

TEST_F(HeldBar, TheForcesOfPatchesAreContactsToo) {
  Vec3 on_bar = Vec3::Zero();
  for (const ViewPatch& patch : live_.moment.patches) on_bar -= patch.force_n;
  for (std::size_t b = 0; b < live_.scene.bodies.size(); ++b) {
    if (live_.scene.bodies[b].name != "object") continue;
    const BodyFeedback& feedback = live_.moment.bodies[b].reading.feedback;
    EXPECT_LT((on_bar - feedback.pose.q * feedback.contact.force).norm(), 1e-9);
  }
  ASSERT_EQ(live_.moment.contacts.size(), 2u);
  EXPECT_EQ(live_.moment.contacts[0].force_n, live_.moment.patches[0].force_n) << "a finger moves: the force on it";
}

TEST_F(HeldBar, ARecordedRunHasTheSamePatches) {
  const RecordedRun run(folder(), "test");
  EXPECT_TRUE(run.scene().has_patches && live_.scene.has_patches);
  EXPECT_TRUE(run.load(0).patches.empty()) << "before the first period";
  const ViewMoment moment = run.load(run.frames() - 1);
  ASSERT_EQ(moment.time_s, live_.moment.time_s);
  ASSERT_EQ(moment.patches.size(), live_.moment.patches.size());
  ASSERT_EQ(moment.contacts.size(), live_.moment.contacts.size());
  for (std::size_t i = 0; i < moment.patches.size(); ++i) {
    const ViewPatch &read = moment.patches[i], &was = live_.moment.patches[i];
    for (const std::size_t side : {0u, 1u}) {
      EXPECT_EQ(name(run.scene(), read.bodies[side]), name(live_.scene, was.bodies[side]));
      EXPECT_EQ(read.axes_m[side], was.axes_m[side]);
    }
    EXPECT_EQ(read.centre_m, was.centre_m);
    EXPECT_EQ(read.force_n, was.force_n);
    EXPECT_EQ(read.use.share, was.use.share);
    EXPECT_EQ(read.use.most_moment_n_m, was.use.most_moment_n_m);
    EXPECT_EQ(read.slides, was.slides);
  }
}

TEST_F(HeldBar, DamagedContactsAreNamed) {
  std::string text = test::read_text(folder() / "contacts.csv");
  text.replace(text.rfind("object"), 6, "nobody");
  std::ofstream(folder() / "contacts.csv", std::ios::binary) << text;
  try {
    const RecordedRun run(folder(), "test");
    FAIL() << "a body that the scene does not have";
  } catch (const InputError& problem) {
    EXPECT_NE(std::string(problem.what()).find("contacts.csv: the scene has no body \"nobody\""), std::string::npos)
        << problem.what();
  }
  std::filesystem::remove(folder() / "contacts.csv");
  const RecordedRun without(folder(), "test");
  EXPECT_FALSE(without.scene().has_patches);
  EXPECT_TRUE(without.load(1).patches.empty());
}

TEST(AddPatchForces, TurnsTheForceAgainstWhatIsFixed) {
  ViewScene scene;
  scene.bodies = {{"ball", "rigid", true, true}, {"table", "plane", false, false}};
  ViewMoment moment;
  moment.patches.emplace_back();
  moment.patches[0].bodies = {0, 1};
  moment.patches[0].force_n = Vec3(0.0, 1.0, -5.0);
  add_patch_forces(scene, moment);
  EXPECT_EQ(moment.contacts.at(0).force_n, Vec3(0.0, -1.0, 5.0));
}

}  // namespace
}  // namespace distal
