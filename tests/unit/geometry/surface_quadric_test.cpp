#include "distal/geometry/surface_quadric.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

namespace distal {
namespace {

// Second derivatives of the depth below the tangent plane, from the shape's own distance.
Mat3 curvature_by_difference(const Shape& shape, const Vec3& surface_point) {
  const Vec3 n = signed_distance(shape, surface_point).normal, x = any_tangent(n), y = n.cross(x);
  const double h = 1e-4;
  // Along the normal of a distance field: depth = distance of the tangent plane's points, to third order.
  const auto depth = [&](double u, double v) {
    return signed_distance(shape, surface_point + h * (u * x + v * y)).value;
  };
  const double xx = (depth(1, 0) - 2.0 * depth(0, 0) + depth(-1, 0)) / (h * h);
  const double yy = (depth(0, 1) - 2.0 * depth(0, 0) + depth(0, -1)) / (h * h);
  const double xy = (depth(1, 1) - depth(1, -1) - depth(-1, 1) + depth(-1, -1)) / (4.0 * h * h);
  return xx * x * x.transpose() + yy * y * y.transpose() + xy * (x * y.transpose() + y * x.transpose());
}

TEST(SurfaceQuadric, OfEveryShapeFollowsItsDistance) {
  const Vec3 slant = Vec3(0.3, -0.5, 0.7).normalized();
  const std::vector<std::pair<Shape, Vec3>> places = {
      {PlaneShape{}, Vec3(0.1, 0.2, 0.0)},
      {SphereShape{0.02}, 0.02 * slant},
      {BoxShape{Vec3(0.01, 0.02, 0.03)}, Vec3(0.004, 0.02, -0.01)},
      {CapsuleShape{0.02, 0.05}, Vec3(0.012, 0.016, 0.03)},
      {CapsuleShape{0.02, 0.05}, Vec3(0.02 * slant + Vec3(0.0, 0.0, 0.05))}};
  for (const auto& [shape, point] : places) {
    const SurfaceQuadric quadric = find_shape_quadric(shape, point);
    EXPECT_LT((quadric.curvature() - curvature_by_difference(shape, point)).norm(), 1e-2) << shape.index();
    EXPECT_NEAR(quadric.normal.dot(quadric.x_axis), 0.0, 1e-12);
  }
}

TEST(SurfaceQuadric, SphereOnPlaneAndSphereInSphere) {
  const SurfaceQuadric ball = find_shape_quadric(SphereShape{0.01}, Vec3(0, 0, 0.01));
  SurfaceQuadric socket{-Vec3::UnitZ(), Vec3::UnitX(), -0.5 / 0.02, -0.5 / 0.02, 0.0};
  EXPECT_NEAR(find_relative_curvature(ball, find_shape_quadric(PlaneShape{}, Vec3::Zero())).curvature_per_m[0], 100.0,
              1e-9);
  EXPECT_NEAR(find_relative_curvature(ball, socket).curvature_per_m[1], 50.0, 1e-9);
  socket.a = socket.b = -0.5 / 0.01;  // conforming
  EXPECT_NEAR(find_relative_curvature(ball, socket).curvature_per_m[1], 0.0, 1e-9);
}

// Equal cylinders of radius r at an angle w: 1/R', 1/R'' = (1 -+ cos w)/r.
TEST(SurfaceQuadric, CrossedCylinders) {
  const double r = 0.01;
  for (const double angle : {0.0, 0.3, 1.2, 1.5707963267948966}) {
    const SurfaceQuadric one{Vec3::UnitZ(), Vec3::UnitX(), 0.0, 0.5 / r, 0.0};
    const SurfaceQuadric other{-Vec3::UnitZ(), Vec3(std::cos(angle), std::sin(angle), 0.0), 0.0, 0.5 / r, 0.0};
    const RelativeCurvature relative = find_relative_curvature(one, other);
    EXPECT_NEAR(relative.curvature_per_m[0], (1.0 - std::cos(angle)) / r, 1e-8);
    EXPECT_NEAR(relative.curvature_per_m[1], (1.0 + std::cos(angle)) / r, 1e-8);
    // Turned so that the cross term vanishes.
    EXPECT_NEAR(relative.axes[0].dot((one.curvature() + other.curvature()) * relative.axes[1]), 0.0, 1e-8);
    EXPECT_NEAR(relative.axes[0].dot(relative.axes[1]), 0.0, 1e-12);
    EXPECT_NEAR(relative.axes[0].z(), 0.0, 1e-12);
    // The long axis halves the angle between the cylinders.
    if (angle > 0.0 && angle < 1.5) {
      const Vec3 halfway(std::cos(angle / 2.0), std::sin(angle / 2.0), 0.0);
      EXPECT_NEAR(std::abs(relative.axes[0].dot(halfway)), 1.0, 1e-9);
    }
  }
}

TEST(SurfaceQuadric, CrossTermIsPartOfTheForm) {
  const SurfaceQuadric quadric{Vec3::UnitZ(), Vec3::UnitX(), 3.0, 5.0, 4.0};
  const Vec3 p(0.2, -0.7, 0.0);
  EXPECT_NEAR(0.5 * p.dot(quadric.curvature() * p), 3.0 * 0.04 + 5.0 * 0.49 - 4.0 * 0.14, 1e-12);
}

}  // namespace
}  // namespace distal
