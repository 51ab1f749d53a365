// What every surface mesh must satisfy, written independently of the code under test.
#pragma once
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <utility>

#include "distal/geometry/triangle_mesh.hpp"

namespace distal::test {

inline Vec3 corner(const TriangleMesh& mesh, std::size_t triangle, int k) {
  return mesh.vertices[mesh.triangles[triangle][k]];
}

// Twice the area along the front normal [m^2].
inline Vec3 doubled_area(const TriangleMesh& mesh, std::size_t triangle) {
  const Vec3 a = corner(mesh, triangle, 0);
  return (corner(mesh, triangle, 1) - a).cross(corner(mesh, triangle, 2) - a);
}

inline double total_area(const TriangleMesh& mesh) {
  const auto areas = vertex_areas(mesh);
  return std::accumulate(areas.begin(), areas.end(), 0.0);
}

// Edges met exactly twice, once in each direction, and all others.
struct EdgeCount {
  int paired = 0;
  int other = 0;
};

inline EdgeCount count_edges(const TriangleMesh& mesh) {
  std::map<std::pair<int, int>, int> directed;
  for (const auto& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) ++directed[{t[k], t[(k + 1) % 3]}];
  }
  EdgeCount count;
  for (const auto& [edge, uses] : directed) {
    const auto reverse = directed.find({edge.second, edge.first});
    const bool paired = uses == 1 && reverse != directed.end() && reverse->second == 1;
    if (!paired) {
      ++count.other;
    } else if (edge.first < edge.second) {
      ++count.paired;
    }
  }
  return count;
}

inline double smallest_angle_deg(const TriangleMesh& mesh) {
  double smallest = 180.0;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      const Vec3 u = corner(mesh, i, (k + 1) % 3) - corner(mesh, i, k);
      const Vec3 v = corner(mesh, i, (k + 2) % 3) - corner(mesh, i, k);
      smallest = std::min(smallest, std::atan2(u.cross(v).norm(), u.dot(v)) * 180.0 / M_PI);
    }
  }
  return smallest;
}

inline std::pair<double, double> edge_range(const TriangleMesh& mesh) {
  double shortest = 1e300, longest = 0.0;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      const double length = (corner(mesh, i, (k + 1) % 3) - corner(mesh, i, k)).norm();
      shortest = std::min(shortest, length);
      longest = std::max(longest, length);
    }
  }
  return {shortest, longest};
}

inline double largest_area_ratio(const TriangleMesh& mesh) {
  const auto areas = vertex_areas(mesh);
  const auto [least, most] = std::minmax_element(areas.begin(), areas.end());
  return *most / *least;
}

// Enclosed volume by the divergence theorem [m^3].
inline double volume_of(const TriangleMesh& mesh) {
  double volume = 0.0;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) volume += corner(mesh, i, 0).dot(doubled_area(mesh, i)) / 6.0;
  return volume;
}

// The same points on every machine.
class RandomPoints {
 public:
  explicit RandomPoints(double half_width_m) : half_width_m_(half_width_m) {}
  Vec3 next() { return {coordinate(), coordinate(), coordinate()}; }

 private:
  double coordinate() { return half_width_m_ * (2.0 * (generator_() / 4294967296.0) - 1.0); }
  std::mt19937 generator_{7};
  double half_width_m_;
};

}  // namespace distal::test
