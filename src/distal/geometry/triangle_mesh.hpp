// Triangles with shared vertices, counter-clockwise seen from outside.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "distal/math/spatial.hpp"

namespace distal {

struct TriangleMesh {
  std::vector<Vec3> vertices;  // [m]
  std::vector<std::array<std::int32_t, 3>> triangles;
};

struct Aabb {
  Vec3 min = Vec3::Constant(1e300);   // [m]
  Vec3 max = Vec3::Constant(-1e300);  // [m]
  void add(const Vec3& p) {
    min = min.cwiseMin(p);
    max = max.cwiseMax(p);
  }
};

// A third of each triangle's area to each of its vertices [m^2].
std::vector<double> vertex_areas(const TriangleMesh& mesh);

}  // namespace distal
