// Paper 2's contact of a finger with the facets of a soft body (its eqs 18 to 39, mended:
// docs/models/facet_contact.md): where a facet touches, Hunt-Crossley along the normal, stick and slip with a smooth
// switch along the surface.
#pragma once
#include "distal/contact/penalty_law.hpp"
#include "distal/geometry/shape.hpp"

namespace distal {

struct FacetPoint {
  std::array<double, 3> weight{};  // of the facet's vertices (area coordinates, eq. 38)
  Vec3 place = Vec3::Zero();
};

// Area coordinates of the point of a facet that is nearest to p.
std::array<double, 3> nearest_in_facet(const std::array<Vec3, 3>& facet, const Vec3& p);

// The point of a facet that is deepest in a shape, all in the shape's frame. For a sphere the nearest to its centre: on
// the face or else on an edge (eqs 18 to 25). For other shapes the deepest of its middle, corners and edge middles.
FacetPoint find_facet_point(const Shape& shape, const std::array<Vec3, 3>& facet);

// What a facet bears at rest: its spring.
struct FacetLoad {
  double force_n = 0.0, stiffness_n_m = 0.0, energy_j = 0.0;
  Vec3 normal = Vec3::Zero();
};

// Eq. 26 as printed: the whole force at one depth.
FacetLoad find_printed_load(const FacetContactDescription& d, double stiffness, double depth_m);

// By area: a sphere that is shallow inside a flat of facets bears eq. 26 in all, as the integral of a pressure over
// depth, n K depth^(n-1) / (2 pi R), over the part of a facet inside the shape. `deepest` is in the shape; everything
// in the shape's frame.
FacetLoad find_pressure_load(const FacetContactDescription& d, double stiffness, const Shape& shape,
                             const std::array<Vec3, 3>& facet, const Vec3& deepest);

// K of eq. 27 for a finger of this shape on a material; shapes without a radius count as a ball of their volume, and a
// plane as one of 10 mm.
double hunt_crossley_stiffness(const FacetContactDescription& d, const ElasticModuli& object, const Shape& finger);

// Where friction holds a facet.
struct FacetGrip {
  Vec3 point, relative_velocity;
};

// Fills force, stiffness, touch and anchor of a contact. `share` is the facet's part of the stick spring (1: per
// facet).
void apply_facet_law(const ContactDescription& law, const FacetLoad& load, double share, double first_approach_m_s,
                     const FacetGrip& grip, const ContactInput& in, Contact& out);

}  // namespace distal
