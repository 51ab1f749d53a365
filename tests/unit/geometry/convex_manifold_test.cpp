#include "convex_shapes.hpp"
#include "distal/geometry/box_mesh.hpp"
#include "distal/geometry/manifold.hpp"
#include "polytope_reference.hpp"
#include "support/cases.hpp"
#include "support_reference.hpp"

namespace distal {
namespace {

const CylinderShape can{0.01, 0.03};
const BoxShape slab{{0.05, 0.05, 0.01}};
constexpr double kRight = 0.5 * std::numbers::pi;

Pose placed(double x, double y, double z, double angle = 0.0, const Vec3& axis = Vec3::UnitX()) {
  return {{x, y, z}, Quat(Eigen::AngleAxisd(angle, axis))};
}

TEST(ConvexManifold, ACylinderStandsOnFourPointsOfItsRimAndLiesOnTwo) {
  const std::vector<std::pair<Shape, Pose>> floors = {{PlaneShape{}, placed(0, 0, 0)}, {slab, placed(0, 0, -0.01)}};
  for (const auto& [floor, floor_pose] : floors) {
    const auto standing = manifolds(floor, floor_pose, can, placed(0.003, 0.002, 0.0299), 1e-3);
    ASSERT_EQ(standing.size(), 1U);
    ASSERT_EQ(standing[0].count, 4);
    EXPECT_LT((standing[0].normal - Vec3::UnitZ()).norm(), 1e-12);
    for (const ManifoldPoint& p : standing[0].points) {
      EXPECT_NEAR(p.separation_m, -1e-4, 1e-12);
      EXPECT_NEAR((p.point_m - Vec3(0.003, 0.002, p.point_m.z())).norm(), 0.01, 1e-9);
    }
    const auto lying = manifolds(floor, floor_pose, can, placed(0.003, 0.002, 0.0099, kRight), 1e-3);
    ASSERT_EQ(lying[0].count, 2);
    EXPECT_LT((lying[0].normal - Vec3::UnitZ()).norm(), 1e-12);
    for (std::size_t i : {0U, 1U}) {
      EXPECT_NEAR(lying[0].points[i].separation_m, -1e-4, 1e-12);
      EXPECT_NEAR(std::abs(lying[0].points[i].point_m.y() - 0.002), 0.03, 1e-9);
    }
    // On its rim, tilted by 30 degrees: one point, at the depth of the rim.
    const double tilt = std::numbers::pi / 6.0, height = 0.03 * std::cos(tilt) + 0.01 * std::sin(tilt);
    const auto rim = manifolds(floor, floor_pose, can, placed(0, 0, height - 1e-4, tilt), 5e-4);
    ASSERT_EQ(rim[0].count, 1);
    EXPECT_LT((rim[0].normal - Vec3::UnitZ()).norm(), 1e-9);
    EXPECT_NEAR(rim[0].points[0].separation_m, -1e-4, 1e-10);
  }
}

TEST(ConvexManifold, ACylindersSideHasTheExactNormal) {
  const Vec3 out(0.6, 0.8, 0.0);
  const auto expect_side = [&](const Shape& other, const Pose& pose, double separation, int count) {
    const auto found = manifolds(can, placed(0, 0, 0), other, pose, 5e-3);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_LT((found[0].normal - out).norm(), 1e-9);
    EXPECT_NEAR(deepest(found[0]), separation, 1e-12);
    EXPECT_EQ(found[0].count, count);
  };
  const double turn = std::acos(0.6);
  for (const double gap : {1e-3, 1e-6, -1e-6, -1e-3}) {
    expect_side(SphereShape{0.02}, {(0.03 + gap) * out, Quat::Identity()}, gap, 1);
    expect_side(can, {(0.02 + gap) * out, Quat::Identity()}, gap, 2);
    expect_side(CapsuleShape{0.004, 0.01}, {(0.014 + gap) * out, Quat::Identity()}, gap, 2);
    // A box that turns one face to it, and one that turns an edge along it.
    expect_side(BoxShape{Vec3::Constant(0.01)}, {(0.02 + gap) * out, Quat(Eigen::AngleAxisd(turn, Vec3::UnitZ()))}, gap,
                2);
    expect_side(
        BoxShape{Vec3::Constant(0.01)},
        {(0.01 + 0.01 * std::numbers::sqrt2 + gap) * out, Quat(Eigen::AngleAxisd(turn + 0.5 * kRight, Vec3::UnitZ()))},
        gap, 2);
  }
}

// A mesh of a box does what the box does.
TEST(ConvexManifold, ABoxMeshIsABox) {
  RandomPoses random(11);
  const BoxShape box{{0.01, 0.02, 0.03}};
  const ConvexShape mesh = make_convex(make_box_mesh(2.0 * box.half_size_m, 0.01));
  for (const Shape& other : {Shape(slab), Shape(can), Shape(CapsuleShape{0.01, 0.02}), Shape(PlaneShape{})})
    for (int i = 0; i < test::cases(300); ++i) {
      const Pose pose{0.05 * random.vector(), i % 3 == 0 ? random.right_turn() : random.turn()};
      const auto expected = manifolds(box, pose, other, placed(0, 0, 0), 0.02),
                 found = manifolds(mesh, pose, other, placed(0, 0, 0), 0.02);
      ASSERT_EQ(found.size(), expected.size()) << i;
      if (found.empty()) continue;
      expect_sound(found[0], 0.02);
      ASSERT_NEAR(deepest(found[0]), deepest(expected[0]), 1e-9) << i;
    }
}

TEST(ConvexManifold, RandomPolyhedraAreAsDeepAsTheSlowWaySays) {
  RandomPoses random(12);
  int overlapping = 0;
  for (int i = 0; i < test::cases(400); ++i) {
    const TriangleMesh a = make_pebble(random, i % 2 == 0 ? 5 : 14, {0.02, 0.01, 0.015}),
                       b = make_pebble(random, i % 3 == 0 ? 4 : 12, {0.01, 0.02, 0.02});
    const Pose pa{Vec3::Zero(), random.turn()}, pb{0.02 * random.vector(), random.turn()};
    const double expected = reference_separation(moved(a, pa), moved(b, pb));
    const auto found = manifolds(make_convex(a), pa, make_convex(b), pb, 0.2);
    ASSERT_EQ(found.size(), 1U);
    expect_sound(found[0], 0.2);
    ASSERT_NEAR(deepest(found[0]), expected, 1e-9) << i;
    overlapping += expected < 0.0;
  }
  EXPECT_GT(overlapping, test::cases(100));
}

TEST(ConvexManifold, CylindersAreAsDeepAsTheirShadowsSay) {
  RandomPoses random(13);
  const ConvexShape pebble = make_convex(make_pebble(random, 60, {0.02, 0.01, 0.015}));
  for (const Shape& other :
       {Shape(can), Shape(BoxShape{{0.01, 0.02, 0.015}}), Shape(CapsuleShape{0.005, 0.02}), Shape(pebble)})
    for (int i = 0; i < test::cases(60); ++i) {
      const Pose pose{0.03 * random.vector(), random.turn()};
      const double expected = sampled_separation(can, placed(0, 0, 0), other, pose);
      const auto found = manifolds(can, placed(0, 0, 0), other, pose, 0.2);
      ASSERT_EQ(found.size(), 1U);
      expect_sound(found[0], 0.2);
      // It is the gap along the normal, and no direction that a search finds has a larger one.
      ASSERT_NEAR(deepest(found[0]), shadow_gap(can, placed(0, 0, 0), other, pose, found[0].normal), 1e-10) << i;
      ASSERT_GE(deepest(found[0]), expected - 1e-10) << other.index() << " " << i;
    }
}

}  // namespace
}  // namespace distal
