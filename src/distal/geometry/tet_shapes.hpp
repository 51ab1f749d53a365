// Plain solids filled with tetrahedra: centred at the origin, axis along z, every mesh its own mirror image in x = 0,
// y = 0 and z = 0. Throws InputError for a size that is not a finite number above 0, and for more cells than
// `most_shape_cells`.
#pragma once
#include "distal/geometry/tet_mesh.hpp"

namespace distal {

inline constexpr double most_shape_cells = 2e7;

// A regular grid of bricks, x fastest, an even number along each axis, as near edge_m / 1.2 as divides the size; each
// brick is cut into five tetrahedra, in turn in one way and its mirror image. With the diagonals the mean edge is
// edge_m.
TetMesh make_cuboid_mesh(const Vec3& size_m, double edge_m);

// Round shapes: the mean edge is about edge_m, every vertex of the boundary lies on the true surface.
TetMesh make_cylinder_mesh(double radius_m, double height_m, double edge_m);
TetMesh make_sphere_mesh(double radius_m, double edge_m);
// Two half balls around a straight part of length_m.
TetMesh make_capsule_mesh(double radius_m, double length_m, double edge_m);

}  // namespace distal
