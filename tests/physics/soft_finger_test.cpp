// Friction of rigid bodies: inclines, stacks, and the ellipsoid of force and moment of a soft finger (paper 3).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "distal/contact/pressure_patch.hpp"
#include "distal/core/error.hpp"
#include "distal/scenario/scene.hpp"
#include "support/rigid_scenes.hpp"
#include "support/save_obj.hpp"

namespace distal {
namespace {

using test::kGravity;
using test::rigid;
using test::rigid_scene;

// How far a cube has slid down a slope.
double slide(double edge_m, double degrees, double friction, double seconds) {
  ModelDescription scene = rigid_scene();
  const double angle = degrees * std::numbers::pi / 180.0;
  scene.gravity_m_s2 = kGravity * Vec3(std::sin(angle), 0.0, -std::cos(angle));
  scene.contact.static_friction = scene.contact.dynamic_friction = friction;
  scene.bodies.emplace_back("slope", PlaneDescription{});
  const double mass = 1000.0 * edge_m * edge_m * edge_m;
  scene.bodies.emplace_back("cube", test::box(Vec3::Constant(edge_m), Vec3(0.0, 0.0, 0.5 * edge_m), mass));
  Simulation simulation(scene);
  test::run(simulation, seconds);
  return rigid(simulation, "cube").centre_of_mass.x();
}

TEST(SoftFinger, ACubeSlidesDownASlopeAtTheAngleOfFriction) {
  const double friction = 0.5, angle = std::atan(friction) * 180.0 / std::numbers::pi;
  for (const double edge : {1.0, 0.1, 0.01}) {
    EXPECT_LT(slide(edge, angle - 0.1, friction, 2.0), 1e-9) << edge;
    const double moved = slide(edge, angle + 0.1, friction, 2.0);
    const double radians = (angle + 0.1) * std::numbers::pi / 180.0;
    const double expected = 0.5 * kGravity * (std::sin(radians) - friction * std::cos(radians)) * 4.0;
    EXPECT_NEAR(moved / expected, 1.0, 0.02) << edge;
  }
}

double creep(double seconds) { return slide(0.1, 26.4, 0.5, seconds); }
TEST(SoftFinger, ACubeDoesNotCreep) { EXPECT_LT(creep(5.0), 1e-9); }
TEST(LongSoftFinger, ACubeDoesNotCreepForAMinute) { EXPECT_LT(creep(60.0), 1e-9); }

void expect_stack_stands(double seconds) {
  ModelDescription scene = rigid_scene();
  scene.contact.static_friction = scene.contact.dynamic_friction = 0.5;
  scene.bodies.emplace_back("table", PlaneDescription{});
  const auto place = [](int n) { return Vec3(n % 2 == 0 ? 0.001 : -0.001, 0.0005 * (n % 3), 0.01 + 0.02 * n); };
  for (int n = 0; n < 10; ++n)
    scene.bodies.emplace_back(fmt::format("box_{}", n), test::box(Vec3(0.04, 0.04, 0.02), place(n), 0.1));
  Simulation simulation(scene);
  test::run(simulation, seconds);
  for (int n = 0; n < 10; ++n) {
    const RigidState& box = rigid(simulation, fmt::format("box_{}", n));
    EXPECT_LT((box.centre_of_mass - place(n)).norm(), 1e-8) << n;
    EXPECT_LT(box.velocity.norm(), 1e-9) << n;
  }
}
TEST(SoftFinger, AStackOfTenStands) { expect_stack_stands(2.0); }
TEST(LongSoftFinger, AStackOfTenStandsForAMinute) { expect_stack_stands(60.0); }

// A ball that slides along x and y, sinks along z and spins about z, but cannot roll: pressed on a plane, pushed and
// twisted. `share` of what the ellipsoid bears, in a direction of (force, force, moment over e_n).
struct Pad {
  ModelDescription scene = rigid_scene();
  double radius_m = 0.02, load_n = 10.0, friction = 0.6;

