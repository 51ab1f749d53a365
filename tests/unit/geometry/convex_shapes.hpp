// Convex meshes for tests.
#pragma once
#include "distal/geometry/hull_triangles.hpp"
#include "distal/geometry/shape.hpp"
#include "manifold_checks.hpp"

namespace distal {

inline ConvexShape make_convex(TriangleMesh mesh) { return {std::make_shared<const ConvexHull>(std::move(mesh))}; }

inline TriangleMesh make_hull_mesh(const std::vector<Vec3>& points) { return {points, find_hull_triangles(points)}; }

// Random points on an ellipsoid, moved off the origin.
inline TriangleMesh make_pebble(RandomPoses& random, int points, const Vec3& half_size_m) {
  std::vector<Vec3> all;
  const Vec3 centre = 0.3 * half_size_m.cwiseProduct(random.vector());
  for (int i = 0; i < points; ++i)
    all.emplace_back(centre + half_size_m.cwiseProduct(Vec3(random.turn() * Vec3::UnitX())));
  return make_hull_mesh(all);
}

}  // namespace distal
