// A rigid body that is too fast to be seen touching must not come out on the other side of a soft one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/tet_scenes.hpp"

namespace distal::test {
namespace {

// A ball flies by the block or at it, even the shortest step takes it past.
StepReport shoot(double beside_m) {
  ModelDescription scene = held_tet_cuboid(Vec3(0.04, 0.04, 0.02), 0.005, rubber(0.45, 57.6e3));
  RigidDescription ball;
  ball.shape = RigidShapeKind::sphere;
  ball.radius_m = 0.005, ball.mass_kg = 0.1;
  ball.placement.position_m = Vec3(beside_m, 0.0, 0.04);
  ball.placement.velocity_m_s = Vec3(0.0, 0.0, -1e4);
  scene.bodies.push_back({"ball", ball});
  scene.integrator.kind = IntegratorKind::implicit_euler;
  Simulation simulation(scene);
  return simulation.advance(std::vector<BodyCommand>(simulation.body_count()));
}

TEST(Passage, ABallShotThroughABlockIsTrouble) {
  const StepReport report = shoot(0.0);
  ASSERT_EQ(report.status, StepStatus::failed);
  EXPECT_THAT(report.message, testing::HasSubstr("'ball' passed through the skin of 'block'"));
}
TEST(Passage, ABallThatFliesByIsNot) { EXPECT_EQ(shoot(0.04).status, StepStatus::good); }

}  // namespace
}  // namespace distal::test
