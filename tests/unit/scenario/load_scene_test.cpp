#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "unit/scenario/scene_text_support.hpp"

namespace distal {
namespace {

using test::kGoodScene;
using test::load_good;
using test::refusal;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const FingertipDescription& finger(const Scene& scene) {
  return std::get<FingertipDescription>(scene.model.bodies.at(0).second);
}

TEST(LoadScene, reads_what_is_given_and_keeps_defaults) {
  const Scene scene = load_good();
  EXPECT_EQ(scene.model.title, "press");
  EXPECT_EQ(scene.model.materials.at("rubber").youngs_modulus_pa, 4000.0);
  EXPECT_TRUE(std::isnan(scene.model.materials.at("rubber").shear_modulus_pa));
  EXPECT_EQ(finger(scene).tip_radius_m, 0.01);
  EXPECT_EQ(finger(scene).rod_radius_m, FingertipDescription{}.rod_radius_m);
  EXPECT_EQ(scene.controllers.at(0).first, "press");
  EXPECT_EQ(scene.controllers.at(0).second.body, "finger");
  EXPECT_FALSE(scene.motion.has_value());
  EXPECT_EQ(scene.record.frames_per_s, 30.0);
}

TEST(LoadScene, bodies_keep_the_order_of_the_file_and_overrides_come_last) {
  const Scene scene = load_good({"body.a_new_one.type=plane"});
  std::vector<std::string> names;
  for (const auto& [name, body] : scene.model.bodies) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"finger", "block", "table", "ball", "a_new_one"}));
}

TEST(LoadScene, run_values_reach_the_model) {
  const Scene scene = load_good({"run.control_period_s=0.002", "run.threads=3", "run.precision=float"});
  EXPECT_EQ(scene.model.control_period_s, 0.002);
  EXPECT_EQ(scene.model.threads, 3);
  EXPECT_EQ(scene.model.precision, Precision::float_);
}

TEST(LoadScene, overrides_replace_add_and_accept_bare_words) {
  const Scene scene = load_good({"body.finger.cell_size_m=0.002", "body.finger.lattice=paper", "scene.title=1 # two",
                                 "body.finger.position_m=[0, 0, 0.5]", "run.seed=5", "run.seed=6",
                                 "body.wall={type=\"plane\", position_m=[1.0, 0.0, 0.0]}"});
  EXPECT_EQ(finger(scene).lattice.cell_size_m, 0.002);
  EXPECT_EQ(finger(scene).lattice.lattice, LatticeKind::paper);
  EXPECT_EQ(finger(scene).placement.position_m, Vec3(0.0, 0.0, 0.5));
  EXPECT_EQ(scene.model.title, "1 # two");
  EXPECT_EQ(scene.run.seed, 6);
  EXPECT_EQ(std::get<PlaneDescription>(scene.model.bodies.at(4).second).placement.position_m.x(), 1.0);
}

TEST(LoadScene, an_override_takes_as_a_string_what_looks_like_a_number) {
  EXPECT_EQ(load_good({"scene.title=42"}).model.title, "42");
  EXPECT_EQ(load_good({"scene.title=true"}).model.title, "true");
  EXPECT_EQ(load_good({"scene.title=it's \"so\""}).model.title, "it's \"so\"");
}

TEST(LoadScene, bad_overrides_are_refused_as_such) {
  EXPECT_THAT(refusal({"nothing"}), StartsWith("--set nothing: expected key=value"));
  EXPECT_THAT(refusal({"run.seed="}), HasSubstr("expected key=value"));
  EXPECT_THAT(refusal({"a b=1"}), HasSubstr("\"a b\" is not a dotted key"));
  EXPECT_THAT(refusal({"[run]\nseed=1"}), HasSubstr("is not a dotted key"));
  EXPECT_THAT(refusal({"run.seed=1\nrun.threads=2"}), HasSubstr("line break"));
  EXPECT_THAT(refusal({"scene.title.more=1"}), StartsWith("--set scene.title.more=1: scene.title: found a table, but"));
  EXPECT_THAT(refusal({"body=1"}), HasSubstr("body: found the number 1, but the scene has a table there"));
}