  explicit Pad(NormalLaw law) {
    scene.gravity_m_s2.setZero();
    scene.integrator.friction_vertices = 80;
    scene.contact.normal = law;
    scene.contact.patch.foundation_pa_m = 2e8;
    scene.contact.static_friction = scene.contact.dynamic_friction = friction;
    scene.bodies.emplace_back("table", PlaneDescription{});
    const Vec3 at(0.0, 0.0, radius_m), far(0.0, 0.0, 1.0);
    for (const char* name : {"along", "across", "down"}) scene.bodies.emplace_back(name, test::sphere(1e-3, far, 0.05));
    scene.bodies.emplace_back("pad", test::sphere(radius_m, at, 0.05));
    using Slide = PrismaticDescription;
    scene.joints.emplace_back("x", test::joint_at<Slide>("", "along", far, far, Vec3::UnitX()));
    scene.joints.emplace_back("y", test::joint_at<Slide>("along", "across", far, far, Vec3::UnitY()));
    scene.joints.emplace_back("z", test::joint_at<Slide>("across", "down", far, far, Vec3::UnitZ()));
    scene.joints.emplace_back("spin", test::joint_at<RevoluteDescription>("down", "pad", at, at, Vec3::UnitZ()));
  }

  PressurePatch patch() const {
    const ContactDescription& c = scene.contact;
    const PressureLaw law{c.normal == NormalLaw::hertz ? PressureModel::hertz : PressureModel::winkler,
                          c.patch.foundation_pa_m, c.patch.contact_modulus_pa};
    PatchGeometry geometry;
    geometry.curvature_per_m = {1.0 / radius_m, 1.0 / radius_m};
    return find_pressure_patch(law, geometry, load_n);
  }

