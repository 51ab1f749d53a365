// The patch of what is rigid: that of the skin which touches it.
#include <gtest/gtest.h>

#include "support/tet_scenes.hpp"

namespace distal::test {
namespace {

void press(Simulation& simulation, std::size_t moved, const Vec3& velocity, int periods) {
  std::vector<BodyCommand> commands(simulation.body_count());
  for (BodyCommand& command : commands) command.mode = CommandMode::twist;
  commands[moved].twist.linear = velocity;
  for (int i = 0; i < periods; ++i) ASSERT_EQ(simulation.advance(commands).status, StepStatus::good);
}

ModelDescription finger_on(const RigidDescription& body) {
  ModelDescription scene = finger_over_table(reference_finger(0.0025), 0.43);
  scene.bodies[1] = {"ball", body};
  scene.bodies.push_back({"board", PlaneDescription{}});
  return scene;
}

TEST(RigidPatch, ABallHasThatOfTheOneTipWhichTouchesIt) {
  RigidDescription ball;
  ball.shape = RigidShapeKind::sphere;
  ball.radius_m = 0.02;
  ball.placement.position_m = Vec3(0.0, 0.0, -0.02);
  ball.mount = Mount::driven;
  ModelDescription scene = finger_on(ball);
  std::get<PlaneDescription>(scene.bodies[2].second).placement.position_m = Vec3(0.0, 0.0, -1.0);
  Simulation simulation(scene);
  EXPECT_EQ(simulation.measure()[1].patch.count, 0);
  press(simulation, 0, Vec3(0.0, 0.0, -0.02), 60);
  const BodyReading &tip = simulation.measure()[0], &rigid = simulation.measure()[1];
  ASSERT_GT(tip.patch.count, 10);
  EXPECT_EQ(rigid.patch.count, tip.patch.count);
  EXPECT_NEAR(rigid.patch.area_m2, tip.patch.area_m2, 1e-12 * tip.patch.area_m2);
  EXPECT_NEAR(rigid.patch.radius_m, tip.patch.radius_m, 1e-12 * tip.patch.radius_m);
  EXPECT_NEAR((rigid.patch.centre_m - tip.patch.centre_m).norm(), 0.0, 1e-12);
  EXPECT_EQ(rigid.patch.peak_pressure_pa, tip.patch.peak_pressure_pa);
  EXPECT_EQ(rigid.depth_m, tip.depth_m);
  EXPECT_NEAR(rigid.depth_m, 0.0011, 1e-9);  // 1.2 mm travelled, 0.1 mm of it before first touch
}

// All of the top touches. Samples of its rim have a third of a triangle of the sides, too: at most half a brick's side
// all around.
TEST(RigidPatch, APlateOnABlockTouchesItsWholeTop) {
  const double side = 0.02, edge = 0.0025;
  ModelDescription scene = held_tet_cuboid(Vec3(side, side, 0.01), edge, rubber(0.43));
  RigidDescription plate;
  plate.size_m = Vec3(0.03, 0.03, 0.01);
  plate.placement.position_m = Vec3(0.0, 0.0, 0.01);
  plate.mount = Mount::driven;
  scene.bodies.push_back({"plate", plate});
  scene.contact.static_friction = scene.contact.dynamic_friction = kNever;
  Simulation simulation(scene);
  press(simulation, 0, Vec3(0.0, 0.0, -0.01), 20);
  const BodyReading& reading = simulation.measure()[0];
  EXPECT_GT(reading.patch.area_m2, side * side);
  EXPECT_LT(reading.patch.area_m2, (side + edge) * (side + edge));
  EXPECT_NEAR(reading.depth_m, 0.0002, 1e-9);
  EXPECT_NEAR(reading.patch.centre_m.z(), 0.0048, 5e-5);
  // No less than the mean.
  EXPECT_GT(reading.patch.peak_pressure_pa, reading.feedback.contact.force.norm() / (side + edge) / (side + edge));
}

// Where two skins meet, the finer one is sampled: a coarse tip has the patch of what touches it.
TEST(RigidPatch, ACoarseTipOnAFineBlockHasAPatchWithAPressure) {
  ModelDescription scene = held_block(Vec3(0.02, 0.02, 0.01), 0.00125, rubber(0.43));
  FingertipDescription finger = reference_finger(0.0025);
  finger.placement.position_m.z() += 0.005;
  scene.bodies.push_back({"finger", finger});
  Simulation simulation(scene);
  ASSERT_EQ(simulation.model().soft_pairs.at(0).partner, 1);
  press(simulation, 0, Vec3(0.0, 0.0, -0.02), 60);
  const ContactPatch& patch = simulation.measure()[0].patch;
  ASSERT_GT(patch.count, 5);
  // Hertz: sphere of 10 mm, 1.1 mm deep, gives a = sqrt(R d) = 3.3 mm at most; half of it at least.
  EXPECT_GT(patch.radius_m, 0.0016);
  EXPECT_LT(patch.radius_m, 0.0040);
  EXPECT_NEAR(patch.centre_m.head<2>().norm(), 0.0, 2e-4);
  const double mean = simulation.measure()[0].feedback.contact.force.norm() / patch.area_m2;
  EXPECT_GT(patch.peak_pressure_pa, mean);
  EXPECT_LT(patch.peak_pressure_pa, 10.0 * mean);
}

}  // namespace
}  // namespace distal::test
