// Rigid shapes that soft surfaces touch: signed distance and outward normal in the shape's own frame.
#pragma once
#include <variant>

#include "distal/geometry/triangle_mesh.hpp"

namespace distal {

struct PlaneShape {};  // solid where z < 0, normal +z
struct SphereShape {
  double radius_m = 0.01;
};  // centred at the origin
struct BoxShape {
  Vec3 half_size_m = Vec3::Constant(0.01);
};  // centred at the origin
struct CapsuleShape {
  double radius_m = 0.01, half_length_m = 0.01;  // of the straight part
};                                               // centred at the origin, along z
using Shape = std::variant<PlaneShape, SphereShape, BoxShape, CapsuleShape>;

struct Distance {
  double value;  // [m], negative inside
  Vec3 normal;   // unit, points out of the shape at the closest surface point
};

// Exact distance to the surface. In a box the nearest face decides; ties go to the lowest axis.
Distance signed_distance(const Shape& shape, const Vec3& local_point);

// For drawing: a closed mesh (a plane becomes a square of half-width `plane_half_width_m`).
TriangleMesh make_shape_mesh(const Shape& shape, double plane_half_width_m);

// Volume [m^3] and inertia about the centre for unit mass [m^2], principal axes along the shape's own; a plane has
// neither.
double volume(const Shape& shape);
Vec3 inertia_per_mass(const Shape& shape);

}  // namespace distal
