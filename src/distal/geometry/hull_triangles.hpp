// The convex hull of points as triangles.
#pragma once
#include "distal/geometry/triangle_mesh.hpp"

namespace distal {

// Triangles over the given points, counter-clockwise seen from outside, by the quickhull method (Barber, Dobkin and
// Huhdanpaa 1996). The points are first moved by up to a millionth of their extent, so that no four lie in a plane and
// every decision is clear: points that stand out by less may be left out. Empty if they all lie nearly in a plane.
std::vector<std::array<std::int32_t, 3>> find_hull_triangles(const std::vector<Vec3>& points);

// Share of the extent by which the points are moved.
inline constexpr double hull_blur = 1e-6;

}  // namespace distal
