// The fingertip of paper 1 and the rod inside it. Both are surfaces of revolution, so the closest point lies in the
// meridian half-plane of the query, and the distance is that to a chain of arcs and segments in the plane.
#include <algorithm>
#include <cmath>

#include "distal/core/error.hpp"
#include "distal/geometry/revolution_mesh.hpp"
#include "distal/geometry/solid.hpp"

namespace distal {
namespace {

struct Fingertip {
  double tip_radius;
  double rod_radius;
  double tip_length;
};

// To the segment x = at, lower <= y <= upper.
double distance_to_segment(double x, double y, double at, double lower, double upper) {
  return std::hypot(x - at, y - std::clamp(y, lower, upper));
}

double fingertip_signed_distance(const Fingertip& tip, const Vec3& p) {
  const double radius = std::hypot(p.x(), p.y());
  const double z = p.z();
  double distance = std::min({distance_to_segment(radius, z, tip.tip_radius, -tip.tip_length, 0.0),
                              distance_to_segment(radius, z, tip.rod_radius, -tip.tip_length, 0.0),
                              distance_to_segment(z, radius, -tip.tip_length, tip.rod_radius, tip.tip_radius)});
  // Below z = 0 the end of an arc is closest, which the segments above have already counted.
  double from_axis = radius;
  if (z >= 0.0) {
    from_axis = std::hypot(radius, z);
    distance = std::min({distance, std::abs(from_axis - tip.tip_radius), std::abs(from_axis - tip.rod_radius)});
  }
  const bool inside = from_axis < tip.tip_radius && from_axis > tip.rod_radius && z > -tip.tip_length;
  return inside ? -distance : distance;
}

}  // namespace

Solid make_fingertip_solid(double tip_radius_m, double rod_radius_m, double tip_length_m, double edge_m) {
  DISTAL_ASSERT(0.0 < rod_radius_m && rod_radius_m < tip_radius_m && tip_length_m >= 0.0);
  const Fingertip tip{tip_radius_m, rod_radius_m, tip_length_m};
  Meridian meridian({0.0, tip_radius_m}, edge_m);
  meridian.add_dome_and_wall(tip_length_m);
  meridian.add_line({rod_radius_m, -tip_length_m});

  Solid solid;
  solid.signed_distance = [tip](const Vec3& p) { return fingertip_signed_distance(tip, p); };
  solid.bounds.add({-tip_radius_m, -tip_radius_m, -tip_length_m});
  solid.bounds.add({tip_radius_m, tip_radius_m, tip_radius_m});
  solid.surface = make_revolution_mesh(meridian, edge_m);
  return solid;
}

TriangleMesh make_rod_surface(double rod_radius_m, double covered_length_m, double edge_m) {
  Meridian meridian({0.0, rod_radius_m}, edge_m);
  meridian.add_dome_and_wall(covered_length_m);
  return make_revolution_mesh(meridian, edge_m);
}

TriangleMesh make_drawn_rod(double rod_radius_m, double length_m) {
  return make_rod_surface(rod_radius_m, length_m, drawn_edge(rod_radius_m / 4.0, length_m));
}

}  // namespace distal
