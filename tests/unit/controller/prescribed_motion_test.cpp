#include "distal/controller/prescribed_motion.hpp"

#include <gtest/gtest.h>

#include "distal/core/error.hpp"
#include "support/rigid_plant.hpp"

namespace distal {
namespace {

using test::end_above_plane;
using test::RigidPlant;
using test::RigidPlantOptions;

constexpr double kPeriod = 0.001;
constexpr double kGap = 0.002;

RigidPlantOptions weightless() {
  RigidPlantOptions options;
  options.gravity_m_s2 = Vec3::Zero();
  return options;
}

MotionDescription motion() {
  MotionDescription d;
  d.depths_m = {0.0005, 0.001, 0.0015};
  d.twist_rad = {0.05, -0.1};
  d.shift_m = {0.0002, 0.0004};
  return d;
}

double tip_stiffness(const RigidPlantOptions& o) {
  const double w = 2.0 * std::numbers::pi * o.tip_frequency_hz;
  return o.tip_mass_kg * w * w;
}

// The contact and the tip's spring in series share the depth.
double press_force(const RigidPlantOptions& o, double depth) {
  double low = 0.0, high = depth;
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (o.contact_n_m15 * std::pow(middle, 1.5) > tip_stiffness(o) * (depth - middle) ? high : low) = middle;
  }
  return o.contact_n_m15 * std::pow(low, 1.5);
}

struct Recorded {
  CurveRow row;
  Pose pose;
  bool settled;
};

std::vector<Recorded> drive(PrescribedMotion& controller, RigidPlant& plant, int most_periods = 20000) {
  std::vector<Recorded> rows;
  for (int k = 0; k < most_periods && !controller.finished(); ++k) {
    const BodyCommand command = controller.update(plant.feedback(), kPeriod);
    EXPECT_EQ(command.mode, CommandMode::twist);
    if (const auto row = controller.take_row())
      rows.push_back({*row, plant.feedback().pose, controller.last_settled()});
    EXPECT_FALSE(controller.settled());
    plant.exchange(command, kPeriod);
  }
  return rows;
}

TEST(PrescribedMotion, VisitsEveryStateAndRecordsItSettled) {
  const RigidPlantOptions options = weightless();
  const Pose first = end_above_plane(options, kGap, 0.0);
  RigidPlant plant(options, first);
  PrescribedMotion controller(motion(), kGap);
  const std::vector<Recorded> rows = drive(controller, plant);
  ASSERT_TRUE(controller.finished());
  ASSERT_EQ(rows.size(), 7u);
  EXPECT_EQ(controller.message(), "");

  const double depths[] = {0.0005, 0.001, 0.0015, 0.0015, 0.0015, 0.0015, 0.0015};
  const double twists[] = {0.0, 0.0, 0.0, 0.05, -0.1, 0.0, 0.0};
  const double shifts[] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0002, 0.0004};
  const char* phases[] = {"press", "press", "press", "twist", "twist", "shift", "shift"};
  const double shear = options.shear_n_m * tip_stiffness(options) / (options.shear_n_m + tip_stiffness(options));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    SCOPED_TRACE(i);
    const auto& [row, pose, settled] = rows[i];
    EXPECT_TRUE(settled);
    EXPECT_EQ(row.phase, phases[i]);
    EXPECT_EQ(row.depth_m, depths[i]);
    EXPECT_EQ(row.twist_rad, twists[i]);
    EXPECT_EQ(row.shift_m, shifts[i]);
    // Where E really is.
    EXPECT_NEAR((pose.position - first.position - Vec3(shifts[i], 0.0, -kGap - depths[i])).norm(), 0.0, 1e-12);
    EXPECT_NEAR((vector_from_rotation(first.q.conjugate() * pose.q) - Vec3(0.0, 0.0, twists[i])).norm(), 0.0, 1e-12);
    // What the plant answers there, in closed form.
    const double force = press_force(options, depths[i]);
    EXPECT_NEAR(row.force_n, force, 2e-4 * force);
    EXPECT_NEAR(row.torque_n_m, options.spin_n_m_rad * twists[i], 1e-4 * options.spin_n_m_rad);
    EXPECT_NEAR(row.tangential_force_n, shear * shifts[i], 2e-4 * force);
  }
}

