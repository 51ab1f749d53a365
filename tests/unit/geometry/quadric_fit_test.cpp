#include "distal/geometry/quadric_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

#include "distal/core/error.hpp"
#include "distal/math/counter_random.hpp"

namespace distal {
namespace {

constexpr double kRadius = 0.01;
constexpr double kEdge = kRadius / 20.0;

// A piece of the surface (u, v) -> p as a mesh: rows of right triangles whose vertices are pushed about within the
// surface so that nothing is regular, with edges near `edge_m`.
TriangleMesh make_piece(const std::function<Vec3(double, double)>& surface, double half_u, double half_v, int n_u,
                        int n_v) {
  TriangleMesh mesh;
  const std::uint64_t key = random_key(7, "piece");
  const auto place = [&](int i, int j) {
    const auto count = static_cast<std::uint64_t>(i * (n_v + 1) + j);
    const double u = i + 0.4 * (random_share(key, count, 0) - 0.5), v = j + 0.4 * (random_share(key, count, 1) - 0.5);
    return surface(half_u * (2.0 * u / n_u - 1.0), half_v * (2.0 * v / n_v - 1.0));
  };
  for (int i = 0; i <= n_u; ++i)
    for (int j = 0; j <= n_v; ++j) mesh.vertices.push_back(place(i, j));
  for (int i = 0; i < n_u; ++i) {
    for (int j = 0; j < n_v; ++j) {
      const std::int32_t a = i * (n_v + 1) + j, b = a + n_v + 1;
      mesh.triangles.push_back({a, b, b + 1});
      mesh.triangles.push_back({a, b + 1, a + 1});
    }
  }
  return mesh;
}

struct SurfaceCase {
  std::function<Vec3(double, double)> surface;  // at (0, 0) the outward normal is +z
  double half_u, half_v, length_u, length_v;    // metres for half_u and half_v
  double curvature_x, curvature_y;              // 1/R there
};

// Fits at (0, 0) and says by how much the radii are wrong, at worst over some turned and shifted contacts.
void expect_radii(const SurfaceCase& c, double region, double tolerance) {
  const int n_u = static_cast<int>(2.0 * c.length_u / kEdge), n_v = static_cast<int>(2.0 * c.length_v / kEdge);
  // Turned about z, so that the cross term counts.
  const Mat3 turn = Eigen::AngleAxisd(0.5, Vec3::UnitZ()).toRotationMatrix();
  const auto turned = [&](double u, double v) { return Vec3(turn * c.surface(u, v)); };
  const SurfaceIndex index(make_piece(turned, c.half_u, c.half_v, n_u, n_v));
  QuadricFitter fitter(index);
  const Vec3 point = c.surface(0.0, 0.0);
  for (const double height : {0.0, 2e-5, -2e-5}) {  // contact points lie a little beside the surface
    const QuadricFit fit = fitter.fit(point + height * Vec3::UnitZ(), Vec3::UnitZ(), region);
    const Mat3 curvature = turn.transpose() * fit.quadric.curvature() * turn;
    const double largest = std::max(std::abs(c.curvature_x), std::abs(c.curvature_y));
    EXPECT_NEAR(curvature(0, 0), c.curvature_x, tolerance * (c.curvature_x == 0.0 ? largest : std::abs(c.curvature_x)));
    EXPECT_NEAR(curvature(1, 1), c.curvature_y, tolerance * (c.curvature_y == 0.0 ? largest : std::abs(c.curvature_y)));
    EXPECT_NEAR(curvature(0, 1), 0.0, tolerance * largest);
    EXPECT_NEAR(fit.area_m2 / (std::numbers::pi * region * region), 1.0, 0.05);
    // Facets stay within edge^2/8R of the surface; a sphere departs from its parabola by region^4/8R^3 at the rim.
    EXPECT_GT(fit.standard_deviation_m, 0.2 * kEdge * kEdge * largest / 8.0);
    EXPECT_LT(fit.standard_deviation_m, 2.0 * kEdge * kEdge * largest / 8.0);
    // The same alone against a plane, through the relative radii.
    const RelativeCurvature relative =
        find_relative_curvature(fit.quadric, {-Vec3::UnitZ(), Vec3::UnitX(), 0.0, 0.0, 0.0});
    EXPECT_NEAR(relative.curvature_per_m[1], std::max(c.curvature_x, c.curvature_y), tolerance * largest);
    EXPECT_NEAR(relative.curvature_per_m[0], std::min(c.curvature_x, c.curvature_y), tolerance * largest);
  }
}

TEST(QuadricFit, SphereCylinderEllipsoidTorusAndSaddleWithinOnePercent) {
  const double r = kRadius, piece = 0.5 * r, angle = 0.5;
  const auto sphere = [=](double u, double v) { return Vec3(Vec3(std::tan(u), std::tan(v), 1.0).normalized() * r); };
  const auto cylinder = [=](double u, double v) { return Vec3(u, r * std::sin(v), r * std::cos(v)); };
  const auto ellipsoid = [=](double u, double v) {  // semi-axes 2 r, 1.5 r, 1.8 r
    const Vec3 s = Vec3(std::tan(u), std::tan(v), 1.0).normalized();
    return Vec3(2.0 * r * s.x(), 1.5 * r * s.y(), 1.8 * r * s.z());
  };
  const auto torus = [=](double u, double v) {  // tube r on a circle of 3 r, its outermost point
    const double reach = 3.0 * r + r * std::cos(v);
    return Vec3(reach * std::sin(u), r * std::sin(v), reach * std::cos(u));
  };
  const auto hole = [=](double u, double v) {  // the innermost point of the same torus
    const double reach = 3.0 * r - r * std::cos(v);
    return Vec3(reach * std::sin(u), r * std::sin(v), -reach * std::cos(u));
  };
  const auto saddle = [=](double u, double v) { return Vec3(u, v, 0.5 * (u * u - v * v) / r); };
  const double region = 0.3 * r;  // six edges
  expect_radii({sphere, angle, angle, piece, piece, 1.0 / r, 1.0 / r}, region, 0.01);
  expect_radii({cylinder, piece, angle, piece, piece, 0.0, 1.0 / r}, region, 0.01);
  expect_radii({ellipsoid, 0.25, 0.35, 0.5 * r, 0.525 * r, 1.8 / (4.0 * r), 1.8 / (2.25 * r)}, region, 0.01);
  expect_radii({torus, 0.125, angle, 0.5 * r, piece, 1.0 / (4.0 * r), 1.0 / r}, region, 0.01);
  expect_radii({hole, 0.25, angle, 0.5 * r, piece, -1.0 / (2.0 * r), 1.0 / r}, region, 0.01);
  expect_radii({saddle, piece, piece, piece, piece, -1.0 / r, 1.0 / r}, region, 0.01);
}

// On a sphere every point and every direction is alike: the worst of many.
TEST(QuadricFit, EveryPointOfASphereWithinOnePercent) {
  const SurfaceIndex index(
      make_piece([](double u, double v) { return Vec3(Vec3(std::tan(u), std::tan(v), 1.0).normalized() * kRadius); },
                 0.6, 0.6, 24, 24));
  QuadricFitter fitter(index);
  double worst = 0.0;
  for (int i = 0; i < 200; ++i) {
    const auto count = static_cast<std::uint64_t>(i);
    const Vec3 normal =
        Vec3(0.4 * random_share(1, count, 0) - 0.2, 0.4 * random_share(1, count, 1) - 0.2, 1.0).normalized();
    const QuadricFit fit = fitter.fit(kRadius * normal, normal, 0.3 * kRadius);
    const RelativeCurvature relative = find_relative_curvature(fit.quadric, {-normal, any_tangent(normal), 0, 0, 0});
    for (const double curvature : relative.curvature_per_m)
      worst = std::max(worst, std::abs(curvature * kRadius - 1.0));
  }
  EXPECT_LT(worst, 0.01);
}

// A quadric with a ripple of known height: the ripple is what is left, over the root of two.
TEST(QuadricFit, StandardDeviationIsThatOfTheDistance) {
  const double height = 2e-6;
  const auto rippled = [=](double u, double v) {
    return Vec3(u, v,
                -20.0 * u * u + 10.0 * v * v + height * std::sin(6e3 * u) * std::numbers::sqrt2 * std::sin(6e3 * v));
  };
  const SurfaceIndex index(make_piece(rippled, 0.004, 0.004, 240, 240));
  const QuadricFit fit = QuadricFitter(index).fit(Vec3::Zero(), Vec3::UnitZ(), 0.003);
  EXPECT_NEAR(fit.standard_deviation_m / (height / std::numbers::sqrt2), 1.0, 0.03);
}

// A box with few large triangles: a face is flat, and what lies round the edge does not count.
TEST(QuadricFit, BoxFaceIsFlatUpToItsEdge) {
  const SurfaceIndex index(make_shape_mesh(BoxShape{Vec3(0.5, 0.5, 0.5)}, 0.0));
  QuadricFitter fitter(index);
  for (const double x : {0.1, 0.4995}) {
    const QuadricFit fit = fitter.fit(Vec3(x, 0.13, 0.5), Vec3::UnitZ(), 0.001);
    EXPECT_NEAR(fit.quadric.curvature().norm(), 0.0, 1e-9);
    EXPECT_LT(fit.standard_deviation_m, 1e-12);
    EXPECT_NEAR(fit.area_m2 / (std::numbers::pi * 1e-6), x < 0.2 ? 1.0 : 0.804, 0.02);
  }
}

// The other sheet of a thin plate lies within the radius, but does not hang together with the near one.
TEST(QuadricFit, LeavesOutSheetsThatAreNotConnected) {
  TriangleMesh mesh = make_piece([](double u, double v) { return Vec3(u, v, 0.0); }, 0.01, 0.01, 20, 20);
  const TriangleMesh above =
      make_piece([](double u, double v) { return Vec3(u, v, 0.0005 + 10.0 * u * u); }, 0.01, 0.01, 20, 20);
  const auto first = static_cast<std::int32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), above.vertices.begin(), above.vertices.end());
  for (const auto& t : above.triangles) mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  const SurfaceIndex index(mesh);
  QuadricFitter fitter(index);
  const QuadricFit fit = fitter.fit(Vec3(0.0003, 0.0002, 0.0), Vec3::UnitZ(), 0.004);
  EXPECT_NEAR(fit.quadric.curvature().norm(), 0.0, 1e-9);
  EXPECT_NEAR(fit.area_m2 / (std::numbers::pi * 1.6e-5), 1.0, 0.02);
}

