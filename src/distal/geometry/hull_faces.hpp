// Triangles of a hull that lie in one plane, merged into polygons.
#pragma once
#include "distal/geometry/triangle_mesh.hpp"

namespace distal {

// Loops of vertices, counter-clockwise seen from outside; vertices inside of a face or of an edge are left out.
// Triangles belong together that lie within `tolerance_m` of the plane of the largest of them.
std::vector<std::vector<std::int32_t>> merge_hull_faces(const std::vector<Vec3>& points,
                                                        const std::vector<std::array<std::int32_t, 3>>& triangles,
                                                        double tolerance_m);

}  // namespace distal
