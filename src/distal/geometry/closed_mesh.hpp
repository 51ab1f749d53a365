// Checks and refinement of closed triangle meshes.
#pragma once
#include <cstddef>

#include "distal/geometry/triangle_mesh.hpp"

namespace distal {

// Edges that are not shared by exactly two triangles running along them in opposite directions: 0 for a closed mesh.
std::size_t count_open_edges(const TriangleMesh& mesh);

// [m^3], negative where the triangles face inwards. The mesh must be closed.
double enclosed_volume(const TriangleMesh& closed_mesh);

// Halves the longest edge of all, with the two triangles beside it, until none is longer than edge_m. The shape and
// the closedness stay, and taking the longest first keeps the triangles from growing thin.
TriangleMesh split_long_edges(TriangleMesh closed_mesh, double edge_m);

}  // namespace distal
