#include "distal/geometry/broad_phase.hpp"

#include "convex_shapes.hpp"
#include "distal/geometry/manifold.hpp"
#include "support_reference.hpp"

namespace distal {
namespace {

TEST(BroadPhase, BoundsTouchTheShapeOnAllSixSides) {
  RandomPoses random(31);
  const ConvexShape pebble = make_convex(make_pebble(random, 80, {0.01, 0.02, 0.03}));
  for (const Shape& shape : {Shape(SphereShape{0.01}), Shape(BoxShape{{0.01, 0.02, 0.03}}),
                             Shape(CapsuleShape{0.01, 0.03}), Shape(CylinderShape{0.01, 0.03}), Shape(pebble)}) {
    const Pose pose{random.vector(), random.turn()};
    const Aabb box = find_bounds(shape, pose);
    for (Eigen::Index axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(box.max[axis], shadow(shape, pose, Vec3::Unit(axis)), 1e-12) << shape.index();
      EXPECT_NEAR(-box.min[axis], shadow(shape, pose, -Vec3::Unit(axis)), 1e-12) << shape.index();
    }
  }
  UnionShape both;
  both.parts.push_back({PointMap(Pose{{1.0, 0.0, 0.0}, Quat::Identity()}), SphereShape{0.5}});
  both.parts.push_back({PointMap(Pose{{0.0, 2.0, 0.0}, Quat::Identity()}), BoxShape{Vec3::Ones()}});
  EXPECT_EQ(find_bounds(both, {}).max, Vec3(1.5, 3.0, 1.0));
  EXPECT_EQ(find_bounds(both, {}).min, Vec3(-1.0, -0.5, -1.0));
  EXPECT_LT(find_bounds(PlaneShape{}, {}).min.x(), -1e299);
}

TEST(BroadPhase, FindsWhatEveryPairOfBoxesGives) {
  RandomPoses random(32);
  std::vector<Vec3> places(80), speeds(80);
  for (Vec3& p : places) p = random.vector();
  for (Vec3& v : speeds) v = 0.05 * random.vector();
  std::vector<Aabb> boxes(places.size());
  BroadPhase kept;
  std::size_t most = 0;
  for (int step = 0; step < 200; ++step) {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      places[i] += speeds[i];
      for (Eigen::Index k = 0; k < 3; ++k)
        if (std::abs(places[i][k]) > 1.0) speeds[i][k] = std::copysign(speeds[i][k], -places[i][k]);
      const Vec3 half = Vec3::Constant(i == 0 ? 1e300 : 0.1);
      boxes[i] = {places[i] - half, places[i] + half};
    }
    std::vector<BoxPair> expected;
    for (std::int32_t a = 0; a < 80; ++a)
      for (std::int32_t b = a + 1; b < 80; ++b) {
        const Aabb &one = boxes[static_cast<std::size_t>(a)], &other = boxes[static_cast<std::size_t>(b)];
        bool apart = false;
        for (Eigen::Index k = 0; k < 3; ++k)
          apart = apart || one.min[k] - other.max[k] >= 0.01 || other.min[k] - one.max[k] >= 0.01;
        if (!apart) expected.push_back({a, b});
      }
    ASSERT_EQ(kept.find_pairs(boxes, 0.01), expected) << step;
    BroadPhase fresh;
    ASSERT_EQ(fresh.find_pairs(boxes, 0.01), expected) << step;
    most = std::max(most, expected.size());
  }
  EXPECT_GT(most, 90U);
}

}  // namespace
}  // namespace distal
