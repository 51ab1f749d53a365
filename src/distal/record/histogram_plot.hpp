// How long the control periods took to compute, against the period itself.
#pragma once
#include <string>

#include "distal/record/statistics.hpp"

namespace distal {

std::string period_wall_histogram_svg(const DurationStatistics& durations, double control_period_s);

}  // namespace distal
