#include "distal/geometry/self_intersection.hpp"

#include <gtest/gtest.h>

#include "distal/geometry/box_mesh.hpp"
#include "distal/geometry/shape.hpp"
#include "mesh_checks.hpp"

namespace distal {
namespace {

void append(const TriangleMesh& part, const Vec3& by, TriangleMesh& mesh) {
  const auto first = static_cast<std::int32_t>(mesh.vertices.size());
  for (const Vec3& p : part.vertices) mesh.vertices.push_back(p + by);
  for (const auto& t : part.triangles) mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
}

// Barycentric, and on the plane.
double distance_to_triangle(const TriangleMesh& mesh, std::size_t i, const Vec3& p) {
  const Vec3 a = test::corner(mesh, i, 0);
  Mat3 frame;
  frame << test::corner(mesh, i, 1) - a, test::corner(mesh, i, 2) - a, test::doubled_area(mesh, i);
  const Vec3 share = frame.inverse() * (p - a);
  return std::max({0.0, -share.x(), -share.y(), share.x() + share.y() - 1.0, std::abs(share.z())});
}

void expect_cut(const TriangleMesh& mesh) {
  const auto cut = find_self_intersection(mesh);
  ASSERT_TRUE(cut);
  EXPECT_LT(cut->first, cut->second);
  EXPECT_LT(distance_to_triangle(mesh, cut->first, cut->point), 1e-9);
  EXPECT_LT(distance_to_triangle(mesh, cut->second, cut->point), 1e-9);
}

// Two triangles without common corners.
bool do_meet(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b) {
  return find_self_intersection({{a[0], a[1], a[2], b[0], b[1], b[2]}, {{0, 1, 2}, {3, 4, 5}}}).has_value();
}

const std::array<Vec3, 3> floor_triangle{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};

TEST(SelfIntersection, PlainSurfacesHaveNone) {
  EXPECT_FALSE(find_self_intersection(make_shape_mesh(SphereShape{0.01}, 1.0)));
  EXPECT_FALSE(find_self_intersection(make_box_mesh({0.03, 0.02, 0.01}, 0.002)));
  EXPECT_FALSE(find_self_intersection({}));
}

TEST(SelfIntersection, TurnedAndMovedBoxHasNone) {
  // Flat faces that are no longer exactly flat.
  TriangleMesh box = make_box_mesh({0.03, 0.02, 0.01}, 0.002);
  const Quat turn(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
  for (Vec3& p : box.vertices) p = turn * p + Vec3(0.3, -0.2, 0.1);
  EXPECT_FALSE(find_self_intersection(box));
}

TEST(SelfIntersection, OverlappingSpheresCutEachOther) {
  const TriangleMesh ball = make_shape_mesh(SphereShape{0.01}, 1.0);
  TriangleMesh two = ball;
  append(ball, {0.017, 0.003, 0.002}, two);
  expect_cut(two);
  TriangleMesh apart = ball;
  append(ball, {0.0201, 0, 0}, apart);
  EXPECT_FALSE(find_self_intersection(apart));
  // One inside the other does not cut it.
  TriangleMesh nested = ball;
  append(make_shape_mesh(SphereShape{0.005}, 1.0), Vec3::Zero(), nested);
  EXPECT_FALSE(find_self_intersection(nested));
}

TEST(SelfIntersection, PulledVertexCutsTheFarSide) {
  TriangleMesh box = make_box_mesh({0.02, 0.02, 0.02}, 0.005);
  // The middle of the top face, to below the bottom.
  for (Vec3& p : box.vertices) {
    if (p.head<2>().norm() < 1e-9 && p.z() > 0) p.z() = -0.015;
  }
  expect_cut(box);
}

TEST(SelfIntersection, PairOfTrianglesInEveryPosition) {
  // Through the inside.
  EXPECT_TRUE(do_meet(floor_triangle, {Vec3(0.2, 0.2, -1), Vec3(0.3, 0.2, 1), Vec3(2, 2, 1)}));
  // Beside it, though its plane is crossed.
  EXPECT_FALSE(do_meet(floor_triangle, {Vec3(0.8, 0.8, -1), Vec3(0.8, 0.9, 1), Vec3(2, 2, 1)}));
  // Above.
  EXPECT_FALSE(do_meet(floor_triangle, {Vec3(0.2, 0.2, 1e-6), Vec3(0.3, 0.2, 1), Vec3(0.2, 0.3, 1)}));
  // A corner touches the inside.
  EXPECT_TRUE(do_meet(floor_triangle, {Vec3(0.2, 0.2, 0), Vec3(0.3, 0.2, 1), Vec3(0.2, 0.3, 1)}));
  // An edge touches an edge.
  EXPECT_TRUE(do_meet(floor_triangle, {Vec3(0.5, 0, -1), Vec3(0.5, 0, 1), Vec3(0.5, -1, 0)}));
  // In one plane: overlapping, one in the other, apart.
  EXPECT_TRUE(do_meet(floor_triangle, {Vec3(0.4, 0.4, 0), Vec3(1, 1, 0), Vec3(0.5, 1, 0)}));
  EXPECT_TRUE(do_meet(floor_triangle, {Vec3(0.2, 0.2, 0), Vec3(0.3, 0.2, 0), Vec3(0.2, 0.3, 0)}));
  EXPECT_FALSE(do_meet(floor_triangle, {Vec3(0.6, 0.6, 0), Vec3(1, 1, 0), Vec3(0.5, 1, 0)}));
}

TEST(SelfIntersection, NeighboursMayShareAnEdgeOrACornerOnly) {
  // A shared corner, and the far edge through the other triangle.
  TriangleMesh fan{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.3, -0.1}, {0.3, 0.3, 0.1}}, {{0, 1, 2}, {0, 3, 4}}};
  expect_cut(fan);
  fan.vertices[3] = {0.3, 0.3, 0.05};
  EXPECT_FALSE(find_self_intersection(fan));
  // A shared edge: folded back onto itself, and a hair open.
  TriangleMesh fold{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {{0, 1, 2}, {1, 0, 3}}};
  EXPECT_TRUE(find_self_intersection(fold));
  fold.vertices[3].z() = 1e-3;
  EXPECT_FALSE(find_self_intersection(fold));
  fold.vertices[3] = {0, -1, 0};
  EXPECT_FALSE(find_self_intersection(fold));
}

TEST(SelfIntersection, AgreesWithSolvingForTheCrossings) {
  // Random pairs, where nothing merely touches: an edge crosses a triangle if a linear system says so.
  test::RandomPoints points(1.0);
  int met = 0;
  for (int n = 0; n < 3000; ++n) {
    const std::array<Vec3, 3> a{points.next(), points.next(), points.next()};
    const std::array<Vec3, 3> b{points.next(), points.next(), points.next()};
    bool crosses = false;
    for (const auto& [t, s] : {std::pair(a, b), std::pair(b, a)}) {
      for (int k = 0; k < 3; ++k) {
        Mat3 system;
        system << t[1] - t[0], t[2] - t[0], s[k] - s[(k + 1) % 3];
        const Vec3 x = system.partialPivLu().solve(s[k] - t[0]);
        crosses = crosses || (x.minCoeff() > 0.0 && x.x() + x.y() < 1.0 && x.z() < 1.0);
      }
    }
    met += crosses;
    EXPECT_EQ(do_meet(a, b), crosses) << n;
  }
  EXPECT_GT(met, 300);
}

}  // namespace
}  // namespace distal