TEST(LoadScene, dynamic_friction_follows_static_friction) {
  EXPECT_EQ(load_good().model.contact.dynamic_friction, 0.7);
  EXPECT_EQ(load_good({"contact.static_friction=0"}).model.contact.dynamic_friction, 0.0);
  EXPECT_EQ(load_good({"contact.static_friction=1.5"}).model.contact.dynamic_friction, 0.7);
  EXPECT_TRUE(std::isinf(load_good({"contact.static_friction=inf"}).model.contact.dynamic_friction));
  EXPECT_TRUE(std::isinf(load_good({"contact.static_friction=inf"}).model.contact.static_friction));
  const Scene own = load_good({"contact.static_friction=0.6", "contact.dynamic_friction=0.5"});
  EXPECT_EQ(own.model.contact.dynamic_friction, 0.5);
  const std::string plain = "[body.table]\ntype = \"plane\"\n[contact]\nstatic_friction = 0.3\n";
  EXPECT_EQ(parse_scene(plain, "plain.toml").model.contact.dynamic_friction, 0.3);
}

TEST(LoadScene, a_pair_starts_from_the_contact_of_all) {
  const std::string pair = "[pair.one]\nbodies = [\"finger\", \"table\"]\nstatic_friction = 0.5\n";
  const Scene scene =
      parse_scene(kGoodScene + pair, "good.toml", std::vector<std::string>{"contact.stiffness_factor=9"});
  const PairDescription& one = scene.model.pairs.at(0).second;
  EXPECT_EQ(one.body_a, "finger");
  EXPECT_EQ(one.body_b, "table");
  EXPECT_EQ(one.contact.static_friction, 0.5);
  EXPECT_EQ(one.contact.dynamic_friction, 0.5);
  EXPECT_EQ(one.contact.stiffness_factor, 9.0);
}

TEST(LoadScene, damping_by_word_and_an_override_of_the_other_way) {
  const std::string key = "material.rubber.";
  EXPECT_EQ(load_good({key + "damping_ratio=critical"}).model.materials.at("rubber").damping_ratio, 1.0);
  std::string text = kGoodScene;
  text.insert(text.find("poissons_ratio"), "damping_ratio = \"critical\"\n");
  const Scene scene = parse_scene(text, "good.toml", std::vector{key + "relaxation_time_s=0.01"});
  EXPECT_EQ(scene.model.materials.at("rubber").relaxation_time_s, 0.01);
  EXPECT_TRUE(std::isnan(scene.model.materials.at("rubber").damping_ratio));
}

TEST(LoadScene, a_body_under_a_motion_is_driven) {
  const std::string motion = "[motion]\nbody = \"ball\"\ndepths_m = [0.001, 0.002]\ndirection = [0, 0, -2]\n";
  const Scene scene = parse_scene(kGoodScene + motion, "good.toml");
  EXPECT_EQ(std::get<RigidDescription>(scene.model.bodies.at(3).second).mount, Mount::driven);
  EXPECT_EQ(finger(scene).mount, Mount::free);
  EXPECT_EQ(scene.motion->direction, Vec3(0.0, 0.0, -1.0));
  EXPECT_EQ(scene.motion->depths_m, (std::vector<double>{0.001, 0.002}));
}

TEST(LoadScene, a_controller_expects_the_gravity_of_the_scene) {
  const Scene scene = load_good({"scene.gravity_m_s2=[0, 0, -1.6]"});
  EXPECT_EQ(scene.controllers.at(0).second.gravity_m_s2, Vec3(0.0, 0.0, -1.6));
  const Scene other = load_good({"controller.press.gravity_m_s2=[0, 0, -3]"});
  EXPECT_EQ(other.controllers.at(0).second.gravity_m_s2, Vec3(0.0, 0.0, -3.0));
}