TEST(QuadricFit, DoesNotDependOnHowTheSurfaceIsCutIntoTriangles) {
  // One side of the paraboloid has edges a quarter as long: a fit to vertices would follow that side.
  const auto surface = [](double u, double v) { return Vec3(u, v, -50.0 * u * u - 20.0 * v * v - 2e4 * u * u * u); };
  const auto uneven = [&](double u, double v) { return surface(u > 0.0 ? u : 4.0 * u, v); };
  const SurfaceIndex even_index(make_piece(surface, 0.002, 0.002, 64, 64));
  const SurfaceIndex uneven_index(make_piece(uneven, 0.002, 0.002, 64, 64));
  const QuadricFit even = QuadricFitter(even_index).fit(Vec3::Zero(), Vec3::UnitZ(), 0.0015);
  const QuadricFit other = QuadricFitter(uneven_index).fit(Vec3::Zero(), Vec3::UnitZ(), 0.0015);
  EXPECT_NEAR((even.quadric.curvature() - other.quadric.curvature()).norm() / even.quadric.curvature().norm(), 0.0,
              0.03);
}

// The cost of a fit follows its region: the walk sees the same triangles on a mesh of any size.
TEST(QuadricFit, SeesTheSameOnALargeMesh) {
  const auto plane = [](double u, double v) { return Vec3(u, v, 0.0); };
  std::vector<int> counts;
  for (const int n : {20, 200}) {
    const SurfaceIndex index(make_piece(plane, 0.0005 * n, 0.0005 * n, n, n));
    counts.push_back(QuadricFitter(index).fit(Vec3(1e-4, 1e-4, 0.0), Vec3::UnitZ(), 0.003).triangles);
    EXPECT_LT(counts.back(), 110);
  }
  EXPECT_NEAR(counts[0], counts[1], 8);
}

