// Tetrahedra inside a closed surface, made by another program.
#pragma once
#include <string>

#include "distal/geometry/tet_mesh.hpp"
#include "distal/geometry/triangle_mesh.hpp"

namespace distal {

// Runs `tetgen`, or else `gmsh`, whichever is on PATH; edges of the surface that are longer than edge_m are halved
// first, shorter ones stay. Throws InputError that begins with `where`: neither program is there, the surface is empty,
// open or cuts itself, a triangle has no area, the program fails (with what it printed) or takes longer than five
// minutes.
TetMesh fill_surface(const TriangleMesh& closed_surface, double edge_m, const std::string& where);

}  // namespace distal
