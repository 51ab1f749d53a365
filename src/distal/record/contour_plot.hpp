// Outlines in a plane, drawn to scale, as SVG.
#pragma once
#include <string>
#include <vector>

#include "distal/record/svg.hpp"

namespace distal {

struct DrawnLine {
  std::string name;  // in the legend; empty: not listed
  int color = 0;     // 0 to 7, of the page's palette
  bool dashed = false;
  std::vector<Pixel> points;  // [m], y up
};

struct DrawnPoints {
  int color = 0;
  bool crosses = false;  // dots otherwise
  std::vector<Pixel> points;
};

struct ContourPlot {
  std::string title;
  std::vector<DrawnLine> lines;
  std::vector<DrawnPoints> points;
};

std::string contour_plot_svg(const ContourPlot& plot);

}  // namespace distal