TEST(QuadricFit, FindsTheNearestTriangle) {
  const SurfaceIndex index(
      make_piece([](double u, double v) { return Vec3(Vec3(std::tan(u), std::tan(v), 1.0).normalized() * kRadius); },
                 0.6, 0.6, 24, 24));
  for (std::uint64_t i = 0; i < 300; ++i) {
    const Vec3 p = 0.02 * Vec3(random_share(2, i, 0) - 0.5, random_share(2, i, 1) - 0.5, random_share(2, i, 2));
    const auto distance = [&](std::int32_t t) { return (p - nearest_on_triangle(index.corners(t), p)).norm(); };
    double least = std::numeric_limits<double>::infinity();
    for (std::int32_t t = 0; t < static_cast<std::int32_t>(index.mesh().triangles.size()); ++t)
      least = std::min(least, distance(t));
    EXPECT_EQ(distance(index.find_nearest_triangle(p)), least);
  }
}

TEST(QuadricFit, RefusesBadInput) {
  EXPECT_THROW(SurfaceIndex(TriangleMesh{}), InputError);
  EXPECT_THROW(SurfaceIndex(TriangleMesh{{Vec3::Zero()}, {{0, 0, 1}}}), InputError);
  const SurfaceIndex index(make_shape_mesh(BoxShape{}, 0.0));
  QuadricFitter fitter(index);
  EXPECT_THROW(fitter.fit(Vec3(0, 0, 0.01), Vec3::UnitZ(), 0.0), InputError);
  EXPECT_THROW(fitter.fit(Vec3(0, 0, 0.01), -Vec3::UnitZ(), 0.001), InputError);
}

}  // namespace
}  // namespace distal
