// Axes for keys of scenes and measures of runs, whose names end in their unit.
#pragma once
#include <string>

#include "distal/record/line_plot.hpp"

namespace distal {

// Units that take a prefix (kPa) are left to the plot; others stand in the label.
PlotAxis plot_axis(const std::string& name, bool from_zero = true);

}  // namespace distal
