// A surface near a point as a quadric (paper 3, 4.1), and the relative curvature of two of them.
#pragma once
#include <array>

#include "distal/geometry/shape.hpp"

namespace distal {

// z = A x^2 + B y^2 + C x y (7), with z into the body, so that convex bodies have positive A and B.
struct SurfaceQuadric {
  Vec3 normal = Vec3::UnitZ();       // unit, out of the body
  Vec3 x_axis = Vec3::UnitX();       // unit, in the tangent plane; y_axis = normal x x_axis
  double a = 0.0, b = 0.0, c = 0.0;  // [1/m]

  Vec3 y_axis() const { return normal.cross(x_axis); }
  // Second derivatives of z as a bilinear form of space; nothing along the normal [1/m].
  Mat3 curvature() const;
};

// The gap between two bodies that touch: x^2/2R' + y^2/2R'' (8).
struct RelativeCurvature {
  std::array<double, 2> curvature_per_m = {0.0,
                                           0.0};  // 1/R' <= 1/R'': zero where flat, negative where one holds the other
  std::array<Vec3, 2> axes = {Vec3::UnitX(), Vec3::UnitY()};  // unit, the first is the patch's long axis
};

// Both quadrics in one frame; the normals need not be exactly opposite, the mean plane counts.
RelativeCurvature find_relative_curvature(const SurfaceQuadric& one, const SurfaceQuadric& other);

// A primitive's own quadric at the surface point nearest to `local_point`, in its frame: exact; faces count and edges
// do not. Meshes are fitted: MeshQuadrics.
SurfaceQuadric find_shape_quadric(const Shape& shape, const Vec3& local_point);

// Any unit vector at right angles to a unit vector.
Vec3 any_tangent(const Vec3& normal);

}  // namespace distal