  // Distance moved in 0.2 s, spin counted at e_n.
  double push(const Vec3& direction, double share) const {
    Simulation simulation(scene);
    std::vector<BodyCommand> commands(simulation.body_count());
    BodyCommand& command = commands[simulation.body_index("pad")];
    command.wrench.force = Vec3(0.0, 0.0, -load_n);
    test::run(simulation, 0.01, &commands);
    const double eccentricity = eccentricity_m(patch());
    EXPECT_NEAR(simulation.state().hard_contacts.at(0).eccentricity_m / eccentricity, 1.0, 1e-9);
    EXPECT_NEAR(simulation.state().hard_contacts.at(0).load_n / load_n, 1.0, 1e-9);
    const Vec3 most = share * friction * load_n * direction.normalized();
    command.wrench.force.head<2>() = most.head<2>();
    command.wrench.torque.z() = eccentricity * most.z();
    const State before = simulation.state();
    test::run(simulation, 0.2, &commands);
    const State& after = simulation.state();
    return std::hypot(after.joint_position[0] - before.joint_position[0],
                      after.joint_position[1] - before.joint_position[1]) +
           eccentricity * std::abs(after.joint_position[3] - before.joint_position[3]);
  }
};

class SoftFingerOf : public testing::TestWithParam<NormalLaw> {};

TEST_P(SoftFingerOf, SlipsWhereTheEllipsoidSays) {
  const Pad pad(GetParam());
  for (const Vec3& direction : {Vec3(1.0, 0.0, 0.0), Vec3(0.0, 0.0, 1.0), Vec3(1.0, 1.0, 0.0), Vec3(1.0, 0.0, 1.0),
                                Vec3(0.3, -0.5, 0.8), Vec3(-0.9, 0.2, -0.4)}) {
    EXPECT_LT(pad.push(direction, 0.98), 1e-9) << direction.transpose();
    EXPECT_GT(pad.push(direction, 1.02), 1e-4) << direction.transpose();
  }
}

INSTANTIATE_TEST_SUITE_P(Laws, SoftFingerOf, testing::Values(NormalLaw::winkler, NormalLaw::hertz),
                         [](const auto& law) { return law.param == NormalLaw::winkler ? "Winkler" : "Hertz"; });

TEST(SoftFinger, AHardPointBearsNoMomentAndASquareFaceThatOfItsMeanRadius) {
  Pad pad(NormalLaw::stiff);
  Simulation simulation(pad.scene);
  std::vector<BodyCommand> commands(simulation.body_count());
  BodyCommand& command = commands[simulation.body_index("pad")];
  command.wrench.force = Vec3(0.0, 0.0, -10.0);
  command.wrench.torque.z() = 1e-4;
  test::run(simulation, 0.1, &commands);
  EXPECT_NEAR(simulation.state().joint_position[3] / (0.5 * 1e-4 / (0.4 * 0.05 * 4e-4) * 0.01), 1.0, 0.02);

  // Under even pressure a square of edge s bears mu P s (sqrt 2 + asinh 1) / 6.
  const double edge = 0.04, mass = 0.5, friction = 0.5;
  const double limit = friction * mass * kGravity * edge * (std::numbers::sqrt2 + std::asinh(1.0)) / 6.0;
  for (const double share : {0.98, 1.02}) {
    ModelDescription scene = rigid_scene();
    scene.contact.static_friction = scene.contact.dynamic_friction = friction;
    scene.integrator.friction_vertices = 80;
    scene.bodies.emplace_back("table", PlaneDescription{});
    scene.bodies.emplace_back("block", test::box(Vec3(edge, edge, 0.02), Vec3(0.0, 0.0, 0.01), mass));
    Simulation turning(scene);
    std::vector<BodyCommand> twist(turning.body_count());
    twist[0].wrench.torque.z() = share * limit;
    test::run(turning, 0.2, &twist);
    const double angle = vector_from_rotation(rigid(turning, "block").q).z();
    if (share < 1.0)
      EXPECT_LT(angle, 1e-9);
    else
      EXPECT_GT(angle, 1e-3);
  }
}

// Paper 3, Fig. 3: two fingers hold an object beside its centre of mass. How far it has turned when it hangs, with a
// weight that is a share of what the ellipsoids of both bear.
double turn_of_lifted(const std::string& name, double object_curvature_per_m, double share) {
  const double radius = 0.02, grip = 10.0, friction = 0.8, arm = 0.03;  // of the scene
  PatchGeometry geometry;
  geometry.curvature_per_m = {1.0 / radius, 1.0 / radius + object_curvature_per_m};
  const PressurePatch patch = find_pressure_patch({PressureModel::winkler, 2e8, 1e6}, geometry, grip);
  const double weight = 2.0 * friction * grip / std::hypot(1.0, arm / eccentricity_m(patch));
  const std::vector<std::string> overrides = {fmt::format("body.object.mass_kg={}", share * weight / kGravity)};
  Simulation simulation(load_scene(std::string(DISTAL_SCENARIO_DIR) + "/" + name + ".toml", overrides).model);
  const Quat before = rigid(simulation, "object").q;
  test::run(simulation, 2.0);
  EXPECT_GT(rigid(simulation, "object").centre_of_mass.z(), 0.07);  // it is in the air
  return vector_from_rotation(rigid(simulation, "object").q * before.conjugate()).norm() * 180.0 / std::numbers::pi;
}

TEST(SoftFinger, AnObjectTurnsInTheHandAtThePredictedMoment) {
  for (const auto& [name, curvature] : {std::pair{"lift_flat", 0.0}, std::pair{"lift_curved", 1.0 / 0.004}}) {
    EXPECT_LT(turn_of_lifted(name, curvature, 0.95), 2.0) << name;
    // Beyond it turns until the arm is short enough: 17.7 degrees, and further by its swing; let go, 30.6.
    const double turn = turn_of_lifted(name, curvature, 1.05);
    EXPECT_GT(turn, 17.0) << name;
    EXPECT_LT(turn, 31.0) << name;
  }
}

// A fingertip of triangles, a twentieth of its radius each, is as good as a sphere.
TEST(SoftFinger, AMeshHasThePatchOfTheSurfaceItStandsFor) {
  Scene scene = load_scene(std::string(DISTAL_SCENARIO_DIR) + "/five_newton.toml");
  auto& thumb =
      std::get<RigidDescription>(std::find_if(scene.model.bodies.begin(), scene.model.bodies.end(), [](const auto& b) {
                                   return b.first == "thumb";
                                 })->second);
  thumb.shape = RigidShapeKind::mesh;
  thumb.file = test::save_obj("thumb.obj", make_shape_mesh(SphereShape{thumb.radius_m}, 1.0));
  Simulation simulation(scene.model);
  test::run(simulation, 0.3);
  const std::vector<HardContact>& contacts = simulation.state().hard_contacts;
  ASSERT_EQ(contacts.size(), 5u);
  EXPECT_NEAR(contacts[0].load_n, 5.0, 0.005);
  EXPECT_NEAR(contacts[0].area_m2(), 41e-6, 0.02 * 41e-6);
  EXPECT_NEAR(contacts[0].eccentricity_m / contacts[3].eccentricity_m, std::sqrt(41.0 / 26.0), 0.02);
  EXPECT_GT(contacts[0].fit_deviation_m, 0.0);
  EXPECT_LT(contacts[0].fit_deviation_m, 1e-5);
}

TEST(SoftFinger, FiveFingertipsBearTheMomentsOfTheirPatches) {
  Simulation simulation(load_scene(std::string(DISTAL_SCENARIO_DIR) + "/five_newton.toml").model);
  test::run(simulation, 0.3);
  const std::vector<HardContact>& contacts = simulation.state().hard_contacts;
  ASSERT_EQ(contacts.size(), 5u);  // thumb, index, middle, ring, little
  EXPECT_NEAR(contacts[0].area_m2(), 41e-6, 0.01e-6);
  EXPECT_NEAR(contacts[3].area_m2(), 26e-6, 0.01e-6);
  for (const HardContact& contact : contacts) EXPECT_NEAR(contact.load_n, 5.0, 1e-9);
  EXPECT_NEAR(contacts[0].eccentricity_m / contacts[3].eccentricity_m, std::sqrt(41.0 / 26.0), 1e-3);
}

TEST(SoftFinger, BodiesThatStandInEachOtherAreRefused) {
  ModelDescription scene = rigid_scene();
  scene.bodies.emplace_back("table", PlaneDescription{});
  scene.bodies.emplace_back("cube", test::box(Vec3::Constant(0.02), Vec3(0.0, 0.0, 0.008), 0.1));
  try {
    const Simulation simulation(scene);
    FAIL() << "accepted";
  } catch (const InputError& problem) {
    EXPECT_EQ(std::string(problem.what()), "body.table: stands 2 mm deep in body.cube at the start; allowed: 0.1 mm");
  }
}

TEST(SoftFinger, ABallRollsWithoutSliding) {
  ModelDescription scene = rigid_scene();
  scene.gravity_m_s2 = kGravity * Vec3(std::sin(0.1), 0.0, -std::cos(0.1));
  scene.bodies.emplace_back("slope", PlaneDescription{});
  scene.bodies.emplace_back("ball", test::sphere(0.02, Vec3(0.0, 0.0, 0.02), 0.1));
  Simulation simulation(scene);
  test::run(simulation, 1.0);
  const RigidState& ball = rigid(simulation, "ball");
  EXPECT_NEAR(ball.velocity.x() / (5.0 / 7.0 * kGravity * std::sin(0.1)), 1.0, 1e-3);
  EXPECT_NEAR(ball.angular_velocity.y() * 0.02 / ball.velocity.x(), 1.0, 1e-6);
}

TEST(SoftFinger, ADroppedBoxComesToRestAndEnergyNeverRises) {
  ModelDescription scene = rigid_scene();
  scene.bodies.emplace_back("table", PlaneDescription{});
  RigidDescription thrown = test::box(Vec3(0.05, 0.04, 0.03), Vec3(0.0, 0.0, 0.1), 0.1);
  thrown.placement.angular_velocity_rad_s = Vec3(3.0, 5.0, 2.0);
  thrown.placement.velocity_m_s = Vec3(0.2, 0.1, 0.0);
  scene.bodies.emplace_back("thrown", thrown);
  Simulation simulation(scene);
  double least = simulation.energy().kinetic + simulation.energy().gravity;
  const double first = least;
  for (int n = 0; n < 2000; ++n) {
    test::run(simulation, 0.001);
    const double now = simulation.energy().kinetic + simulation.energy().gravity;
    EXPECT_LT(now, least + 1e-3 * first) << n;
    least = std::min(least, now);
    for (const HardContact& contact : simulation.state().hard_contacts) EXPECT_GT(contact.separation_m, -2e-4);
  }
  EXPECT_LT(rigid(simulation, "thrown").velocity.norm(), 1e-6);
  EXPECT_NEAR(simulation.state().rigid[1].centre_of_mass.z(), 0.015, 1e-5);
}

}  // namespace
}  // namespace distal