TEST(PrescribedMotion, MovesAtTheAskedSpeedAndNeverFaster) {
  const RigidPlantOptions options = weightless();
  RigidPlant plant(options, end_above_plane(options, 0.01, 0.0));
  MotionDescription d = motion();
  PrescribedMotion controller(d, 0.01);
  double fastest = 0.0, fastest_turn = 0.0, previous = 0.0, largest_jump = 0.0;
  for (int k = 0; k < 20000 && !controller.finished(); ++k) {
    const BodyCommand command = controller.update(plant.feedback(), kPeriod);
    const double speed = command.twist.linear.norm();
    largest_jump = std::max(largest_jump, std::abs(speed - previous));
    previous = speed;
    fastest = std::max(fastest, speed);
    fastest_turn = std::max(fastest_turn, command.twist.angular.norm());
    EXPECT_LT(std::min(speed, command.twist.angular.norm()), 1e-9);  // one thing at a time
    plant.exchange(command, kPeriod);
  }
  EXPECT_NEAR(fastest, d.speed_m_s, 1e-9);
  EXPECT_NEAR(fastest_turn, d.angular_speed_rad_s, 1e-9);
  EXPECT_LT(largest_jump, 0.08 * d.speed_m_s);  // 20 ms from rest to speed
}

TEST(PrescribedMotion, TellsWhenAStateDoesNotSettle) {
  RigidPlantOptions options = weightless();
  options.tip_damping_ratio = 0.0;
  options.contact_damping_s = 0.0;
  RigidPlant plant(options, end_above_plane(options, kGap, 0.0));
  MotionDescription d;
  d.depths_m = {0.001};
  d.settle_limit_s = 0.2;
  PrescribedMotion controller(d, kGap);
  const std::vector<Recorded> rows = drive(controller, plant);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_FALSE(rows[0].settled);
  EXPECT_NE(controller.message().find("press at depth 0.001 m"), std::string::npos) << controller.message();
  EXPECT_LE(plant.feedback().time_s, controller.longest_duration_s() + 2.0 * kPeriod);
}

TEST(PrescribedMotion, WaitsAtLeastOneWindow) {
  const RigidPlantOptions options = weightless();
  RigidPlant plant(options, end_above_plane(options, 0.1, 0.0));  // touches nothing: at rest at once
  MotionDescription d;
  d.depths_m = {0.001, 0.002};
  d.settle_window_s = 0.05;
  PrescribedMotion controller(d, 0.0);
  const std::vector<Recorded> rows = drive(controller, plant);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].row.force_n, 0.0);
  EXPECT_NEAR(plant.feedback().time_s, 2.0 * (0.001 / 0.02 + 0.02 + 0.05 + kPeriod), 2.5 * kPeriod);
}

TEST(PrescribedMotion, ProgressRisesToOne) {
  const RigidPlantOptions options = weightless();
  RigidPlant plant(options, end_above_plane(options, kGap, 0.0));
  PrescribedMotion controller(motion(), kGap);
  double before = controller.progress();
  EXPECT_EQ(before, 0.0);
  while (!controller.finished()) {
    plant.exchange(controller.update(plant.feedback(), kPeriod), kPeriod);
    ASSERT_GE(controller.progress(), before);
    before = controller.progress();
  }
  EXPECT_EQ(before, 1.0);
  EXPECT_LT(controller.expected_duration_s(), controller.longest_duration_s());
  EXPECT_LT(std::abs(plant.feedback().time_s / controller.expected_duration_s() - 1.0), 0.5);
}

TEST(PrescribedMotion, ContinuesFromSavedMemoryWithEqualBits) {
  const RigidPlantOptions options = weightless();
  RigidPlant plant(options, end_above_plane(options, kGap, 0.0));
  PrescribedMotion controller(motion(), kGap);
  for (int k = 0; k < 400; ++k) plant.exchange(controller.update(plant.feedback(), kPeriod), kPeriod);
  RigidPlant other_plant = plant;
  PrescribedMotion other(motion(), kGap);
  other.restore(controller.save());
  controller.take_row();
  other.take_row();
  const auto a = drive(controller, plant), b = drive(other, other_plant);
  ASSERT_EQ(a.size(), b.size());
  ASSERT_GT(a.size(), 2u);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].row.force_n, b[i].row.force_n);
}

TEST(PrescribedMotion, RestsOnFeedbackThatIsNotFinite) {
  const RigidPlantOptions options = weightless();
  RigidPlant plant(options, end_above_plane(options, kGap, 0.0));
  PrescribedMotion controller(motion(), kGap);
  for (int k = 0; k < 50; ++k) plant.exchange(controller.update(plant.feedback(), kPeriod), kPeriod);
  BodyFeedback bad = plant.feedback();
  bad.pose.position.x() = std::numeric_limits<double>::infinity();
  EXPECT_EQ(controller.update(bad, kPeriod).twist.linear, Vec3(Vec3::Zero()));
}

