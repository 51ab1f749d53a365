// A pressed tip under tangential load, A = 2 mm.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "support/scenes.hpp"

namespace distal::test {
namespace {

ModelDescription rubbing_finger(double static_friction, double dynamic_friction) {
  ModelDescription scene = finger_over_table(reference_finger(0.002), 0.4286);
  scene.contact.static_friction = static_friction;
  scene.contact.dynamic_friction = dynamic_friction;
  scene.materials["rubber"].damping_ratio = 0.5;
  return scene;
}

struct Load {
  double normal_n, tangential_n;
};

// On the table along world axes; the finger moves along x.
Load read_load(const BodyReading& reading) {
  const Vec3 force = reading.feedback.pose.q * reading.feedback.contact.force;
  return {force.z(), -force.x()};
}

void press(Simulation& simulation, double depth_m) {
  MotionDescription motion;
  motion.body = "finger";
  motion.depths_m = {depth_m};
  run_motion(simulation, motion, find_gap_below(simulation), [](const auto&...) {});
}

struct DragResult {
  double peak_ratio = 0.0;
  double lowest_sliding = kNever, highest_sliding = 0.0;  // over the last 1 mm of 6 mm
};

// Drags the rod by 6 mm at constant depth and speed.
DragResult drag(Simulation& simulation) {
  const double speed = 0.01;
  DragResult result;
  BodyCommand command;
  command.mode = CommandMode::twist;
  command.twist.linear.x() = speed;
  for (int period = 0; period < 600; ++period) {
    EXPECT_EQ(simulation.advance(std::span(&command, 1)).status, StepStatus::good);
    const Load load = read_load(simulation.measure()[0]);
    const double ratio = load.tangential_n / load.normal_n;
    result.peak_ratio = std::max(result.peak_ratio, ratio);
    if (period < 500) continue;
    result.lowest_sliding = std::min(result.lowest_sliding, ratio);
    result.highest_sliding = std::max(result.highest_sliding, ratio);
  }
  fmt::print("  peak {:.4f} N, sliding {:.4f} to {:.4f} N\n", result.peak_ratio, result.lowest_sliding,
             result.highest_sliding);
  return result;
}

TEST(Friction, SlipsAtItsLimitWhenBothCoefficientsAgree) {
  Simulation simulation(rubbing_finger(0.5, 0.5));
  press(simulation, 0.0015);
  const DragResult result = drag(simulation);
  EXPECT_NEAR(result.peak_ratio, 0.5, 0.02 * 0.5);
  EXPECT_NEAR(result.lowest_sliding, 0.5, 0.02 * 0.5);
  EXPECT_NEAR(result.highest_sliding, 0.5, 0.02 * 0.5);
}

TEST(Friction, PeakLiesBetweenDynamicAndStaticLimit) {
  Simulation simulation(rubbing_finger(0.9, 0.6));
  press(simulation, 0.0015);
  const DragResult result = drag(simulation);
  EXPECT_GT(result.peak_ratio, 0.6);
  EXPECT_LT(result.peak_ratio, 0.9);
  EXPECT_NEAR(result.lowest_sliding, 0.6, 0.02 * 0.6);
  EXPECT_NEAR(result.highest_sliding, 0.6, 0.02 * 0.6);
}

// Holds normal and tangential force on a rod that does not turn: the rod gives way in proportion to what is missing.
double creep_under_load(double held_s) {
  const double friction = 0.5, compliance_m_s_n = 2.0;
  Simulation simulation(rubbing_finger(friction, friction));
  press(simulation, 0.0015);
  const double normal = read_load(simulation.measure()[0]).normal_n, tangential = 0.9 * friction * normal;
  double settled_x = 0.0, largest = 0.0;
  const int settling = 3000, periods = settling + static_cast<int>(std::lround(1000.0 * held_s));
  for (int period = 0; period < periods; ++period) {
    const BodyReading reading = simulation.measure()[0];
    const Load load = read_load(reading);
    BodyCommand command;
    command.mode = CommandMode::twist;
    command.twist.linear.x() = compliance_m_s_n * (std::min(1.0, period / 500.0) * tangential - load.tangential_n);
    command.twist.linear.z() = compliance_m_s_n * (load.normal_n - normal);
    EXPECT_EQ(simulation.advance(std::span(&command, 1)).status, StepStatus::good);
    const double x = simulation.measure()[0].feedback.pose.position.x();
    if (period == settling) {
      settled_x = x;
      EXPECT_NEAR(load.tangential_n, tangential, 1e-3 * tangential);
    }
    if (period > settling) largest = std::max(largest, std::abs(x - settled_x));
  }
  fmt::print("  moved {:.3g} m in {} s at 0.9 of the limit\n", largest, held_s);
  return largest;
}

TEST(Friction, HeldAtNineTenthsOfTheLimitItDoesNotCreep) { EXPECT_LT(creep_under_load(3.0), 2e-7); }
TEST(LongFriction, HeldAtNineTenthsOfTheLimitItDoesNotCreepInAMinute) { EXPECT_LT(creep_under_load(60.0), 1e-6); }

}  // namespace
}  // namespace distal::test
