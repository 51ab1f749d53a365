#include "distal/controller/squeeze.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "distal/core/error.hpp"
#include "support/rigid_plant.hpp"

namespace distal {
namespace {

using test::end_above_plane;
using test::RigidPlant;
using test::RigidPlantOptions;

constexpr double kSqueezePeriod = 0.001;

// Down onto the plane, with its own weight told.
SqueezeDescription press_down() {
  SqueezeDescription d;
  d.direction = Vec3(0.0, 0.0, -1.0);
  d.lift_direction = Vec3(1.0, 0.0, 0.0);
  d.force_n = 0.3;
  d.ramp_s = 0.1;
  d.lift_start_s = 100.0;
  d.damping_n_s_m = 3.0;
  d.centre_of_mass_m = RigidPlantOptions{}.centre_m;
  d.gyration_radii_m = RigidPlantOptions{}.gyration_m;
  return d;
}

void drive(Squeeze& controller, RigidPlant& plant, double seconds) {
  for (int k = 0; k < static_cast<int>(std::lround(seconds / kSqueezePeriod)); ++k)
    plant.exchange(controller.update(plant.feedback(), kSqueezePeriod), kSqueezePeriod);
}

TEST(Squeeze, ApproachesAtSpeedAndThenPushesWithTheForce) {
  const RigidPlantOptions options;
  RigidPlant plant(options, end_above_plane(options, 0.003, 0.0));
  Squeeze controller(press_down());
  drive(controller, plant, 0.12);
  EXPECT_FALSE(controller.touched());
  EXPECT_NEAR(plant.feedback().twist.linear.z(), -press_down().approach_speed_m_s, 1e-3);
  drive(controller, plant, 1.5);
  EXPECT_TRUE(controller.touched());
  // The tip's weight is not the rod's: the plane carries it beside the force.
  const double tip_weight = options.tip_mass_kg * 9.81;
  EXPECT_NEAR((plant.feedback().pose.q * plant.feedback().contact.force).z(), 0.3 + tip_weight, 1e-4);
  EXPECT_LT(plant.feedback().twist.linear.norm(), 1e-5);
}

// How far E moves along the push when the ground turns stiffer under it, from the lift on.
double way_on_stiffer_ground(bool holds_place) {
  const RigidPlantOptions options;
  RigidPlant plant(options, end_above_plane(options, 0.003, 0.0));
  SqueezeDescription d = press_down();
  d.holds_place = holds_place;
  d.lift_start_s = 0.8;
  d.lift_m = 0.0;
  Squeeze controller(d);
  drive(controller, plant, 1.2);
  const double before = plant.feedback().pose.position.z();
  plant.options().contact_n_m15 *= 2.0;
  drive(controller, plant, 1.0);
  return plant.feedback().pose.position.z() - before;
}

TEST(Squeeze, KeepsItsPlaceFromTheLiftOn) {
  EXPECT_NEAR(way_on_stiffer_ground(true), 0.0, 2e-6);
  EXPECT_GT(way_on_stiffer_ground(false), 1e-3);
}

TEST(Squeeze, LiftsByTheWayAndHolds) {
  RigidPlantOptions options;
  const Pose first = end_above_plane(options, 0.1, 0.0);
  RigidPlant plant(options, first);
  SqueezeDescription d = press_down();
  d.direction = Vec3(1.0, 0.0, 0.0);
  d.lift_direction = Vec3(1.0, 0.0, 1.0);  // its part along the direction does not count
  d.approach_speed_m_s = 0.01;
  d.lift_start_s = 0.2;
  d.lift_time_s = 0.3;
  d.lift_m = 0.01;
  Squeeze controller(d);
  drive(controller, plant, 0.35);
  EXPECT_NEAR(plant.feedback().pose.position.z() - first.position.z(), 0.005, 5e-4);
  drive(controller, plant, 1.0);
  EXPECT_NEAR(plant.feedback().pose.position.z() - first.position.z(), 0.010, 1e-6);
  EXPECT_NEAR(plant.feedback().twist.linear.x(), 0.01, 1e-5);
  EXPECT_LT(vector_from_rotation(plant.feedback().pose.q * first.q.conjugate()).norm(), 1e-4);
}

TEST(Squeeze, KeepsItsLastCommandWhenFeedbackIsBad) {
  const RigidPlantOptions options;
  RigidPlant plant(options, end_above_plane(options, 0.003, 0.0));
  Squeeze controller(press_down());
  drive(controller, plant, 0.1);
  const SqueezeMemory before = controller.save();
  BodyFeedback bad = plant.feedback();
  bad.pose.position.x() = NAN;
  EXPECT_EQ(controller.update(bad, kSqueezePeriod).wrench.force, before.command.wrench.force);
  EXPECT_EQ(controller.save().refused_feedbacks, 1u);
}

TEST(Squeeze, ContinuesFromSavedMemoryWithEqualBits) {
  const RigidPlantOptions options;
  RigidPlant plant(options, end_above_plane(options, 0.003, 0.0));
  Squeeze controller(press_down()), other(press_down());
  drive(controller, plant, 0.3);
  other.restore(controller.save());
  for (int k = 0; k < 50; ++k) {
    const Vec3 force = controller.update(plant.feedback(), kSqueezePeriod).wrench.force;
    const BodyCommand command = other.update(plant.feedback(), kSqueezePeriod);
    ASSERT_EQ(std::memcmp(force.data(), command.wrench.force.data(), sizeof(double) * 3), 0);
    plant.exchange(command, kSqueezePeriod);
  }
}

TEST(Squeeze, RefusesBadParametersByName) {
  SqueezeDescription d = press_down();
  d.lift_direction = Vec3(0.0, 0.0, 2.0);
  EXPECT_THROW(Squeeze{d}, InputError);
  d = press_down();
  d.ramp_s = 0.0;
  try {
    Squeeze{d};
    FAIL() << "accepted";
  } catch (const InputError& problem) { EXPECT_NE(std::string(problem.what()).find("ramp_s = 0"), std::string::npos); }
}

}  // namespace
}  // namespace distal
