#include "distal/view/hand.hpp"

#include <gtest/gtest.h>

#include "unit/view/touch_scene.hpp"

namespace distal {
namespace {

struct HeldFinger {
  explicit HeldFinger(Mount mount, double height_m = 0.05) : simulation(test::touchable_finger(mount, height_m)) {
    hand.emplace(simulation.model(), rigid(), state(), grip());
  }
  std::size_t rigid() const { return simulation.rigid_index(0); }
  const RigidState& state() const { return simulation.state().rigid[rigid()]; }
  Pose pose() const { return body_pose(simulation.model().rigid[rigid()], state()); }
  Vec3 grip() const { return pose().to_world(grip_m); }
  void advance(int periods) {
    for (int k = 0; k < periods; ++k) {
      command = hand->update(state(), simulation.measure()[0].feedback, simulation.model().control_period_s);
      const StepReport report = simulation.advance({&command, 1});
      ASSERT_EQ(report.status, StepStatus::good) << report.message;
      fastest_m_s = std::max(fastest_m_s, simulation.measure()[0].feedback.twist.linear.norm());
      most_n = std::max(most_n, command.wrench.force.norm());
    }
  }

  Vec3 grip_m{0.004, 0.0, -0.02};  // beside the rod's axis
  Simulation simulation;
  std::optional<Hand> hand;
  BodyCommand command;
  double fastest_m_s = 0.0, most_n = 0.0;
};

TEST(Hand, CarriesABodyAgainstItsWeight) {
  HeldFinger finger(Mount::free);
  const Vec3 start = finger.grip();
  const Quat q = finger.state().q;
  finger.advance(400);
  // The tip sags by some tenths of a millimetre and the weight is carried, not sprung: without it the spring alone
  // would let the finger down by g / w^2 = 2.7 mm.
  EXPECT_LT((finger.grip() - start).norm(), 1e-4);
  EXPECT_LT(finger.state().q.angularDistance(q), 1e-3);
  EXPECT_LT(finger.fastest_m_s, 0.02);
  const CarriedMass carried = find_carried_mass(finger.simulation.model(), finger.rigid());
  EXPECT_NEAR(finger.command.wrench.force.norm(), 9.81 * carried.mass_kg, 0.02 * 9.81 * carried.mass_kg);
}

TEST(Hand, FollowsItsTargetWithoutSwingingPast) {
  HeldFinger finger(Mount::free);
  const Vec3 start = finger.grip(), target = start + Vec3(0.02, -0.01, 0.01);
  finger.hand->drag(target);
  double farthest = 0.0;
  for (int k = 0; k < 400; ++k) {
    finger.advance(1);
    farthest = std::max(farthest, (finger.grip() - start).dot((target - start).normalized()));
  }
  EXPECT_LT((finger.grip() - target).norm(), 2e-4);
  EXPECT_LT(farthest, 1.05 * (target - start).norm());
  EXPECT_LT(finger.fastest_m_s, 1.2 * kFastestHand_m_s);
}

TEST(Hand, AJumpOfTheMouseNeitherTearsNorExceedsTheForce) {
  HeldFinger finger(Mount::free, 0.0105);
  finger.hand->drag(finger.grip() - Vec3(0.0, 0.0, 5.0));  // through the table
  finger.advance(600);
  const CarriedMass carried = find_carried_mass(finger.simulation.model(), finger.rigid());
  const double most = find_most_force_n(finger.simulation.model(), finger.rigid());
  EXPECT_LE(finger.most_n, most + 9.81 * carried.mass_kg + 1e-9);
  EXPECT_NEAR(finger.simulation.measure()[0].feedback.contact.force.norm(), most, 0.05 * most)
      << "at rest the table bears what the hand presses with";
  // The way back begins at once: the hand has not run ahead of the body.
  const double pressed = finger.grip().z();
  finger.hand->drag(finger.grip() + Vec3(0.0, 0.0, 0.02));
  finger.advance(150);
  EXPECT_GT(finger.grip().z(), pressed + 0.01);
}

TEST(Hand, ReleaseHoldsTheBodyWhereItIs) {
  HeldFinger finger(Mount::free);
  finger.hand->drag(finger.grip() + Vec3(0.05, 0.0, 0.0));
  finger.advance(100);
  finger.hand->release(finger.state());
  const Vec3 released = finger.grip();
  finger.advance(300);
  // What it still moves is the braking way, v / (e w) at most: critical damping.
  EXPECT_LT((finger.grip() - released).norm(), kFastestHand_m_s / 60.0);
  EXPECT_LT(finger.simulation.measure()[0].feedback.twist.linear.norm(), 1e-3);
}

TEST(Hand, ADrivenBodyFollowsNoFasterThanAllowedAndStopsAtTheForce) {
  HeldFinger finger(Mount::driven, 0.02);
  finger.hand->drag(finger.grip() - Vec3(0.0, 0.0, 0.5));
  finger.advance(20);
  EXPECT_NEAR(finger.fastest_m_s, kFastestHand_m_s, 1e-9);
  finger.advance(200);
  const double most = find_most_force_n(finger.simulation.model(), finger.rigid());
  const double force = finger.simulation.measure()[0].feedback.contact.force.norm();
  EXPECT_GT(force, 0.5 * most);
  EXPECT_LT(force, 2.0 * most);
}

}  // namespace
}  // namespace distal
