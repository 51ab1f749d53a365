#include "distal/record/contour_plot.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "distal/record/quantity.hpp"

namespace distal {
namespace {

constexpr double kWidth = 760.0, kLeft = 52.0, kRight = 14.0, kBottom = 44.0, kRow = 14.0;

// From metres to pixels, the same scale along both axes.
struct PlaneFrame {
  DisplayUnit display;
  std::vector<double> x_ticks, y_ticks;  // in the shown unit; the ends are those of the frame
  double pixels = 1.0;                   // per shown unit
  double top = 0.0;

  double bottom() const { return top + pixels * (y_ticks.back() - y_ticks.front()); }
  Pixel at(const Pixel& metres) const {
    return {kLeft + pixels * (metres.x() * display.factor - x_ticks.front()),
            bottom() - pixels * (metres.y() * display.factor - y_ticks.front())};
  }
};

PlaneFrame make_frame(const ContourPlot& plot, double top) {
  Pixel low = Pixel::Constant(1e300), high = Pixel::Constant(-1e300);
  const auto cover = [&](const std::vector<Pixel>& points) {
    for (const Pixel& point : points) {
      low = low.cwiseMin(point);
      high = high.cwiseMax(point);
    }
  };
  for (const DrawnLine& line : plot.lines) cover(line.points);
  for (const DrawnPoints& points : plot.points) cover(points.points);
  PlaneFrame frame;
  frame.display = display_unit((high - low).maxCoeff(), "m");
  const double factor = frame.display.factor;
  frame.x_ticks = round_ticks(low.x() * factor, high.x() * factor, 8);
  frame.y_ticks = round_ticks(low.y() * factor, high.y() * factor, 5);
  frame.pixels = (kWidth - kLeft - kRight) / (frame.x_ticks.back() - frame.x_ticks.front());
  frame.top = top;
  return frame;
}

std::string ticks_svg(const PlaneFrame& frame) {
  std::string svg;
  const double factor = frame.display.factor;
  for (const double tick : frame.x_ticks) {
    const double x = frame.at({tick / factor, 0.0}).x();
    svg += svg_line({x, frame.top}, {x, frame.bottom()}, "grid");
    svg += svg_text({x, frame.bottom() + 15.0}, tick_text(tick, frame.x_ticks[1] - frame.x_ticks[0]), "tick mid");
  }
  for (const double tick : frame.y_ticks) {
    const double y = frame.at({0.0, tick / factor}).y();
    svg += svg_line({kLeft, y}, {kWidth - kRight, y}, "grid");
    svg += svg_text({kLeft - 6.0, y + 4.0}, tick_text(tick, frame.y_ticks[1] - frame.y_ticks[0]), "tick end");
  }
  return svg + svg_text({(kLeft + kWidth - kRight) / 2.0, frame.bottom() + 33.0},
                        fmt::format("in the cutting plane [{}]", frame.display.unit), "axis mid");
}

std::string legend_svg(const ContourPlot& plot, int& rows) {
  std::string svg;
  double at = kLeft;
  for (const DrawnLine& line : plot.lines) {
    if (line.name.empty()) continue;
    const double needed = 38.0 + 6.4 * static_cast<double>(line.name.size());
    if (at > kLeft && at + needed > kWidth - kRight) {
      at = kLeft;
      ++rows;
    }
    const double y = 4.0 + kRow * rows;
    svg += svg_line({at, y}, {at + 18.0, y}, fmt::format("l s{}{}", line.color, line.dashed ? " dash" : ""));
    svg += svg_text({at + 23.0, y + 4.0}, line.name, "tick");
    at += needed;
  }
  return svg;
}

std::string mark_svg(const Pixel& at, const DrawnPoints& points) {
  if (!points.crosses)
    return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"3\" class=\"f{}\"/>", coordinate(at.x()), coordinate(at.y()),
                       points.color);
  const std::string style = fmt::format("l s{}", points.color);
  return svg_line(at + Pixel(-5.0, -5.0), at + Pixel(5.0, 5.0), style) +
         svg_line(at + Pixel(-5.0, 5.0), at + Pixel(5.0, -5.0), style);
}

}  // namespace

std::string contour_plot_svg(const ContourPlot& plot) {
  int rows = 1;
  const std::string legend = legend_svg(plot, rows);
  const PlaneFrame frame = make_frame(plot, 18.0 + kRow * rows);
  std::string svg = svg_open(kWidth, frame.bottom() + kBottom, "plot", plot.title) + ticks_svg(frame) + legend;
  for (const DrawnLine& line : plot.lines) {
    std::string places;
    for (const Pixel& point : line.points) {
      const Pixel at = frame.at(point);
      places += fmt::format("{},{} ", coordinate(at.x()), coordinate(at.y()));
    }
    svg += fmt::format("<polyline class=\"l s{}{}\" points=\"{}\"/>\n", line.color, line.dashed ? " dash" : "", places);
  }
  for (const DrawnPoints& points : plot.points)
    for (const Pixel& point : points.points) svg += mark_svg(frame.at(point), points);
  return svg + "</svg>\n";
}

}  // namespace distal
