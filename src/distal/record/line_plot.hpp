// Lines and points in a frame with axes, units, ticks and a legend, as SVG.
#pragma once
#include <string>
#include <vector>

#include "distal/record/svg.hpp"

namespace distal {

struct PlotLine {
  std::string name;  // in the legend; empty: not listed
  int color = 0;     // 0 to 7, of the page's palette
  bool dashed = false;
  bool markers = false;       // also a dot at each point
  std::vector<Pixel> points;  // x and y in SI units, finite
  bool joined = true;         // by a line
};

struct PlotAxis {
  std::string label, si_unit;
  bool from_zero = true;  // a line plot shows zero too
};

struct LinePlot {
  std::string title;
  PlotAxis x, y;
  std::vector<PlotLine> lines;
};

std::string line_plot_svg(const LinePlot& plot);
// As a file of its own, with the style that a page would give it.
std::string line_plot_file(const LinePlot& plot);

}  // namespace distal
