// What a controller tells the motors of joints, against closed forms and against their own paths.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "distal/core/error.hpp"
#include "support/rigid_scenes.hpp"

namespace distal {
namespace {

using test::box;
using test::rigid_scene;
using ::testing::HasSubstr;

constexpr double kMass_kg = 2.0;

// A box on a slide along x, and a second one that does the same.
ModelDescription slide(const JointDrive& drive) {
  ModelDescription scene = rigid_scene();
  scene.gravity_m_s2.setZero();
  scene.bodies.emplace_back("sledge", box(Vec3(0.1, 0.1, 0.1), Vec3::Zero(), kMass_kg));
  auto joint = test::joint_at<PrismaticDescription>("", "sledge", Vec3::Zero(), Vec3::Zero(), Vec3::UnitX());
  joint.drive = drive;
  scene.joints.emplace_back("rail", joint);
  return scene;
}

JointDrive servo(double most_n = std::numeric_limits<double>::infinity()) {
  JointDrive drive;
  drive.motor_stiffness = 2000.0, drive.motor_damping = 100.0, drive.most_effort = most_n;
  return drive;
}

JointFeedback run_with(Simulation& simulation, const JointCommand& command, int periods) {
  const std::vector<BodyCommand> none(simulation.body_count());
  for (int n = 0; n < periods; ++n)
    EXPECT_EQ(simulation.advance(none, {&command, 1}).status, StepStatus::good) << "period " << n;
  return simulation.measure_joints()[0];
}

TEST(JointCommand, a_torque_accelerates_by_newtons_law_and_replaces_the_motor) {
  Simulation simulation(slide(servo()));
  const JointFeedback joint = run_with(simulation, {JointMode::torque, 3.0, 0.0}, 500);
  EXPECT_NEAR(joint.velocity, 3.0 / kMass_kg * 0.5, 1e-12);
  EXPECT_NEAR(joint.position, 0.5 * 3.0 / kMass_kg * 0.25, 1e-3) << "semi-implicit: h v / 2 too far";
  EXPECT_EQ(joint.effort, 3.0);
  EXPECT_FALSE(joint.limited);
  EXPECT_NEAR(simulation.state().energy.control_work, 0.5 * kMass_kg * joint.velocity * joint.velocity, 1e-12);
}

TEST(JointCommand, a_torque_is_at_most_what_the_motor_can_give) {
  Simulation simulation(slide(servo(1.0)));
  const JointFeedback joint = run_with(simulation, {JointMode::torque, -3.0, 0.0}, 100);
  EXPECT_NEAR(joint.velocity, -1.0 / kMass_kg * 0.1, 1e-12);
  EXPECT_EQ(joint.effort, -1.0);
  EXPECT_TRUE(joint.limited);
}

TEST(JointCommand, a_joint_without_a_motor_takes_a_torque) {
  Simulation simulation(slide({}));
  EXPECT_NEAR(run_with(simulation, {JointMode::torque, 1.0, 0.0}, 10).velocity, 0.005, 1e-14);
}

TEST(JointCommand, a_position_is_held_against_a_load_by_the_motors_stiffness) {
  ModelDescription scene = slide(servo());
  scene.gravity_m_s2 = Vec3(-10.0, 0.0, 0.0);
  Simulation simulation(scene);
  const JointFeedback joint = run_with(simulation, {JointMode::position, 0.3, 0.0}, 2000);
  EXPECT_NEAR(joint.position, 0.3 - kMass_kg * 10.0 / 2000.0, 1e-6);
  EXPECT_NEAR(joint.effort, kMass_kg * 10.0, 1e-3);
}

TEST(JointCommand, a_position_is_sought_with_no_more_than_the_motor_can_give) {
  Simulation simulation(slide(servo(1.0)));
  const JointFeedback joint = run_with(simulation, {JointMode::position, 1.0, 0.0}, 100);
  EXPECT_NEAR(joint.velocity, 1.0 / kMass_kg * 0.1, 1e-9);
  EXPECT_NEAR(joint.effort, 1.0, 1e-12);
  EXPECT_TRUE(joint.limited);
}

// Also where several steps make a period.
TEST(JointCommand, positions_along_a_path_are_that_path) {
  for (const double step_s : {1e-3, 0.25e-3}) {
    JointDrive with_path = servo();
    with_path.times_s = {0.0, 0.4}, with_path.targets = {0.0, 0.2};
    ModelDescription own_scene = slide(with_path), scene = slide(servo());
    own_scene.integrator.time_step_s = scene.integrator.time_step_s = step_s;
    Simulation own(own_scene), commanded(scene);
    const std::vector<BodyCommand> none(1);
    for (int n = 1; n <= 399; ++n) {
      const JointCommand command{JointMode::position, 0.5 * n * 1e-3, 0.5};
      own.advance(none);
      commanded.advance(none, {&command, 1});
    }
    EXPECT_NEAR(own.measure_joints()[0].position, commanded.measure_joints()[0].position, 1e-12);
    EXPECT_NEAR(own.measure_joints()[0].velocity, 0.5, 0.01);
  }
}

TEST(JointCommand, without_one_a_joint_goes_back_to_its_own_motor) {
  Simulation simulation(slide(servo()));
  run_with(simulation, {JointMode::position, 0.3, 0.0}, 1000);
  EXPECT_NEAR(run_with(simulation, {}, 1000).position, 0.0, 1e-3);
  run_with(simulation, {JointMode::position, 0.3, 0.0}, 1000);
  test::run(simulation, 1.0);
  EXPECT_NEAR(simulation.measure_joints()[0].position, 0.0, 1e-3);
}

std::string refusal(Simulation& simulation, const std::vector<JointCommand>& commands) {
  const std::uint64_t before = hash_state(simulation.state());
  try {
    simulation.advance(std::vector<BodyCommand>(simulation.body_count()), commands);
    return "";
  } catch (const InputError& error) {
    EXPECT_EQ(hash_state(simulation.state()), before) << "nothing moved";
    return error.what();
  }
}

TEST(JointCommand, what_cannot_be_followed_is_refused) {
  ModelDescription scene = slide(servo());
  scene.bodies.emplace_back("second", box(Vec3(0.1, 0.1, 0.1), Vec3(0.0, 1.0, 0.0), 1.0));
  auto follower =
      test::joint_at<PrismaticDescription>("", "second", Vec3(0.0, 1.0, 0.0), Vec3(0.0, 1.0, 0.0), Vec3::UnitX());
  follower.drive.mimic = "rail";
  scene.joints.emplace_back("shadow", follower);
  scene.bodies.emplace_back("limp", box(Vec3(0.1, 0.1, 0.1), Vec3(0.0, 2.0, 0.0), 1.0));
  scene.joints.emplace_back("loose", test::joint_at<PrismaticDescription>("", "limp", Vec3(0.0, 2.0, 0.0),
                                                                          Vec3(0.0, 2.0, 0.0), Vec3::UnitX()));
  Simulation simulation(scene);
  const auto with = [&](const char* joint, const JointCommand& command) {
    std::vector<JointCommand> commands(simulation.joint_count());
    commands[simulation.joint_index(joint)] = command;
    return refusal(simulation, commands);
  };
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(with("shadow", {JointMode::torque, 1.0, 0.0}), "joint 'shadow' follows 'rail' and takes no command");
  EXPECT_EQ(with("shadow", {JointMode::position, 0.1, 0.0}), "joint 'shadow' follows 'rail' and takes no command");
  EXPECT_THAT(with("rail", {JointMode::torque, kNone, 0.0}), HasSubstr("'rail': a command with a number that is none"));
  EXPECT_THAT(with("rail", {JointMode::position, std::numeric_limits<double>::infinity(), 0.0}),
              HasSubstr("a number that is none"));
  EXPECT_THAT(with("rail", {JointMode::position, 0.1, kNone}), HasSubstr("a number that is none"));
  EXPECT_THAT(with("loose", {JointMode::position, 0.1, 0.0}), HasSubstr("'loose' has no motor"));
  EXPECT_EQ(with("loose", {JointMode::torque, 0.1, 0.0}), "");
  EXPECT_EQ(with("rail", {JointMode::own, kNone, kNone}), "") << "not read";
  try {
    simulation.joint_index("rial");
    FAIL() << "an unknown joint";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "joint 'rial' does not move or does not exist; did you mean \"rail\"?");
  }
}

}  // namespace
}  // namespace distal