TEST(LoadScene, a_controller_expects_the_body_that_it_moves) {
  const std::vector<std::string> small = {"body.finger.rod_radius_m=0.001", "body.finger.rod_length_m=0.012",
                                          "body.finger.rod_mass_kg=0.003"};
  // Cylinder of length l and hemisphere of radius r, of one density: shares of the mass, centres from E.
  const double r = 0.001, l = 0.012, cylinder = l / (l + 2.0 / 3.0 * r), hemisphere = 1.0 - cylinder;
  const double centre = cylinder * 0.5 * l + hemisphere * (l + 0.375 * r);
  const double axial = std::sqrt(0.5 * cylinder + 0.4 * hemisphere) * r;
  const AdaptivePidDescription pid = load_good(small).controllers.at(0).second;
  EXPECT_DOUBLE_EQ(pid.moving_mass_kg, 0.003);
  EXPECT_LT((pid.centre_of_mass_m - Vec3(0.0, 0.0, centre)).norm(), 1e-15);
  EXPECT_NEAR(pid.gyration_radii_m.z(), axial, 1e-15);
  EXPECT_GT(pid.gyration_radii_m.x(), l / std::sqrt(12.0));
  EXPECT_LT(pid.gyration_radii_m.x(), (l + r) / std::sqrt(12.0));

  // The flange sits at E.
  std::vector<std::string> flanged = small;
  flanged.insert(flanged.end(), {"body.finger.mount=inertia", "body.finger.flange_mass_kg=0.009"});
  const AdaptivePidDescription heavy = load_good(flanged).controllers.at(0).second;
  EXPECT_DOUBLE_EQ(heavy.moving_mass_kg, 0.012);
  EXPECT_NEAR(heavy.centre_of_mass_m.z(), 0.25 * centre, 1e-15);
  const double about_own = std::pow(pid.gyration_radii_m.x(), 2);
  EXPECT_NEAR(std::pow(heavy.gyration_radii_m.x(), 2), 0.25 * about_own + 0.25 * 0.75 * centre * centre, 1e-15);

  // What is given stays, and the rest still follows the body.
  std::vector<std::string> given = small;
  given.push_back("controller.press.moving_mass_kg=0.5");
  const AdaptivePidDescription told = load_good(given).controllers.at(0).second;
  EXPECT_EQ(told.moving_mass_kg, 0.5);
  EXPECT_EQ(told.centre_of_mass_m, pid.centre_of_mass_m);
}

TEST(LoadScene, a_controller_expects_a_rigid_body_with_its_parts) {
  const std::vector<std::string> dumbbell = {
      "controller.press.body=ball", "body.ball.radius_m=0.01", "body.ball.mass_kg=0.1",
      R"(part.far={body="ball", shape="sphere", radius_m=0.01, mass_kg=0.1, position_m=[0.06, 0.0, 0.0]})"};
  const AdaptivePidDescription pid = load_good(dumbbell).controllers.at(0).second;
  EXPECT_DOUBLE_EQ(pid.moving_mass_kg, 0.2);
  EXPECT_LT((pid.centre_of_mass_m - Vec3(0.03, 0.0, 0.0)).norm(), 1e-15);
  const double own = 0.4 * 0.01 * 0.01;
  EXPECT_LT((pid.gyration_radii_m - Vec3(own, own + 9e-4, own + 9e-4).cwiseSqrt()).norm(), 1e-12);
  // A squeeze too.
  const SqueezeDescription squeeze =
      load_good({"controller.press.type=squeeze", "controller.press.body=ball", "body.ball.mass_kg=0.3"})
          .squeezes.at(0)
          .second;
  EXPECT_DOUBLE_EQ(squeeze.moving_mass_kg, 0.3);
}

TEST(LoadScene, the_place_of_a_key_is_known_after_reading) {
  const auto placed = [](const Scene& scene, const char* message) {
    return std::string(with_place(scene, InputError(message)).what());
  };
  const Scene scene = load_good({"integrator.time_step_s=0.001"});
  EXPECT_EQ(placed(scene, "body.finger.tip_radius_m: is strange"),
            "good.toml:12:1: body.finger.tip_radius_m: is strange");
  EXPECT_EQ(placed(scene, "integrator.time_step_s = 0.001 s: too long"),
            "--set integrator.time_step_s=0.001: integrator.time_step_s = 0.001 s: too long");
  // A key that is not given: the table it belongs to.
  EXPECT_THAT(placed(scene, "body.finger.file: is missing"), StartsWith("good.toml:9:"));
  // No key of this scene, or no key at all.
  for (const char* other : {"no.key: is wrong", "body 'finger' does not move", "memory is full", ""})
    EXPECT_EQ(placed(scene, other), other);
}

TEST(LoadScene, quaternions_nearly_of_unit_length_are_normalised) {
  const Scene scene = load_good({"body.finger.q_xyzw=[0, 0.70710678, 0, 0.70710678]"});
  EXPECT_NEAR(finger(scene).placement.q_xyzw.norm(), 1.0, 1e-15);
  EXPECT_NEAR(finger(scene).placement.q_xyzw.y(), std::sqrt(0.5), 1e-8);
}

TEST(LoadScene, sensors_are_read) {
  const Scene scene =
      parse_scene(kGoodScene + "[sensor.skin]\ntype = \"taxels\"\nbody = \"finger\"\nrows = 3\n", "good.toml");
  const auto& taxels = std::get<TaxelDescription>(scene.sensors.at(0).second);
  EXPECT_EQ(taxels.rows, 3);
  EXPECT_EQ(taxels.columns, TaxelDescription{}.columns);
}

}  // namespace
}  // namespace distal
