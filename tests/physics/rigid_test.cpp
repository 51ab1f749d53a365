// Rigid bodies and joints in complementarity steps: conservation, periods, limits, motors.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "distal/state/links.hpp"
#include "support/rigid_scenes.hpp"

namespace distal {
namespace {

using test::joint_at;
using test::kGravity;
using test::rigid;
using test::rigid_scene;

TEST(Rigid, ASpinningBodyTumblesWithAllItsMomentumAndEnergy) {
  ModelDescription scene = rigid_scene();
  scene.gravity_m_s2.setZero();
  RigidDescription body = test::box(Vec3(0.1, 0.06, 0.02), Vec3::Zero(), 1.0);
  body.placement.velocity_m_s = Vec3(0.1, -0.2, 0.3);
  body.placement.angular_velocity_rad_s = Vec3(0.01, 10.0, 0.01);  // about the middle axis: it turns over and over
  scene.bodies.emplace_back("body", body);
  Simulation simulation(scene);
  const RigidBody& model = simulation.model().rigid[0];
  const Vec3 momentum = angular_momentum(model, rigid(simulation, "body"));
  const double energy = simulation.energy().kinetic;
  double least = 10.0;
  for (int second = 0; second < 60; ++second) {
    test::run(simulation, 1.0);
    const RigidState& s = rigid(simulation, "body");
    EXPECT_LT((angular_momentum(model, s) - momentum).norm(), 1e-9 * momentum.norm());
    EXPECT_LT((s.velocity - Vec3(0.1, -0.2, 0.3)).norm(), 1e-9);
    EXPECT_NEAR(simulation.energy().kinetic / energy, 1.0, 1e-9);
    least = std::min(least, (s.q.conjugate() * s.angular_velocity).y());
  }
  EXPECT_LT(least, -9.0) << "it did not turn over";
}

// Mean period of the sign changes of a joint's position.
double measure_period(Simulation& simulation, double seconds) {
  std::vector<double> crossings;
  double before = simulation.state().joint_position[0];
  const std::vector<BodyCommand> none(simulation.body_count());
  while (simulation.state().time_s < seconds) {
    simulation.advance(none);
    const double now = simulation.state().joint_position[0];
    if (before < 0.0 && now >= 0.0)
      crossings.push_back(simulation.state().time_s - simulation.model().control_period_s * now / (now - before));
    before = now;
  }
  return (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
}

TEST(Rigid, APendulumKeepsItsPeriod) {
  for (const double amplitude : {0.02, 0.5 * std::numbers::pi}) {
    ModelDescription scene = rigid_scene();
    const double length = 0.5, mass = 0.2, radius = 0.05;
    const Vec3 at(-length * std::sin(amplitude), 0.0, -length * std::cos(amplitude));
    scene.bodies.emplace_back("bob", test::sphere(radius, at, mass));
    RevoluteDescription pivot = joint_at<RevoluteDescription>("", "bob", at, Vec3::Zero(), Vec3::UnitY());
    pivot.drive.initial = amplitude;
    scene.joints.emplace_back("pivot", pivot);
    Simulation simulation(scene);
    EXPECT_EQ(simulation.model().integrator.kind, IntegratorKind::complementarity);
    // Of a physical pendulum; K of the amplitude over K of none.
    const double swing = std::comp_ellint_1(std::sin(0.5 * amplitude)) / (0.5 * std::numbers::pi);
    const double inertia = mass * (length * length + 0.4 * radius * radius);
    const double expected = 2.0 * std::numbers::pi * std::sqrt(inertia / (mass * kGravity * length)) * swing;
    EXPECT_NEAR(measure_period(simulation, 12.0) / expected, 1.0, 1e-3) << amplitude;
  }
}

// Three links in the plane and one across: every term that a carried joint has. The scheme is of first order: the
// energy's error halves with the step.
double chain_energy_error(double step_s) {
  ModelDescription scene = rigid_scene();
  scene.control_period_s = step_s;
  const Vec3 first(0.1, 0.0, 0.0), second(0.3, 0.0, 0.0), third(0.45, 0.0, 0.05);
  scene.bodies.emplace_back("first", test::box(Vec3(0.2, 0.02, 0.02), first, 0.3));
  scene.bodies.emplace_back("second", test::box(Vec3(0.2, 0.02, 0.04), second, 0.2));
  scene.bodies.emplace_back("third", test::box(Vec3(0.1, 0.02, 0.02), third, 0.1));
  scene.joints.emplace_back("a", joint_at<RevoluteDescription>("", "first", first, Vec3::Zero(), Vec3::UnitY()));
  scene.joints.emplace_back(
      "b", joint_at<RevoluteDescription>("first", "second", second, Vec3(0.2, 0.0, 0.0), Vec3(0.0, 1.0, 1.0)));
  scene.joints.emplace_back("c", joint_at<PrismaticDescription>("second", "third", third, third, Vec3::UnitX()));
  Simulation simulation(scene);
  const double start = simulation.energy().kinetic + simulation.energy().gravity;
  double worst = 0.0, most = 0.0;
  for (int n = 0; n < 40; ++n) {
    test::run(simulation, 0.01);
    const EnergyReading e = simulation.energy();
    worst = std::max(worst, std::abs(e.kinetic + e.gravity - start));
    most = std::max(most, e.kinetic);
  }
  return worst / most;
}

TEST(Rigid, AChainKeepsItsEnergyToTheFirstOrder) {
  const double coarse = chain_energy_error(1e-3), fine = chain_energy_error(2.5e-4);
  EXPECT_LT(coarse, 0.02);
  EXPECT_NEAR(fine / coarse, 0.25, 0.05);
}

TEST(Rigid, ABeadThatSlidesOutOnATurningArmSlowsIt) {
  ModelDescription scene = rigid_scene();
  scene.gravity_m_s2.setZero();
  scene.control_period_s = 1e-4;
  const Vec3 arm(0.0, 0.0, 0.0), bead(0.05, 0.0, 0.0);
  scene.bodies.emplace_back("arm", test::box(Vec3(0.4, 0.02, 0.02), arm, 0.5));
  scene.bodies.emplace_back("bead", test::sphere(0.01, bead, 0.2));
  scene.joints.emplace_back("spin", joint_at<RevoluteDescription>("", "arm", arm, Vec3::Zero(), Vec3::UnitZ()));
  scene.joints.emplace_back("slide", joint_at<PrismaticDescription>("arm", "bead", bead, bead, Vec3::UnitX()));
  Simulation simulation(scene);
  State state = simulation.state();
  state.joint_velocity[0] = 5.0;
  place_links(simulation.model(), state);
  simulation.restore(state);
  const auto momentum = [&] {
    const double r = 0.05 + simulation.state().joint_position[1];
    const double inertia =
        simulation.model().rigid[0].inertia_kg_m2(2, 2) + 0.2 * r * r + simulation.model().rigid[1].inertia_kg_m2(2, 2);
    return inertia * simulation.state().joint_velocity[0];
  };
  const double first = momentum();
  test::run(simulation, 0.3);
  EXPECT_GT(simulation.state().joint_position[1], 0.04);
  EXPECT_NEAR(momentum() / first, 1.0, 1e-3);
}

// An arm of known inertia about a vertical axis.
ModelDescription arm_scene(const JointDrive& drive) {
  ModelDescription scene = rigid_scene();
  scene.bodies.emplace_back("arm", test::box(Vec3(0.2, 0.02, 0.02), Vec3(0.1, 0.0, 0.0), 0.3));
  RevoluteDescription joint =
      joint_at<RevoluteDescription>("", "arm", Vec3(0.1, 0.0, 0.0), Vec3::Zero(), Vec3::UnitZ());
  joint.drive = drive;
  scene.joints.emplace_back("turn", joint);
  return scene;
}

TEST(Rigid, AMotorGivesWhatItAsksForAndNoMoreThanItHas) {
  JointDrive drive;
  drive.motor_stiffness = 100.0, drive.motor_damping = 1.0, drive.most_effort = 0.05;
  drive.times_s = {0.0, 0.001}, drive.targets = {0.0, 1.0};
  Simulation simulation(arm_scene(drive));
  const double inertia = 0.3 * (0.01 + (0.04 + 0.0004) / 12.0), seconds = 0.2;
  test::run(simulation, seconds);
  EXPECT_NEAR(simulation.state().joint_effort[0], 0.05, 1e-12);
  EXPECT_NEAR(simulation.state().joint_velocity[0] / (0.05 / inertia * seconds), 1.0, 1e-9);
  test::run(simulation, 10.0);  // it has arrived, and holds
  EXPECT_NEAR(simulation.state().joint_position[0], 1.0, 1e-6);
  EXPECT_NEAR(simulation.state().joint_effort[0], 0.0, 1e-6);
  EXPECT_NEAR(simulation.energy().residual, 0.0, 0.02 * 0.05);
}

// A servo that leaves the end of its strength, and comes to the other end, beside a box that rests on a table: in every
// step its effort is what moved the joint.
TEST(Rigid, AMotorAtTheEndOfItsStrengthGivesWhatItSays) {
  ModelDescription scene = rigid_scene();
  scene.bodies.emplace_back("table", PlaneDescription{});
  scene.bodies.emplace_back("box", test::box(Vec3::Constant(0.02), Vec3(0.0, 0.0, 0.01), 0.1));
  const Vec3 place(0.0, 0.1, 0.1);
  scene.bodies.emplace_back("slider", test::box(Vec3::Constant(0.02), place, 0.2));
  auto slide = joint_at<PrismaticDescription>("", "slider", place, place, Vec3::UnitX());
  slide.drive.motor_stiffness = 2000.0, slide.drive.motor_damping = 40.0, slide.drive.most_effort = 8.0;
  slide.drive.times_s = {0.0, 0.02}, slide.drive.targets = {0.0, 0.022};
  scene.joints.emplace_back("slide", slide);
  Simulation simulation(scene);
  const double h = simulation.model().control_period_s;
  double before = 0.0, most = 0.0, least = 0.0;
  for (int n = 0; n < 60; ++n) {
    test::run(simulation, h);
    const double velocity = simulation.state().joint_velocity[0], effort = simulation.state().joint_effort[0];
    ASSERT_NEAR(0.2 * (velocity - before) / h, effort, 1e-6) << n;
    before = velocity, most = std::max(most, effort), least = std::min(least, effort);
  }
  EXPECT_EQ(most, 8.0);
  EXPECT_LT(least, -4.0);
}

TEST(Rigid, AJointStopsAtItsLimitAndLeavesIt) {
  JointDrive drive;
  drive.motor_stiffness = 10.0, drive.motor_damping = 0.1;
  drive.lower = -0.2, drive.upper = 0.3;
  drive.times_s = {0.0, 0.1, 1.0, 1.1}, drive.targets = {0.0, 1.0, 1.0, 0.0};
  Simulation simulation(arm_scene(drive));
  double most = 0.0;
  for (int n = 0; n < 100; ++n) {
    test::run(simulation, 0.01);
    most = std::max(most, simulation.state().joint_position[0]);
  }
  EXPECT_NEAR(most, 0.3, 1e-9);
  EXPECT_NEAR(simulation.state().joint_position[0], 0.3, 1e-9);
  test::run(simulation, 3.0);
  EXPECT_NEAR(simulation.state().joint_position[0], 0.0, 1e-3);
}

TEST(Rigid, AJointFollowsAnother) {
  JointDrive drive;
  drive.motor_stiffness = 50.0, drive.motor_damping = 1.0;
  drive.times_s = {0.0, 0.2}, drive.targets = {0.0, 0.5};
  ModelDescription scene = arm_scene(drive);
  const Vec3 place(0.3, 0.0, 0.0);
  scene.bodies.emplace_back("hand", test::box(Vec3(0.2, 0.02, 0.02), place, 0.1));
  RevoluteDescription follower =
      joint_at<RevoluteDescription>("arm", "hand", place, Vec3(0.2, 0.0, 0.0), Vec3::UnitZ());
  follower.drive.mimic = "turn", follower.drive.mimic_factor = -2.0;
  scene.joints.emplace_back("follow", follower);
  Simulation simulation(scene);
  double fastest = 0.0;
  for (int n = 0; n < 200; ++n) {
    test::run(simulation, 0.01);
    const State& s = simulation.state();
    fastest = std::max(fastest, simulation.energy().kinetic);
    EXPECT_NEAR(s.joint_position[1], -2.0 * s.joint_position[0], 1e-12);
    const Vec3 turned = vector_from_rotation(s.rigid[1].q);
    EXPECT_NEAR(turned.z(), -s.joint_position[0], 1e-12);
  }
  EXPECT_NEAR(simulation.state().joint_position[0], 0.5, 1e-3);
  EXPECT_NEAR(simulation.energy().residual, 0.0, 0.01 * fastest);
}

// A box on a plane that its joint carries already: no load of the contact could be found, and none is.
TEST(Rigid, AContactThatNothingCanYieldToBearsNoLoad) {
  const Vec3 place(0.0, 0.0, 0.0099);  // a little inside
  for (const bool slides : {false, true}) {
    ModelDescription scene = rigid_scene();
    scene.bodies.emplace_back("table", PlaneDescription{});
    scene.bodies.emplace_back("box", test::box(Vec3(0.04, 0.04, 0.02), place, 0.1));
    scene.bodies.emplace_back("ball", test::sphere(0.01, Vec3(0.0, 0.0, 0.031), 0.05));
    if (slides)
      scene.joints.emplace_back("j", joint_at<PrismaticDescription>("", "box", place, place, Vec3::UnitX()));
    else
      scene.joints.emplace_back("j", joint_at<RevoluteDescription>("", "box", place, place, Vec3::UnitZ()));
    Simulation simulation(scene);
    test::run(simulation, 1.0);
    EXPECT_EQ(rigid(simulation, "box").centre_of_mass.z(), place.z());
    EXPECT_EQ(simulation.state().joint_position[0], 0.0);
    EXPECT_NEAR(rigid(simulation, "ball").centre_of_mass.z(), 0.0299, 1e-5) << "it fell onto the box";
    for (const HardContact& contact : simulation.state().hard_contacts)
      EXPECT_NEAR(contact.load_n, contact.point.z() > 0.01 ? 0.05 * kGravity : 0.0, 1e-9);
  }
}

TEST(Rigid, ACopiedStateGoesOnToTheSameBits) {
  ModelDescription scene = rigid_scene();
  scene.bodies.emplace_back("table", PlaneDescription{});
  RigidDescription thrown = test::box(Vec3(0.05, 0.04, 0.03), Vec3(0.0, 0.0, 0.05), 0.1);
  thrown.placement.angular_velocity_rad_s = Vec3(3.0, 5.0, 2.0);
  scene.bodies.emplace_back("thrown", thrown);
  Simulation one(scene), other(scene);
  test::run(one, 0.2);
  other.resume(one.state());
  test::run(one, 0.5), test::run(other, 0.5);
  EXPECT_EQ(hash_state(one.state()), hash_state(other.state()));
}

}  // namespace
}  // namespace distal
