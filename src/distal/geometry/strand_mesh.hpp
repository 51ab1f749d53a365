// A cross-section swept along a centre line: rings of nodes, and tetrahedra between the rings.
#pragma once
#include <string>

#include "distal/geometry/strand_section.hpp"
#include "distal/geometry/tet_mesh.hpp"

namespace distal {

struct StrandMesh {
  StrandSection section;  // as swept [m]
  int rings = 0;
  TetMesh mesh;  // node p of the section at ring r is vertex p * rings + r
  std::int32_t vertex(std::int32_t place, int ring) const { return place * rings + ring; }
};

// A smooth curve through the points (Catmull-Rom), as points a whole number of steps apart, nearest to spacing_m.
std::vector<Vec3> make_centre_line(const std::vector<Vec3>& points_m, double spacing_m);

// `section` is in metres; its axes follow the line without turning about it. Throws InputError that begins with `where`
// for a line shorter than the radius, and for one that turns tighter than the radius.
StrandMesh make_strand_mesh(const StrandSection& section, double radius_m, const std::vector<Vec3>& line_m,
                            const std::string& where);

}  // namespace distal
