// Soft bodies against each other. Two equal fingertips, head on, meet in a plane: each is pressed as by a rigid one.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "support/scenes.hpp"

namespace distal::test {
namespace {

double press(ModelDescription scene, double gap_m, double depth_m, Wrench& others_contact) {
  scene.integrator.kind = IntegratorKind::implicit_euler;
  scene.control_period_s = 2e-3;
  Simulation simulation(scene, true);
  MotionDescription motion;
  motion.body = "finger";
  motion.depths_m = {depth_m};
  motion.settle_tolerance = 1e-3;
  double force = 0.0;
  run_motion(simulation, motion, gap_m, [&](const Simulation& at, const CurveRow& row, const BodyReading&) {
    force = row.force_n;
    const BodyFeedback other = at.measure()[at.body_count() - 1].feedback;
    others_contact = rotated(other.pose.q, other.contact);
  });
  return force;
}

TEST(SoftPair, TwoFingertipsHeadOnAreEachPressedAsByAPlane) {
  const double depth = 1.5e-3;
  FingertipDescription finger = reference_finger(0.002);
  Wrench unused, on_other;
  ModelDescription on_plane = finger_over_table(finger, 0.4286);
  on_plane.contact.static_friction = on_plane.contact.dynamic_friction = 0.0;
  const double wanted = press(on_plane, 1e-4, depth, unused);
  ModelDescription against = on_plane;
  FingertipDescription other = finger;
  other.placement.position_m = Vec3(0.0, 0.0, -0.0101);
  other.placement.q_xyzw = Quat::Identity();
  against.bodies = {{"finger", finger}, {"other", other}};
  const double force = press(against, 2e-4, 2.0 * depth, on_other);
  fmt::print("  on a plane {:.5f} N, on its like {:.5f} N {:+.2f} %\n", wanted, force, 100.0 * (force / wanted - 1.0));
  EXPECT_NEAR(force, wanted, 0.03 * wanted);
  // Action and reaction.
  EXPECT_NEAR(on_other.force.z(), -force, 1e-3 * force);
}

TEST(SoftPair, AFingertipAndTetrahedraFeelTheSameForce) {
  ModelDescription scene = finger_over_table(reference_finger(0.002), 0.4286);
  TetDescription pad;
  pad.material = "rubber";
  pad.size_m = Vec3(0.03, 0.03, 0.01);
  pad.edge_m = 0.004;
  pad.placement.position_m = Vec3(0.0, 0.0, -0.005);
  FixDescription bottom;
  bottom.body = "pad";
  bottom.max_m.z() = -0.005;
  scene.fixes = {{"bottom", bottom}};
  scene.bodies = {{"finger", scene.bodies[0].second}, {"pad", pad}};
  scene.integrator.kind = IntegratorKind::implicit_euler;
  Simulation simulation(scene, true);
  ASSERT_EQ(simulation.model().soft_pairs.size(), 1U);
  std::vector<BodyCommand> commands(simulation.body_count());
  commands[0].mode = CommandMode::twist;
  commands[0].twist.linear = Vec3(0.0, 0.0, -0.02);
  for (int period = 0; period < 100; ++period) ASSERT_EQ(simulation.advance(commands).status, StepStatus::good);
  const PairWorkspace& pair = simulation.workspace().soft_pairs[0];
  EXPECT_GT(pair.on_sampled.force.norm(), 1e-3);
  EXPECT_LT((pair.on_sampled.force + pair.on_partner.force).norm(), 1e-12);
  EXPECT_LT((pair.on_sampled.torque + pair.on_partner.torque).norm(), 1e-12);
  const BodyReading reading = simulation.measure()[0];
  EXPECT_LT(reading.closure_residual, 1e-9);
  EXPECT_LT(std::abs(simulation.energy().residual), 1e-3 * simulation.energy().control_work);
}

}  // namespace
}  // namespace distal::test
