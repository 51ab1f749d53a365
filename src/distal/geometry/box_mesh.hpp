// The surface of an axis-aligned box.
#pragma once
#include "distal/geometry/triangle_mesh.hpp"

namespace distal {

// Centred at the origin, every face a regular grid with spacing as near edge_m as divides it evenly; vertices shared
// between faces. Every vertex inside a face belongs to six triangles and so owns the same area.
TriangleMesh make_box_mesh(const Vec3& size_m, double edge_m);

// To the surface of a box centred at the origin [m], negative inside.
double box_signed_distance(const Vec3& half_size_m, const Vec3& p);

}  // namespace distal
