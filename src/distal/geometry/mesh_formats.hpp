// The readers behind load_tet_mesh and load_surface, one file each. They parse; load_tet_mesh checks.
#pragma once
#include <string>

#include "distal/geometry/tet_mesh.hpp"
#include "distal/geometry/triangle_mesh.hpp"

namespace distal {

TetMesh load_gmsh(const std::string& file);
// Without the extension.
TetMesh load_tetgen(const std::string& base);
TetMesh load_vtu(const std::string& file);
TriangleMesh load_obj(const std::string& file);
TriangleMesh load_ply(const std::string& file);

}  // namespace distal
