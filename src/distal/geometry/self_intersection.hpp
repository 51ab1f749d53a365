// Whether the triangles of a surface cut or touch one another elsewhere than along shared edges and corners.
#pragma once
#include <optional>

#include "distal/geometry/triangle_mesh.hpp"

namespace distal {

struct SelfIntersection {
  std::size_t first, second;  // triangles, first < second
  Vec3 point;                 // [m], in both
};

// The pair with the lowest first triangle, then the lowest second one. Triangles must have an area. Distances under
// about 1e-12 of the triangles' size count as none.
std::optional<SelfIntersection> find_self_intersection(const TriangleMesh& mesh);

}  // namespace distal