// A body on a guide along x that meets a damped spring after a gap.
struct GuidedPlant {
  double x_m = 0.0, v_m_s = 0.0;
  static constexpr double stiffness_n_m = 500.0, damping_n_s_m = 8.0, mass_kg = 0.02, gap_m = 0.003;
  const Quat q = rotation_from_vector(Vec3(0.1, 0.2, 0.3));

  double contact_n() const { return x_m > gap_m ? stiffness_n_m * (x_m - gap_m) : 0.0; }
  BodyFeedback feedback() const {
    BodyFeedback f;
    f.pose = {Vec3(x_m, 0.0, 0.0), q};
    f.twist.linear.x() = v_m_s;
    f.contact = rotated(q.conjugate(), {Vec3(-contact_n(), 0.0, 0.0), Vec3::Zero()});
    return f;
  }
  void exchange(const BodyCommand& command, double period_s) {
    EXPECT_EQ(command.mode, CommandMode::wrench);
    const Vec3 force = q * command.wrench.force;
    EXPECT_NEAR(force.y(), 0.0, 1e-12);
    for (int i = 0; i < 10; ++i) {
      v_m_s += 0.1 * period_s * (force.x() - contact_n() - damping_n_s_m * v_m_s) / mass_kg;
      x_m += 0.1 * period_s * v_m_s;
    }
  }
};

TEST(PrescribedMotion, PushesWithEachForceUntilTheBodyRests) {
  MotionDescription d;
  d.direction = Vec3(2.0, 0.0, 0.0);
  d.forces_n = {0.5, 2.0, 1.0};
  GuidedPlant plant;
  PrescribedMotion controller(d, GuidedPlant::gap_m);
  std::vector<CurveRow> rows;
  for (int k = 0; k < 20000 && !controller.finished(); ++k) {
    const BodyCommand command = controller.update(plant.feedback(), kPeriod);
    if (const auto row = controller.take_row()) rows.push_back(*row);
    EXPECT_TRUE(controller.last_settled()) << controller.message();
    plant.exchange(command, kPeriod);
  }
  ASSERT_EQ(rows.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(rows[i].phase, "load");
    // At rest to 1e-4 over a window of 10 ms; the spring and its damper come to rest by e in 16 ms.
    EXPECT_NEAR(rows[i].force_n, d.forces_n[i], 3e-4 * d.forces_n[i]);
    EXPECT_NEAR(rows[i].depth_m, rows[i].force_n / GuidedPlant::stiffness_n_m, 1e-12);
  }
  // The last force stays, also when there is nothing to see.
  BodyFeedback bad = plant.feedback();
  bad.pose.position.x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NEAR(controller.update(bad, kPeriod).wrench.force.norm(), 1.0, 1e-12);
}

TEST(PrescribedMotion, SaysWhichLoadDidNotSettle) {
  MotionDescription d;
  d.direction = Vec3(1.0, 0.0, 0.0);
  d.forces_n = {0.5};
  d.settle_limit_s = 0.01;
  GuidedPlant plant;
  PrescribedMotion controller(d, GuidedPlant::gap_m);
  for (int k = 0; k < 20000 && !controller.finished(); ++k)
    plant.exchange(controller.update(plant.feedback(), kPeriod), kPeriod);
  EXPECT_FALSE(controller.last_settled());
  EXPECT_NE(controller.message().find("the load of 0.5 N"), std::string::npos) << controller.message();
}

TEST(PrescribedMotion, RefusesBadParameters) {
  MotionDescription d = motion();
  d.depths_m = {0.001, 0.001};
  EXPECT_THROW(PrescribedMotion(d, 0.0), InputError);
  d.depths_m = {};
  EXPECT_THROW(PrescribedMotion(d, 0.0), InputError);
  d = motion();
  d.shift_direction = Vec3(0.0, 0.0, 1.0);
  EXPECT_THROW(PrescribedMotion(d, 0.0), InputError);
  EXPECT_THROW(PrescribedMotion(motion(), std::numeric_limits<double>::infinity()), InputError);
  d = motion();
  d.forces_n = {1.0};
  EXPECT_THROW(PrescribedMotion(d, 0.0), InputError);  // depths too
  d.depths_m.clear();
  EXPECT_THROW(PrescribedMotion(d, 0.0), InputError);  // twists and shifts too
  d.twist_rad.clear();
  d.shift_m.clear();
  EXPECT_NO_THROW(PrescribedMotion(d, 0.0));
  d.forces_n = {1.0, 0.0};
  EXPECT_THROW(PrescribedMotion(d, 0.0), InputError);
}

}  // namespace
}  // namespace distal
