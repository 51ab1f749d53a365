// What the makers of tetrahedral shapes ask of their input.
#pragma once
#include <algorithm>
#include <cmath>

#include "distal/geometry/tet_shapes.hpp"

namespace distal {

// Throws InputError unless 0 < value < inf.
void check_size(const char* name, double value);
void check_cell_count(double cells, double edge_m);

// How many parts of about part_m make up length_m, as a double so that no input overflows.
inline double count_parts(double length_m, double part_m, double at_least) {
  return std::max(at_least, std::round(length_m / part_m));
}

}  // namespace distal
