#include "distal/record/histogram_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "distal/record/quantity.hpp"
#include "distal/record/svg.hpp"

namespace distal {
namespace {

constexpr double top = 62.0;

// Both axes are logarithmic: the rare slow period is what matters, and it is rare.
struct LogAxis {
  double low = 0.0, high = 1.0, start_px = 0.0, end_px = 0.0;  // decimal logarithms
  double px(double value) const { return start_px + (end_px - start_px) * (std::log10(value) - low) / (high - low); }
};

LogAxis time_axis(const DurationStatistics& durations, double control_period_s) {
  std::size_t first = 0;
  while (first + 1 < durations.bins().size() && durations.bins()[first] == 0) ++first;
  const double fastest = DurationStatistics::lower_edge_s(first);
  const double low = std::log10(std::min(fastest, control_period_s)) - 0.08;
  const double high = std::log10(std::max(durations.worst_s(), control_period_s)) + 0.08;
  return {low, high, kPlotLeft, kPlotWidth - kPlotRight};
}

std::string time_ticks(const LogAxis& axis) {
  std::string svg;
  const bool close = axis.high - axis.low < 1.6;
  for (int decade = static_cast<int>(std::floor(axis.low)); decade <= static_cast<int>(std::ceil(axis.high)); ++decade)
    for (const double part : {1.0, 2.0, 5.0}) {
      const double value = part * std::pow(10.0, decade);
      if (std::log10(value) < axis.low || std::log10(value) > axis.high || (!close && part > 1.0)) continue;
      svg += svg_line({axis.px(value), top}, {axis.px(value), kPlotHeight - kPlotBottom}, "grid");
      svg += svg_text({axis.px(value), kPlotHeight - kPlotBottom + 15.0}, quantity(value, "s"), "tick mid");
    }
  return svg + svg_text({(kPlotLeft + kPlotWidth - kPlotRight) / 2.0, kPlotHeight - 8.0},
                        "wall-clock time of a control period", "axis mid");
}

std::string bars(const DurationStatistics& durations, const LogAxis& x, const LogAxis& y) {
  // As many bins together as make a bar of about 5 pixels.
  const double bin_px = (x.end_px - x.start_px) / (x.high - x.low) / DurationStatistics::bins_per_decade;
  const auto together = static_cast<std::size_t>(std::max(1.0, std::ceil(5.0 / bin_px)));
  std::string svg;
  for (std::size_t bin = 0; bin < durations.bins().size(); bin += together) {
    double count = 0.0;
    const std::size_t end = std::min(bin + together, durations.bins().size());
    for (std::size_t i = bin; i < end; ++i) count += static_cast<double>(durations.bins()[i]);
    if (count == 0.0) continue;
    const double from = x.px(DurationStatistics::lower_edge_s(bin)), to = x.px(DurationStatistics::lower_edge_s(end));
    const double peak = y.px(count);
    svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"f5\"/>\n", coordinate(from),
                       coordinate(peak), coordinate(std::max(1.0, to - from - 0.6)), coordinate(y.start_px - peak));
  }
  return svg;
}

std::string mark(const LogAxis& x, double seconds, double text_y, const char* name, const char* css_class) {
  const double px = x.px(seconds);
  const bool turn = px > 0.55 * kPlotWidth;
  return svg_line({px, text_y - 8.0}, {px, kPlotHeight - kPlotBottom}, css_class) +
         svg_text({turn ? px - 4.0 : px + 4.0, text_y}, fmt::format("{} {}", name, quantity(seconds, "s")),
                  turn ? "tick end" : "tick");
}

}  // namespace

std::string period_wall_histogram_svg(const DurationStatistics& durations, double control_period_s) {
  if (durations.count() == 0 || control_period_s <= 0.0) return {};
  const LogAxis x = time_axis(durations, control_period_s);
  const double most = static_cast<double>(durations.count());
  // Starts below one, so that a single slow period has a bar.
  const LogAxis y = {-0.3, std::max(1.0, std::ceil(std::log10(most))), kPlotHeight - kPlotBottom, top};
  std::string svg = svg_open(kPlotWidth, kPlotHeight, "plot", "Histogram of the wall-clock time of control periods");
  svg += time_ticks(x);
  for (double value = 1.0; std::log10(value) <= y.high + 1e-9; value *= 10.0) {
    svg += svg_line({kPlotLeft, y.px(value)}, {kPlotWidth - kPlotRight, y.px(value)}, "grid");
    svg += svg_text({kPlotLeft - 6.0, y.px(value) + 4.0}, fmt::format("{:.0f}", value), "tick end");
  }
  svg += fmt::format("<text transform=\"translate(14 {}) rotate(-90)\" class=\"axis mid\">periods</text>\n",
                     coordinate((top + kPlotHeight - kPlotBottom) / 2.0));
  svg += bars(durations, x, y);
  svg += mark(x, durations.quantile_s(0.5), 14.0, "median", "l s2");
  svg += mark(x, durations.quantile_s(0.999), 28.0, "99.9 %", "l s4 dash");
  svg += mark(x, durations.worst_s(), 42.0, "worst", "l s0");
  svg += mark(x, control_period_s, 56.0, "control period", "l s7 dash");
  return svg + "</svg>\n";
}

}  // namespace distal
