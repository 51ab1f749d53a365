#include "distal/record/line_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "distal/core/error.hpp"
#include "distal/record/quantity.hpp"
#include "distal/record/report_style.hpp"

namespace distal {
namespace {

constexpr std::size_t most_points = 1500;

// One axis: from SI to pixels, with its ticks in the shown unit.
struct Axis {
  DisplayUnit display;
  std::vector<double> ticks;  // in the shown unit; the first and last are the ends
  double start_px = 0.0, end_px = 0.0;

  double distance() const { return ticks[1] - ticks[0]; }
  double tick_px(double tick) const {
    return start_px + (end_px - start_px) * (tick - ticks.front()) / (ticks.back() - ticks.front());
  }
  double px(double si) const { return tick_px(si * display.factor); }
};

Axis make_axis(const LinePlot& plot, int dimension, double start_px, double end_px) {
  double low = 1e300, high = -1e300;
  for (const PlotLine& line : plot.lines)
    for (const Pixel& point : line.points) {
      DISTAL_ASSERT(std::isfinite(point[dimension]));
      low = std::min(low, point[dimension]);
      high = std::max(high, point[dimension]);
    }
  if (low > high) low = high = 0.0;
  const PlotAxis& axis = dimension == 0 ? plot.x : plot.y;
  const DisplayUnit display = display_unit(std::max(std::abs(low), std::abs(high)), axis.si_unit);
  low *= display.factor;
  high *= display.factor;
  // Forces, energies and depths are read against zero; a constant still needs a range.
  if (axis.from_zero) {
    low = std::min(low, 0.0);
    high = std::max(high, 0.0);
  }
  // What moves by less than a millionth of itself is a constant and rounding.
  const double size = std::max(std::abs(low), std::abs(high));
  if (size < 1e-12)
    high = low + 1.0;
  else if (high - low < 1e-6 * size)
    low -= 0.1 * size, high += 0.1 * size;
  return {display, round_ticks(low, high, dimension == 0 ? 8 : 5), start_px, end_px};
}

std::string axes_svg(const LinePlot& plot, const Axis& x, const Axis& y) {
  const double top = y.end_px;
  std::string svg;
  for (const double tick : x.ticks) {
    const double px = x.tick_px(tick);
    svg += svg_line({px, top}, {px, kPlotHeight - kPlotBottom}, tick == 0.0 ? "zero" : "grid");
    svg += svg_text({px, kPlotHeight - kPlotBottom + 15.0}, tick_text(tick, x.distance()), "tick mid");
  }
  for (const double tick : y.ticks) {
    const double px = y.tick_px(tick);
    svg += svg_line({kPlotLeft, px}, {kPlotWidth - kPlotRight, px}, tick == 0.0 ? "zero" : "grid");
    svg += svg_text({kPlotLeft - 6.0, px + 4.0}, tick_text(tick, y.distance()), "tick end");
  }
  const auto name = [](const PlotAxis& axis, const DisplayUnit& display) {
    return display.unit.empty() ? axis.label : fmt::format("{} [{}]", axis.label, display.unit);
  };
  svg +=
      svg_text({(kPlotLeft + kPlotWidth - kPlotRight) / 2.0, kPlotHeight - 8.0}, name(plot.x, x.display), "axis mid");
  svg += fmt::format("<text transform=\"translate(14 {}) rotate(-90)\" class=\"axis mid\">{}</text>\n",
                     coordinate((top + kPlotHeight - kPlotBottom) / 2.0), escaped(name(plot.y, y.display)));
  return svg;
}

std::string line_svg(const PlotLine& line, const Axis& x, const Axis& y) {
  const std::size_t stride = line.points.size() / most_points + 1;
  std::string points, dots;
  Pixel previous(-1e9, -1e9);
  for (std::size_t i = 0; i < line.points.size(); ++i) {
    const bool is_last = i + 1 == line.points.size();
    if (i % stride != 0 && !is_last) continue;
    const Pixel at(x.px(line.points[i].x()), y.px(line.points[i].y()));
    // Steps that nobody can see only make the file larger.
    if ((at - previous).norm() < 0.4 && !is_last) continue;
    previous = at;
    points += fmt::format("{},{} ", coordinate(at.x()), coordinate(at.y()));
    if (line.markers)
      dots += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"3.2\" class=\"f{}\"/>", coordinate(at.x()),
                          coordinate(at.y()), line.color);
  }
  return fmt::format("<polyline class=\"l {}{}{}\" data-name=\"{}\" points=\"{}\"/>{}\n", line.joined ? "s" : "no",
                     line.color, line.dashed ? " dash" : "", escaped(line.name), points, dots);
}

// Names above the frame, in as many rows as they need.
struct Legend {
  std::string svg;
  int rows = 1;
};

Legend make_legend(const LinePlot& plot) {
  Legend legend;
  double at = kPlotLeft;
  for (const PlotLine& line : plot.lines) {
    if (line.name.empty()) continue;
    const double needed = 38.0 + 6.4 * static_cast<double>(line.name.size());
    if (at > kPlotLeft && at + needed > kPlotWidth - kPlotRight) {
      at = kPlotLeft;
      ++legend.rows;
    }
    const double y = 4.0 + 14.0 * legend.rows;
    if (line.joined)
      legend.svg += svg_line({at, y}, {at + 18.0, y}, fmt::format("l s{}{}", line.color, line.dashed ? " dash" : ""));
    else
      legend.svg += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"3.2\" class=\"f{}\"/>", coordinate(at + 9.0),
                                coordinate(y), line.color);
    legend.svg += svg_text({at + 23.0, y + 4.0}, line.name, "tick");
    at += needed;
  }
  return legend;
}

}  // namespace

std::string line_plot_svg(const LinePlot& plot) {
  const Axis x = make_axis(plot, 0, kPlotLeft, kPlotWidth - kPlotRight);
  const Legend legend = make_legend(plot);
  const Axis y = make_axis(plot, 1, kPlotHeight - kPlotBottom, 18.0 + 14.0 * legend.rows);
  std::string svg = svg_open(kPlotWidth, kPlotHeight, "plot", plot.title);
  svg += axes_svg(plot, x, y) + legend.svg;
  for (const PlotLine& line : plot.lines)
    if (!line.points.empty()) svg += line_svg(line, x, y);
  // What the page's script needs to turn a pointer's place back into values.
  const auto ends = [](const Axis& a) {
    return fmt::format("{:.9g},{:.9g},{},{}", a.ticks.front(), a.ticks.back(), a.start_px, a.end_px);
  };
  svg += fmt::format("<g class=\"probe\" data-x=\"{}\" data-y=\"{}\" data-xu=\"{}\" data-yu=\"{}\"></g></svg>\n",
                     ends(x), ends(y), escaped(x.display.unit), escaped(y.display.unit));
  return svg;
}

std::string line_plot_file(const LinePlot& plot) {
  const std::string svg = line_plot_svg(plot);
  const std::size_t end = svg.find('>');
  return fmt::format(
      "{} xmlns=\"http://www.w3.org/2000/svg\"><style>{}</style><rect width=\"100%\" height=\"100%\" "
      "fill=\"#ffffff\"/>{}",
      svg.substr(0, end), report_style, svg.substr(end + 1));
}

}  // namespace distal
