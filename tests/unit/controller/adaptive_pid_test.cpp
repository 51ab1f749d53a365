#include "distal/controller/adaptive_pid.hpp"

#include <gtest/gtest.h>

#include <random>

#include "distal/controller/pole_placement.hpp"
#include "distal/core/error.hpp"
#include "support/rigid_plant.hpp"

namespace distal {
namespace {

using test::end_above_plane;
using test::RigidPlant;
using test::RigidPlantOptions;

constexpr double kPidPeriod = 0.001;
constexpr double kDegree = std::numbers::pi / 180.0;

struct PressResult {
  double speed_error_before = 0.0, speed_error_after = 0.0;  // relative, outside 25 ms before and after first contact
  double tilt = 0.0, final_tilt = 0.0;                       // largest at any time, and at the end [degree]
  double depth_m = 0.0, deepest_m = 0.0;                     // travel of E since first contact, at the end and ever
  double final_speed_m_s = 0.0, mass_kg = 0.0;
  ApproachPhase phase = ApproachPhase::approach;
};

// The press of paper 1, Fig. 2: 3 mm of approach, 3 mm of depth, then hold.
PressResult press(const RigidPlantOptions& options, const AdaptivePidDescription& description, double tilt_rad) {
  RigidPlant plant(options, end_above_plane(options, 0.003, tilt_rad));
  AdaptivePid controller(description);
  const Pose first = plant.feedback().pose;
  PressResult result;
  std::vector<std::pair<double, double>> free_speeds;
  double touch_time = -1.0, touch_height = 0.0;
  for (int k = 0; k < 700; ++k) {
    const BodyFeedback f = plant.exchange(controller.update(plant.feedback(), kPidPeriod), kPidPeriod);
    const double error = std::abs(-f.twist.linear.z() / description.speed_m_s - 1.0);
    if (touch_time < 0.0 && plant.height_m() <= 0.0) {
      touch_time = f.time_s;
      touch_height = f.pose.position.z();
    }
    if (touch_time < 0.0 && f.time_s > 0.05) free_speeds.emplace_back(f.time_s, error);
    if (touch_time >= 0.0 && f.time_s > touch_time + 0.025 && controller.phase() == ApproachPhase::press)
      result.speed_error_after = std::max(result.speed_error_after, error);
    const double tilt = vector_from_rotation(f.pose.q * first.q.conjugate()).norm() / kDegree;
    result.tilt = std::max(result.tilt, tilt);
    result.final_tilt = tilt;
    result.depth_m = touch_height - f.pose.position.z();
    if (touch_time >= 0.0) result.deepest_m = std::max(result.deepest_m, result.depth_m);
    result.final_speed_m_s = f.twist.linear.norm();
  }
  for (const auto& [time, error] : free_speeds)
    if (time < touch_time - 0.025) result.speed_error_before = std::max(result.speed_error_before, error);
  result.mass_kg = controller.moving_mass_kg();
  result.phase = controller.phase();
  return result;
}

void expect_held(const PressResult& result) {
  EXPECT_LT(result.speed_error_before, 0.01);
  EXPECT_LT(result.speed_error_after, 0.01);
  EXPECT_LT(result.tilt, 0.03);
  EXPECT_NEAR(result.depth_m, 0.003, 3e-5);
  EXPECT_LT(result.deepest_m, 1.01 * 0.003);
  EXPECT_EQ(result.phase, ApproachPhase::hold);
  EXPECT_LT(result.final_speed_m_s, 1e-6);
}

TEST(PolePlacement, PutsTheSampledPolesWhereAsked) {
  for (const double bandwidth : {1.0, 94.0, 3000.0}) {
    const double integral_time = 0.05, t = kPidPeriod;
    const PidGains g = critically_damped_gains(bandwidth, integral_time, t);
    // Integral (as acceleration), position, velocity of a free mass under a held command.
    Mat3 loop;
    loop << 1.0, -g.ki * t, 0.0, 0.5 * t * t, 1.0 - 0.5 * t * t * g.kp, t - 0.5 * t * t * g.kd, t, -t * g.kp,
        1.0 - t * g.kd;
    const double fast = std::exp(-bandwidth * t), slow = std::exp(-t / integral_time);
    EXPECT_NEAR(loop.trace(), 2.0 * fast + slow, 1e-12);
    EXPECT_NEAR(loop.determinant(), fast * fast * slow, 1e-12);
    EXPECT_NEAR((loop - slow * Mat3::Identity()).determinant(), 0.0, 1e-12);
    EXPECT_NEAR((loop - fast * Mat3::Identity()).determinant(), 0.0, 1e-12);
  }
}

TEST(AdaptivePid, HoldsSpeedAndOrientationThroughContact) { expect_held(press({}, {}, 0.0)); }

TEST(AdaptivePid, HoldsSpeedAndOrientationWhenTilted) { expect_held(press({}, {}, 15.0 * kDegree)); }

TEST(AdaptivePid, HoldsALightlyDampedTip) {
  RigidPlantOptions options;
  options.tip_damping_ratio = 0.02;
  const PressResult result = press(options, {}, 15.0 * kDegree);
  EXPECT_LT(result.speed_error_before, 0.02);  // the tip still swings from the start
  EXPECT_LT(result.speed_error_after, 0.01);
  EXPECT_LT(result.tilt, 0.03);
}

TEST(AdaptivePid, AdaptsAWrongMassWithinTheStart) {
  for (const double factor : {3.0, 1.0 / 3.0}) {
    AdaptivePidDescription description;
    description.moving_mass_kg *= factor;
    const PressResult result = press({}, description, 15.0 * kDegree);
    EXPECT_NEAR(result.mass_kg, 0.020, 0.0004) << factor;
    EXPECT_LT(result.speed_error_before, 0.02) << factor;
    EXPECT_LT(result.speed_error_after, 0.01) << factor;
    EXPECT_LT(result.tilt, 0.1) << factor;

    description.adaptation_rate = 0.0;
    const PressResult kept = press({}, description, 15.0 * kDegree);
    EXPECT_DOUBLE_EQ(kept.mass_kg, description.moving_mass_kg);
    EXPECT_GT(kept.speed_error_before, 3.0 * result.speed_error_before) << factor;
  }
}

TEST(AdaptivePid, WorksWithoutFeedForwardButWorse) {
  AdaptivePidDescription description;
  description.feed_forward = false;
  const PressResult adapted = press({}, description, 15.0 * kDegree);
  EXPECT_EQ(adapted.phase, ApproachPhase::hold);
  EXPECT_NEAR(adapted.depth_m, 0.003, 1e-4);
  EXPECT_LT(adapted.speed_error_before, 0.05);
  EXPECT_LT(adapted.speed_error_after, 0.10);
  EXPECT_LT(adapted.tilt, 0.5);
  EXPECT_LT(adapted.final_tilt, 0.05);         // the integral takes over the contact's torque
  EXPECT_GT(adapted.speed_error_after, 0.02);  // so that the feed-forward above is what keeps it

  description.adaptation_rate = 0.0;  // gains then do not grow with the contact's stiffness
  EXPECT_GT(press({}, description, 15.0 * kDegree).speed_error_after, 1.1 * adapted.speed_error_after);
}

TEST(AdaptivePid, LearnsAWeightItWasNotTold) {
  AdaptivePidDescription description;
  description.gravity_m_s2 = Vec3::Zero();
  const PressResult result = press({}, description, 0.0);
  EXPECT_EQ(result.phase, ApproachPhase::hold);
  EXPECT_NEAR(result.depth_m, 0.003, 1e-4);
  EXPECT_NEAR(result.mass_kg, 0.020, 0.001);
}

TEST(AdaptivePid, StaysBoundedOnAStiffContact) {
  for (const double stiffness : {2e4, 2e5, 2e6}) {
    RigidPlantOptions options;
    options.contact_n_m15 = stiffness;
    options.shear_n_m = stiffness / 15.0;
    options.tip_frequency_hz = 400.0;
    options.step_s = 1e-5;
    const PressResult result = press(options, {}, 15.0 * kDegree);
    EXPECT_LT(result.tilt, 1.5) << stiffness;
    EXPECT_LT(result.deepest_m, 0.0031) << stiffness;
  }
}

TEST(AdaptivePid, TurnsTheRodWithoutMovingItsEnd) {
  AdaptivePidDescription d;
  d.adaptation_rate = 0.0;
  d.gravity_m_s2 = Vec3::Zero();
  AdaptivePid controller(d);
  BodyFeedback f;
  controller.update(f, kPidPeriod);
  f.pose.q = rotation_from_vector(Vec3(0.01, -0.02, 0.03));
  f.pose.position = controller.save().reference.travel_m * d.direction;
  f.twist.linear = controller.reference_speed_m_s() * d.direction;
  const Wrench w = controller.update(f, kPidPeriod).wrench;
  // Newton and Euler about the centre tell how E accelerates under that wrench.
  const Vec3 moments = d.moving_mass_kg * d.gyration_radii_m.cwiseAbs2();
  const Vec3 turn = (w.torque - d.centre_of_mass_m.cross(w.force)).cwiseQuotient(moments);
  const Vec3 end = f.pose.q * (w.force / d.moving_mass_kg - turn.cross(d.centre_of_mass_m));
  EXPECT_NEAR(end.x(), 0.0, 1e-9);
  EXPECT_NEAR(end.y(), 0.0, 1e-9);
  const PidGains gains = critically_damped_gains(2.0 * std::numbers::pi * d.angular_bandwidth_hz, 0.05, kPidPeriod);
  EXPECT_NEAR((f.pose.q * turn + gains.kp * Vec3(0.01, -0.02, 0.03)).norm(), 0.0, 1e-9);
}

TEST(AdaptivePid, StartsAtSpeedWhenTheFingerAlreadyMoves) {
  const RigidPlantOptions options;
  RigidPlant plant(options, end_above_plane(options, 0.05, 0.0), Vec3(0.0, 0.0, -0.02));
  AdaptivePid controller{AdaptivePidDescription{}};
  for (int k = 0; k < 100; ++k) {
    const BodyFeedback f = plant.exchange(controller.update(plant.feedback(), kPidPeriod), kPidPeriod);
    EXPECT_NEAR(f.twist.linear.z(), -0.02, 0.002) << f.time_s;  // the tip takes up its weight meanwhile
    EXPECT_NEAR(controller.reference_speed_m_s(), 0.02, 1e-12);
  }
}

// A wall that cannot be pressed in with the force allowed; then it is gone.
double overshoot_after_stall(double stalled_s) {
  RigidPlantOptions options;
  options.contact_n_m15 = 2e6;
  options.tip_frequency_hz = 400.0;
  options.gravity_m_s2 = Vec3::Zero();
  RigidPlant plant(options, end_above_plane(options, 0.001, 0.0));
  AdaptivePidDescription description;
  description.gravity_m_s2 = Vec3::Zero();
  description.force_limit_n = 0.2;
  AdaptivePid controller(description);
  bool was_saturated = false;
  for (int k = 0; k < static_cast<int>(stalled_s / kPidPeriod); ++k) {
    const BodyCommand command = controller.update(plant.feedback(), kPidPeriod);
    EXPECT_LE(command.wrench.force.norm(), 0.2 * (1.0 + 1e-12));
    was_saturated = was_saturated || controller.saturated();
    plant.exchange(command, kPidPeriod);
  }
  EXPECT_TRUE(was_saturated);
  plant.options().contact_n_m15 = 0.0;
  plant.options().shear_n_m = 0.0;
  double lowest = 1.0;
  for (int k = 0; k < 1000; ++k) {
    plant.exchange(controller.update(plant.feedback(), kPidPeriod), kPidPeriod);
    lowest = std::min(lowest, plant.height_m());
  }
  EXPECT_NEAR(plant.height_m(), -0.003, 3e-5);
  return -0.003 - lowest;
}

TEST(AdaptivePid, DoesNotWindUpAgainstItsLimit) {
  const double brief = overshoot_after_stall(0.5), lasting = overshoot_after_stall(5.0);
  EXPECT_LT(brief, 0.001);
  EXPECT_NEAR(brief, lasting, 2e-5);
}

TEST(AdaptivePid, ContinuesFromSavedMemoryWithEqualBits) {
  const RigidPlantOptions options;
  RigidPlant plant(options, end_above_plane(options, 0.003, 0.2));
  AdaptivePid controller{AdaptivePidDescription{}};
  for (int k = 0; k < 200; ++k) plant.exchange(controller.update(plant.feedback(), kPidPeriod), kPidPeriod);
  RigidPlant other_plant = plant;
  AdaptivePid other{AdaptivePidDescription{}};
  other.restore(controller.save());
  for (int k = 0; k < 200; ++k) {
    const BodyCommand a = controller.update(plant.feedback(), kPidPeriod);
    const BodyCommand b = other.update(other_plant.feedback(), kPidPeriod);
    ASSERT_EQ(a.wrench.force, b.wrench.force);
    ASSERT_EQ(a.wrench.torque, b.wrench.torque);
    plant.exchange(a, kPidPeriod);
    other_plant.exchange(b, kPidPeriod);
  }
  EXPECT_EQ(controller.phase(), ApproachPhase::hold);
}

TEST(AdaptivePid, HoldsTheLastCommandOnBadFeedback) {
  const RigidPlantOptions options;
  RigidPlant plant(options, end_above_plane(options, 0.003, 0.0));
  AdaptivePid controller{AdaptivePidDescription{}};
  BodyCommand good;
  for (int k = 0; k < 50; ++k) plant.exchange(good = controller.update(plant.feedback(), kPidPeriod), kPidPeriod);
  BodyFeedback bad = plant.feedback();
  bad.twist.linear.x() = std::numeric_limits<double>::quiet_NaN();
  const BodyCommand held = controller.update(bad, kPidPeriod);
  EXPECT_EQ(held.wrench.force, good.wrench.force);
  EXPECT_FALSE(controller.feedback_good());
  EXPECT_EQ(controller.save().refused_feedbacks, 1u);
  controller.update(plant.feedback(), kPidPeriod);
  EXPECT_TRUE(controller.feedback_good());
}

TEST(AdaptivePid, NeverCommandsWhatIsNotFinite) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> sign(-1.0, 1.0), exponent(-300.0, 308.0);
  const auto wild = [&] { return Vec3::NullaryExpr([&] { return sign(random) * std::pow(10.0, exponent(random)); }); };
  AdaptivePidDescription description;
  AdaptivePid controller(description);
  for (int k = 0; k < 20000; ++k) {
    BodyFeedback f;
    f.pose.q = rotation_from_vector(Vec3(sign(random), sign(random), sign(random)) * 6.0);
    if (k % 3 == 0) f.pose.position = wild();
    if (k % 5 == 0) f.twist = {wild(), wild()};
    if (k % 7 == 0) f.tip = f.contact = {wild(), wild()};
    const Wrench w = controller.update(f, kPidPeriod).wrench;
    ASSERT_TRUE(w.force.allFinite() && w.torque.allFinite()) << k;
    ASSERT_LE(w.force.norm(), description.force_limit_n * (1.0 + 1e-12));
    ASSERT_LE(w.torque.norm(), description.torque_limit_n_m * (1.0 + 1e-12));
  }
}

TEST(ApproachReference, StopsExactlyAtTheDepthAlsoAtAwkwardOnes) {
  for (const double depth : {0.0, 1e-5, 3e-4, 0.003}) {
    const ApproachPlan plan{0.02, depth};
    ApproachReference reference = make_approach_reference(0.0);
    double furthest = 0.0;
    for (int k = 0; k < 1000; ++k) {
      if (k == 20) mark_contact(plan, reference.travel_m, reference);  // still starting
      advance_reference(plan, kPidPeriod, reference);
      furthest = std::max(furthest, reference.travel_m);
    }
    EXPECT_EQ(reference.phase, ApproachPhase::hold);
    EXPECT_EQ(reference.travel_m, reference.end_travel_m);
    EXPECT_LT(furthest - reference.end_travel_m, 1e-4) << depth;
  }
}

TEST(AdaptivePid, RefusesBadParametersByName) {
  AdaptivePidDescription d;
  d.speed_m_s = 0.0;
  EXPECT_THROW(AdaptivePid{d}, InputError);
  d = {};
  d.direction = Vec3::Zero();
  EXPECT_THROW(AdaptivePid{d}, InputError);
  d = {};
  d.bandwidth_hz = std::numeric_limits<double>::quiet_NaN();
  try {
    AdaptivePid{d};
    FAIL();
  } catch (const InputError& error) { EXPECT_NE(std::string(error.what()).find("bandwidth_hz"), std::string::npos); }
}

}  // namespace
}  // namespace distal
