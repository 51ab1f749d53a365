// The contact pressure, seen from below, and as the grid of a tactile sensor.
#pragma once
#include <string>

#include "distal/record/history.hpp"

namespace distal {

// Empty where no body of the frame is touched.
std::string pressure_map_svg(const Frame& frame);
std::string taxel_map_svg(const TaxelGrid& grid);

}  // namespace distal
