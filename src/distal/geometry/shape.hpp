// Rigid shapes that soft surfaces touch: signed distance and outward normal in the shape's own frame.
#pragma once
#include <memory>
#include <variant>
#include <vector>

#include "distal/geometry/convex_hull.hpp"

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
struct CylinderShape {
  double radius_m = 0.01, half_length_m = 0.01;
};  // centred at the origin, along z
struct ConvexShape {
  std::shared_ptr<const ConvexHull> hull;  // never null
};                                         // wherever its mesh lies
// Several of them, each at its place; may overlap.
struct UnionShape {
  struct Part;
  std::vector<Part> parts;
};
using Shape = std::variant<PlaneShape, SphereShape, BoxShape, CapsuleShape, CylinderShape, ConvexShape, UnionShape>;
struct UnionShape::Part {
  PointMap pose;
  Shape shape;
};

struct Distance {
  double value;  // [m], negative inside
  Vec3 normal;   // unit, points out of the shape at the closest surface point
};

// Exact distance to the surface; inside of a union, to that of the part where the point is deepest. In a box the
// nearest face decides; ties go to the lowest axis.
Distance signed_distance(const Shape& shape, const Vec3& local_point);

// For drawing: a closed mesh (a plane becomes a square of half-width `plane_half_width_m`).
TriangleMesh make_shape_mesh(const Shape& shape, double plane_half_width_m);

// How far from the origin [m] a turn moves its surface.
double turning_reach(const Shape& shape);

// Volume, centre of mass and inertia about it; planes and unions have none.
SolidMass find_solid_mass(const Shape& shape);

}  // namespace distal
