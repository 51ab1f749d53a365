// How strongly the undeformed skin bends at each of its vertices.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "distal/math/spatial.hpp"

namespace distal {

// Mean curvature [1/m], positive where the body is convex: the mean over a vertex's edges of the curvature of the arc
// that leaves along its normal plane, 2 n . (x_i - x_j) / |x_i - x_j|^2.
std::vector<double> find_skin_curvature(const std::vector<Vec3>& vertices_m,
                                        const std::vector<std::array<std::int32_t, 3>>& triangles);

}  // namespace distal
