// A grid of coloured cells over two quantities, as SVG.
#pragma once
#include <string>
#include <vector>

#include "distal/record/line_plot.hpp"

namespace distal {

struct HeatMap {
  std::string title;
  PlotAxis x, y, value;                    // names and SI units
  std::vector<double> x_values, y_values;  // of the cells' middles, increasing
  std::vector<double> values;              // row by row from the smallest y; NaN where there is none
  bool logarithmic_colors = false;         // only where all values are positive
  std::vector<Pixel> marks;                // crosses at (x, y)
};

std::string heat_map_svg(const HeatMap& map);

}  // namespace distal
