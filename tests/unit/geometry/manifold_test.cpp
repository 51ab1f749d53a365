#include "distal/geometry/manifold.hpp"

#include "manifold_checks.hpp"
#include "polytope_reference.hpp"
#include "support/cases.hpp"

namespace distal {
namespace {

const Shape plane = PlaneShape{};
const BoxShape cube{Vec3::Constant(0.01)};
const CapsuleShape capsule{0.004, 0.01};

Pose at(double x, double y, double z) { return {{x, y, z}, Quat::Identity()}; }
Pose turned(const Pose& pose, double angle, const Vec3& axis) {
  return {pose.position, Quat(Eigen::AngleAxisd(angle, axis))};
}

TEST(Manifold, ABoxOnAPlaneTouchesWithItsFourLowerCorners) {
  const auto found = manifolds(plane, at(0, 0, 0.5), cube, at(1.0, 2.0, 0.5099), 1e-3);
  ASSERT_EQ(found.size(), 1U);
  const Manifold& m = found[0];
  ASSERT_EQ(m.count, 4);
  EXPECT_LT((m.normal - Vec3::UnitZ()).norm(), 1e-15);
  for (const ManifoldPoint& p : m.points) {
    EXPECT_NEAR(p.separation_m, -1e-4, 1e-15);
    EXPECT_NEAR(p.point_m.z(), 0.49995, 1e-15);
    EXPECT_NEAR(std::abs(p.point_m.x() - 1.0), 0.01, 1e-15);
    EXPECT_NEAR(std::abs(p.point_m.y() - 2.0), 0.01, 1e-15);
  }
  // On its edge, two; on a corner, one; high up, none.
  const double quarter = 0.25 * std::numbers::pi;
  EXPECT_EQ(manifolds(plane, {}, cube, turned(at(0, 0, 0.0141), quarter, Vec3::UnitX()), 1e-3)[0].count, 2);
  EXPECT_EQ(manifolds(plane, {}, cube, turned(at(0, 0, 0.0170), 0.955, Vec3(1, -1, 0).normalized()), 1e-3)[0].count, 1);
  EXPECT_TRUE(manifolds(plane, {}, cube, at(0, 0, 0.0111), 1e-3).empty());
  EXPECT_TRUE(manifolds(plane, {}, plane, at(0, 0, -1), 1e-3).empty());
}

TEST(Manifold, SpheresTouchInOnePointHalfWayBetweenTheirSurfaces) {
  const SphereShape ball{0.01};
  const auto found = manifolds(ball, at(0, 0, 0), SphereShape{0.02}, at(0.0, 0.028, 0.0), 1e-3);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].count, 1);
  EXPECT_LT((found[0].normal - Vec3::UnitY()).norm(), 1e-15);
  EXPECT_NEAR(found[0].points[0].separation_m, -0.002, 1e-15);
  EXPECT_NEAR(found[0].points[0].point_m.y(), 0.009, 1e-15);
  const auto on_box = manifolds(cube, at(0, 0, 0), ball, at(0.019, 0.003, 0.0), 1e-3);
  EXPECT_LT((on_box[0].normal - Vec3::UnitX()).norm(), 1e-15);
  EXPECT_LT((on_box[0].points[0].point_m - Vec3(0.0095, 0.003, 0.0)).norm(), 1e-15);
}

