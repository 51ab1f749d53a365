// The slow way to the separation of two convex polytopes: all corners against all triangles, all edges against all
// edges; where they overlap, all directions of faces and of pairs of edges.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "distal/geometry/quadric_fit.hpp"

namespace distal {

inline TriangleMesh moved(TriangleMesh mesh, const Pose& pose) {
  for (Vec3& v : mesh.vertices) v = pose.to_world(v);
  return mesh;
}

inline double separation_along(const TriangleMesh& a, const TriangleMesh& b, const Vec3& n) {
  double most = -1e300, least = 1e300;
  for (const Vec3& v : a.vertices) most = std::max(most, n.dot(v));
  for (const Vec3& v : b.vertices) least = std::min(least, n.dot(v));
  return least - most;
}

inline double segment_distance(const Vec3& p, const Vec3& u, const Vec3& q, const Vec3& v) {
  // By the ends, and by the crossing of the lines.
  double least = 1e300;
  const auto to_end = [&](const Vec3& end, const Vec3& from, const Vec3& along) {
    const double t = std::clamp(along.dot(end - from) / along.squaredNorm(), 0.0, 1.0);
    least = std::min(least, (from + t * along - end).norm());
  };
  to_end(p, q, v), to_end(p + u, q, v), to_end(q, p, u), to_end(q + v, p, u);
  const Vec3 across = u.cross(v);
  if (const double squared = across.squaredNorm(); squared > 0.0) {
    const double s = (q - p).cross(v).dot(across) / squared, t = (q - p).cross(u).dot(across) / squared;
    if (s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0) least = std::min(least, (p + s * u - q - t * v).norm());
  }
  return least;
}

struct PolytopeEdges {
  std::vector<Vec3> from, along, normals;
  explicit PolytopeEdges(const TriangleMesh& mesh) {
    for (const auto& t : mesh.triangles) {
      const auto at = [&](std::size_t k) { return mesh.vertices[static_cast<std::size_t>(t[k % 3])]; };
      normals.push_back((at(1) - at(0)).cross(at(2) - at(0)).normalized());
      for (std::size_t k = 0; k < 3; ++k)
        if (t[k] < t[(k + 1) % 3]) from.push_back(at(k)), along.push_back(at(k + 1) - at(k));
    }
  }
};

inline double reference_separation(const TriangleMesh& a, const TriangleMesh& b) {
  const PolytopeEdges edges_a(a), edges_b(b);
  double largest = -1e300;
  for (const Vec3& n : edges_a.normals) largest = std::max(largest, separation_along(a, b, n));
  for (const Vec3& n : edges_b.normals) largest = std::max(largest, separation_along(a, b, -n));
  for (const Vec3& u : edges_a.along)
    for (const Vec3& v : edges_b.along) {
      const Vec3 across = u.cross(v);
      const double size = across.norm();
      if (size < 1e-9 * u.norm() * v.norm()) continue;
      largest = std::max({largest, separation_along(a, b, across / size), separation_along(a, b, -across / size)});
    }
  if (largest <= 0.0) return largest;
  double least = 1e300;
  const auto corners = [&](const TriangleMesh& one, const TriangleMesh& other) {
    for (const auto& t : one.triangles)
      for (const Vec3& v : other.vertices) {
        const std::array<Vec3, 3> corner = {one.vertices[static_cast<std::size_t>(t[0])],
                                            one.vertices[static_cast<std::size_t>(t[1])],
                                            one.vertices[static_cast<std::size_t>(t[2])]};
        least = std::min(least, (nearest_on_triangle(corner, v) - v).norm());
      }
  };
  corners(a, b), corners(b, a);
  for (std::size_t i = 0; i < edges_a.from.size(); ++i)
    for (std::size_t k = 0; k < edges_b.from.size(); ++k)
      least = std::min(least, segment_distance(edges_a.from[i], edges_a.along[i], edges_b.from[k], edges_b.along[k]));
  return least;
}

}  // namespace distal
