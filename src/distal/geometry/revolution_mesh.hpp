// Surfaces of revolution about z with nearly equilateral triangles, also close to the axis.
#pragma once
#include <algorithm>
#include <vector>

#include "distal/geometry/triangle_mesh.hpp"

namespace distal {

// A point of the meridian: distance from the axis and height [m].
struct MeridianPoint {
  double radius;
  double z;
};

// The meridian as rows of the mesh, one height of an equilateral triangle apart (as nearly as divides evenly).
class Meridian {
 public:
  Meridian(MeridianPoint start, double edge_m);

  // A quarter circle about the origin down to (radius, 0), continued by a wall to (radius, -length): one smooth piece.
  void add_dome_and_wall(double length_m);
  // A straight piece to `end`.
  void add_line(MeridianPoint end);
  // The mirror image in z = 0 of all rows so far, in reverse; the last row must lie on z = 0.
  void add_mirror_image();

  // All rows so far, moved along the axis.
  void move(double z_m);

  const std::vector<MeridianPoint>& rows() const { return rows_; }

 private:
  int count_steps(double length_m) const;

  std::vector<MeridianPoint> rows_;
  double edge_m_;
};

// Of the mesh of something long and thin that is only drawn: a needle has as few rows as a rod.
inline double drawn_edge(double edge_m, double length_m) { return std::max(edge_m, length_m / 400.0); }

// Turns the meridian about z. A first or last row on the axis becomes one vertex, otherwise the surface is open there.
// The front is on the outside of a meridian that runs down (and then inwards). The mesh maps onto itself by a quarter
// turn, as a cubic lattice does, so that a straight press gives no sideways force.
TriangleMesh make_revolution_mesh(const Meridian& meridian, double edge_m);

}  // namespace distal