TEST(Manifold, CapsulesTouchInOnePointCrossedAndInTwoAlongEachOther) {
  const double right = 0.5 * std::numbers::pi;
  const auto crossed = manifolds(capsule, at(0, 0, 0), capsule, turned(at(0.0078, 0, 0), right, Vec3::UnitX()), 1e-3);
  ASSERT_EQ(crossed[0].count, 1);
  EXPECT_LT((crossed[0].normal - Vec3::UnitX()).norm(), 1e-9);
  EXPECT_NEAR(crossed[0].points[0].separation_m, -2e-4, 1e-12);
  EXPECT_LT((crossed[0].points[0].point_m - Vec3(0.0039, 0, 0)).norm(), 1e-9);
  // Half beside each other: the common stretch runs from z = -0.002 to z = 0.01.
  const auto along = manifolds(capsule, at(0, 0, 0), capsule, at(0.0078, 0, 0.008), 1e-3);
  ASSERT_EQ(along[0].count, 2);
  const double low = std::min(along[0].points[0].point_m.z(), along[0].points[1].point_m.z());
  const double high = std::max(along[0].points[0].point_m.z(), along[0].points[1].point_m.z());
  EXPECT_NEAR(low, -0.002, 1e-12);
  EXPECT_NEAR(high, 0.01, 1e-12);
  EXPECT_NEAR(along[0].points[1].separation_m, -2e-4, 1e-12);
  // Axes that meet: apart soonest at right angles to both.
  const auto through = manifolds(capsule, at(0, 0, 0), capsule, turned(at(0, 0, 0), right, Vec3::UnitX()), 1e-3);
  EXPECT_NEAR(std::abs(through[0].normal.x()), 1.0, 1e-12);
  EXPECT_NEAR(deepest(through[0]), -0.008, 1e-12);
}

TEST(Manifold, ACapsuleLiesOnABoxWithTwoPointsAndStandsOnItWithOne) {
  const double right = 0.5 * std::numbers::pi;
  const auto lying = manifolds(cube, at(0, 0, 0), capsule, turned(at(0.005, 0, 0.0138), right, Vec3::UnitY()), 1e-3);
  ASSERT_EQ(lying[0].count, 2);
  EXPECT_LT((lying[0].normal - Vec3::UnitZ()).norm(), 1e-12);
  // Its end hangs over: the box ends at x = 0.01.
  EXPECT_NEAR(std::max(lying[0].points[0].point_m.x(), lying[0].points[1].point_m.x()), 0.01, 1e-12);
  EXPECT_NEAR(std::min(lying[0].points[0].point_m.x(), lying[0].points[1].point_m.x()), -0.005, 1e-12);
  for (int i : {0, 1}) EXPECT_NEAR(lying[0].points[static_cast<std::size_t>(i)].separation_m, -2e-4, 1e-12);
  const auto standing = manifolds(cube, at(0, 0, 0), capsule, at(0.0, 0.0, 0.0238), 1e-3);
  ASSERT_EQ(standing[0].count, 1);
  EXPECT_NEAR(standing[0].points[0].separation_m, -2e-4, 1e-12);
  // Its axis inside the box: out through the nearest face, by half a width and its radius.
  const auto inside = manifolds(cube, at(0, 0, 0), capsule, at(0.008, 0.0, 0.001), 1e-3);
  EXPECT_LT((inside[0].normal - Vec3::UnitX()).norm(), 1e-12);
  EXPECT_NEAR(deepest(inside[0]), -0.006, 1e-12);
}

TEST(Manifold, BoxesTouchByFacesEdgesAndCorners) {
  // Shifted by half a width: the common rectangle.
  const auto faces = manifolds(cube, at(0, 0, 0), cube, at(0.01, 0.005, 0.0199), 1e-3);
  ASSERT_EQ(faces[0].count, 4);
  EXPECT_LT((faces[0].normal - Vec3::UnitZ()).norm(), 1e-12);
  for (const ManifoldPoint& p : faces[0].points) {
    EXPECT_NEAR(p.separation_m, -1e-4, 1e-12);
    EXPECT_NEAR(std::abs(p.point_m.x() - 0.005), 0.005, 1e-12);
    EXPECT_NEAR(std::abs(p.point_m.y() - 0.0025), 0.0075, 1e-12);
    EXPECT_NEAR(p.point_m.z(), 0.00995, 1e-12);
  }
  // Edge along x on an edge along y.
  const double quarter = 0.25 * std::numbers::pi, height = 2.0 * 0.01 * std::numbers::sqrt2;
  const auto edges = manifolds(cube, turned(at(0, 0, 0), quarter, Vec3::UnitX()), cube,
                               turned(at(0.001, 0.002, height - 1e-4), quarter, Vec3::UnitY()), 1e-3);
  ASSERT_EQ(edges[0].count, 1);
  EXPECT_LT((edges[0].normal - Vec3::UnitZ()).norm(), 1e-9);
  EXPECT_NEAR(edges[0].points[0].separation_m, -1e-4, 1e-12);
  EXPECT_LT((edges[0].points[0].point_m - Vec3(0.001, 0.0, 0.5 * height - 5e-5)).norm(), 1e-9);
  // Turned by an eighth on top of each other: eight corners, of which four that span at least as much as a square
  // inscribed in the octagon.
  const auto octagon = manifolds(cube, at(0, 0, 0), cube, turned(at(0, 0, 0.02), quarter, Vec3::UnitZ()), 1e-3);
  ASSERT_EQ(octagon[0].count, 4);
}

