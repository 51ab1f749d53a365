#include "distal/sensor/body_measures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "distal/core/error.hpp"
#include "distal/sensor/surface_points.hpp"
#include "support/scenes.hpp"

namespace distal {
namespace {

ModelDescription cuboid_and_block() {
  ModelDescription scene;
  scene.materials["rubber"] = test::rubber(0.45);
  TetDescription tet;
  tet.material = "rubber";
  tet.size_m = Vec3(0.03, 0.02, 0.01);
  tet.edge_m = 0.005;
  tet.placement.position_m = Vec3(0.1, 0.0, 0.0);
  TetDescription ball = tet;
  ball.shape = TetShape::sphere;
  BlockDescription block;
  block.lattice.material = "rubber";
  block.size_m = Vec3(0.03, 0.02, 0.01);
  block.lattice.cell_size_m = 0.005;
  scene.bodies = {{"tet", tet}, {"block", block}, {"ball", ball}};
  return scene;
}

// Stretched by 1.1, 1.2 and 1.3 along the axes, and pushed aside.
State stretched(const Model& model) {
  State state = make_initial_state(model);
  for (std::size_t i = 0; i < state.x.size(); ++i) {
    const Vec3 x = state.x.get(i);
    state.x.set(i, Vec3(0.5 + 1.1 * x.x(), 1.2 * x.y(), 1.3 * x.z()));
  }
  return state;
}

TEST(BodyMeasures, VolumeOfCellsAndOfAClosedSkin) {
  const Model model = build_model(cuboid_and_block());
  const State state = stretched(model);
  for (std::size_t s = 0; s < 2; ++s) {
    ASSERT_TRUE(measure_rest_volume(model.soft[s])) << s;
    EXPECT_NEAR(*measure_rest_volume(model.soft[s]), 6e-6, 1e-15) << s;
    EXPECT_NEAR(*measure_volume(model.soft[s], state), 1.1 * 1.2 * 1.3 * 6e-6, 1e-15) << s;
  }
  const Model finger = build_model(test::finger_over_table(test::reference_finger(0.0025), 0.4));
  EXPECT_FALSE(measure_rest_volume(finger.soft[0]));
}

TEST(BodyMeasures, PressedSideIsTheFlatOneAgainstTheMotion) {
  const Model model = build_model(cuboid_and_block());
  for (std::size_t s = 0; s < 2; ++s) {
    const PressedSide top = find_pressed_side(model.soft[s], Vec3(0.0, 0.0, -1.0), "sensor.a");
    EXPECT_NEAR(top.area_m2, 6e-4, 1e-12) << s;
    EXPECT_NEAR(top.height_m, 0.01, 1e-12) << s;
    EXPECT_NEAR(find_pressed_side(model.soft[s], Vec3(1.0, 0.0, 0.0), "sensor.a").area_m2, 2e-4, 1e-12) << s;
    EXPECT_NEAR(find_length(model.soft[s]), 0.03, 1e-12) << s;
  }
  EXPECT_THROW(find_pressed_side(model.soft[2], Vec3(0.0, 0.0, -1.0), "sensor.a"), InputError);
}

TEST(BodyMeasures, InitialSlopeLeavesOutWhatBends) {
  EXPECT_NEAR(initial_slope({0.01, 0.02, 0.1}, {10.0, 20.2, 150.0}), (0.1 + 0.404) / 5e-4, 1e-9);
  EXPECT_NEAR(initial_slope({0.01, 0.02}, {10.0, 20.0}), 1000.0, 1e-9);
  EXPECT_EQ(initial_slope({}, {}), 0.0);
}

TEST(SurfacePoints, FollowTheSurface) {
  const Model model = build_model(cuboid_and_block());
  const State state = stretched(model);
  const std::vector<Vec3> asked = {Vec3(0.015, 0.0, 0.0), Vec3(0.0033, -0.0021, 0.0055), Vec3(-0.015, 0.01, -0.005)};
  for (std::size_t s = 0; s < 2; ++s) {
    const SurfacePoints points = find_surface_points(model.soft[s], asked, "sensor.a.points_m");
    EXPECT_NEAR((points.rest_m[1] - Vec3(0.0033, -0.0021, 0.005)).norm(), 0.0, 1e-12);
    const std::vector<Vec3> now = find_point_positions(model.soft[s], points, state);
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const Vec3 world = model.soft[s].initial_pose.to_world(points.rest_m[i]);
      EXPECT_NEAR((now[i] - Vec3(0.5 + 1.1 * world.x(), 1.2 * world.y(), 1.3 * world.z())).norm(), 0.0, 1e-12);
    }
  }
}

TEST(SurfacePoints, RefusePointsOffTheSurface) {
  const Model model = build_model(cuboid_and_block());
  try {
    find_surface_points(model.soft[0], {Vec3(0.0, 0.0, 0.010)}, "sensor.a.points_m");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("sensor.a.points_m: point 0 at (0, 0, 0.01) m"));
    EXPECT_THAT(error.what(), ::testing::HasSubstr("the nearest point of the surface is (0, 0, 0.005) m"));
  }
}

}  // namespace
}  // namespace distal
