// Any solid that a lattice can fill: a signed distance, its bounds, and its outer surface as triangles.
#pragma once
#include <functional>
#include <string>

#include "distal/geometry/triangle_mesh.hpp"

namespace distal {

struct Solid {
  std::function<double(const Vec3&)> signed_distance;  // [m], negative inside
  Aabb bounds;                                         // [m]
  TriangleMesh surface;                                // where contact can happen; edges near `edge_m`
};

// The fingertip of paper 1 without its rod: cylinder (-tip_length <= z <= 0) and concentric hemisphere (z >= 0) of
// tip_radius, minus the rod's cylinder and hemisphere of rod_radius. `surface` is the outer skin (side and dome) and
// the free annulus at z = -tip_length.
Solid make_fingertip_solid(double tip_radius_m, double rod_radius_m, double tip_length_m, double edge_m);

// An axis-aligned block centred at the origin.
Solid make_block_solid(const Vec3& size_m, double edge_m);

// A closed triangle mesh minus the rod (cylinder for -inf < z <= 0 and hemisphere of rod_radius at the origin; a rod
// radius of 0 takes nothing away). Its edges are split until none is longer than edge_m; triangles that reach into the
// rod are left out of `surface`. With a rod the distance is exact inside, and outside never more than the true one.
// Throws InputError for an open (with the count of open edges), inside-out or empty mesh, one that cuts itself, or one
// lost in the rod.
Solid make_mesh_solid(const TriangleMesh& closed_mesh, double rod_radius_m, double edge_m);

// Points spread evenly over the part of the rod that the pad covers: the rod's hemisphere (z >= 0) and cylinder down to
// z = -covered_length. As a triangle mesh with edges near edge_m, normals pointing out of the rod.
TriangleMesh make_rod_surface(double rod_radius_m, double covered_length_m, double edge_m);
// All of the rod, for pictures.
TriangleMesh make_drawn_rod(double rod_radius_m, double length_m);

// Binary or ASCII STL, vertices welded. Throws InputError with the file and what is wrong.
TriangleMesh load_stl(const std::string& file);

}  // namespace distal