TEST(Manifold, PartsOfUnionsAnswerEachForThemselves) {
  UnionShape dumbbell;
  for (const double x : {-0.03, 0.03}) dumbbell.parts.push_back({PointMap(at(x, 0, 0)), SphereShape{0.01}});
  const auto found = manifolds(cube, at(0.03, 0, -0.0195), dumbbell, at(0, 0, 0), 1e-3);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].part_a, 0);
  EXPECT_EQ(found[0].part_b, 1);
  EXPECT_NEAR(found[0].points[0].separation_m, -5e-4, 1e-15);
  EXPECT_EQ(manifolds(dumbbell, at(0, 0, 0), dumbbell, at(0, 0, 0.0199), 1e-3).size(), 2U);
}

TEST(Manifold, FeaturesStayTheSameWhileThingsMoveALittle) {
  RandomPoses random(3);
  const auto first = manifolds(cube, at(0, 0, 0), cube, turned(at(0.003, 0.002, 0.0199), 0.3, Vec3::UnitZ()), 1e-3)[0];
  for (int k = 0; k < 200; ++k) {
    Pose other = turned(at(0.003, 0.002, 0.0199), 0.3, Vec3::UnitZ());
    other.position += 1e-8 * random.vector();
    other.q = rotation_from_vector(1e-7 * random.vector()) * other.q;
    const auto again = manifolds(cube, at(0, 0, 0), cube, other, 1e-3)[0];
    ASSERT_EQ(again.count, first.count);
    for (std::size_t i = 0; i < 4; ++i) {
      const auto same = std::find_if(first.points.begin(), first.points.end(),
                                     [&](const ManifoldPoint& p) { return p.feature == again.points[i].feature; });
      ASSERT_NE(same, first.points.end());
      ASSERT_LT((same->point_m - again.points[i].point_m).norm(), 1e-7);
    }
  }
}

// Separation of boxes at any pose and depth against the slow way.
TEST(Manifold, RandomBoxesAreAsDeepAsTheSlowWaySays) {
  RandomPoses random(1);
  int overlapping = 0;
  for (int k = 0; k < test::cases(3000); ++k) {
    const BoxShape a{Vec3::Constant(0.011) + 0.01 * random.vector()}, b{Vec3::Constant(0.011) + 0.01 * random.vector()};
    const bool square = k % 4 == 0;
    const Pose pa{0.02 * random.vector(), square ? random.right_turn() : random.turn()},
        pb{0.02 * random.vector(), square ? random.right_turn() : random.turn()};
    const double expected =
        reference_separation(moved(make_shape_mesh(a, 1.0), pa), moved(make_shape_mesh(b, 1.0), pb));
    const auto found = manifolds(a, pa, b, pb, 0.1);
    ASSERT_EQ(found.size(), 1U) << k;
    expect_sound(found[0], 0.1);
    ASSERT_NEAR(deepest(found[0]), expected, 1e-10) << k;
    overlapping += expected < 0.0;
  }
  EXPECT_GT(overlapping, test::cases(1000));
}

}  // namespace
}  // namespace distal
