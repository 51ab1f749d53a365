// Meshes from files; coordinates are metres. Throws InputError that names file, line, what was expected and what was
// found.
#pragma once
#include <string>

#include "distal/geometry/tet_mesh.hpp"
#include "distal/geometry/triangle_mesh.hpp"

namespace distal {

// By extension: Gmsh .msh (2.2 and 4.1, ASCII), TetGen .node or .ele (the other is found beside it; counted from 0 or
// 1), VTK .vtu (ASCII and inline base64). Elements of lower dimension and vertices that no tetrahedron uses are left
// out; the rest keeps its order. A file in which every cell is inverted counts its vertices the other way round and is
// turned; one in which some are is refused.
TetMesh load_tet_mesh(const std::string& file);

// By extension: .stl, .obj, .ply (ASCII and little-endian binary). Vertices of equal coordinates become one, polygons
// become fans of triangles.
TriangleMesh load_surface(const std::string& file);

}  // namespace distal
