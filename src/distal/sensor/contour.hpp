// Where a plane cuts a surface.
#pragma once
#include "distal/geometry/triangle_mesh.hpp"

namespace distal {

using Polyline = std::vector<Vec3>;

// The lines of the cut; a closed one ends where it began. A surface that only touches the plane gives none.
std::vector<Polyline> find_contour(const TriangleMesh& surface, const Vec3& point, const Vec3& normal);

}  // namespace distal
