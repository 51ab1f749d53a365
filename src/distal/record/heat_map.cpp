#include "distal/record/heat_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "distal/core/error.hpp"
#include "distal/record/quantity.hpp"

namespace distal {
namespace {

constexpr double kHeatTop = 16.0, kHeatHeight = 430.0, kHeatBottom = 106.0;  // below: axis, colour bar
constexpr std::size_t kMostTicks = 9;
constexpr double kNoneColor_grey = 0.6;

struct HeatAxis {
  const std::vector<double>& values;
  DisplayUnit display;
  double start_px, end_px;

  double cell_px() const { return (end_px - start_px) / static_cast<double>(values.size()); }
  double middle_px(std::size_t i) const { return start_px + cell_px() * (static_cast<double>(i) + 0.5); }
  std::string text(std::size_t i) const { return fmt::format("{:.4g}", values[i] * display.factor); }

  // Where a value stands among the cells, also between them.
  double px(double value) const {
    if (values.size() < 2) return middle_px(0);
    const auto above = std::lower_bound(values.begin() + 1, values.end() - 1, value);
    const auto i = static_cast<std::size_t>(above - values.begin());
    const double share = (value - values[i - 1]) / (values[i] - values[i - 1]);
    return middle_px(i - 1) + share * cell_px();
  }
};

HeatAxis heat_axis(const std::vector<double>& values, const PlotAxis& axis, double start_px, double end_px) {
  const double largest = std::max(std::abs(values.front()), std::abs(values.back()));
  return {values, display_unit(largest, axis.si_unit), start_px, end_px};
}

std::string axis_name(const PlotAxis& axis, const DisplayUnit& display) {
  return display.unit.empty() ? axis.label : fmt::format("{} [{}]", axis.label, display.unit);
}

struct ColorScale {
  double low = 0.0, high = 1.0;
  bool logarithmic = false;

  double share(double value) const {
    if (high <= low) return 0.5;
    return logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  }
  double at(double share) const { return logarithmic ? low * std::pow(high / low, share) : low + (high - low) * share; }
};

ColorScale color_scale(const HeatMap& map) {
  ColorScale scale{INFINITY, -INFINITY, map.logarithmic_colors};
  for (const double value : map.values) {
    if (std::isnan(value)) continue;
    scale.low = std::min(scale.low, value);
    scale.high = std::max(scale.high, value);
  }
  if (scale.low > scale.high) return {};
  scale.logarithmic = scale.logarithmic && scale.low > 0.0;
  return scale;
}

std::string cells_svg(const HeatMap& map, const HeatAxis& x, const HeatAxis& y, const ColorScale& scale) {
  std::string svg;
  for (std::size_t row = 0; row < map.y_values.size(); ++row)
    for (std::size_t column = 0; column < map.x_values.size(); ++column) {
      const double value = map.values[row * map.x_values.size() + column];
      const bool none = std::isnan(value);
      svg += fmt::format(
          "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"{}><title>{}</title></rect>\n",
          coordinate(x.middle_px(column) - 0.5 * x.cell_px()), coordinate(y.middle_px(row) + 0.5 * y.cell_px()),
          coordinate(x.cell_px() + 0.3), coordinate(-y.cell_px() + 0.3),
          none ? hex({kNoneColor_grey, kNoneColor_grey, kNoneColor_grey}) : hex(viridis(scale.share(value))),
          none ? " opacity=\"0.3\"" : "", none ? "none" : quantity(value, map.value.si_unit));
    }
  return svg;
}

std::string heat_ticks_svg(const HeatMap& map, const HeatAxis& x, const HeatAxis& y) {
  std::string svg;
  const std::size_t every_x = map.x_values.size() / kMostTicks + 1, every_y = map.y_values.size() / kMostTicks + 1;
  for (std::size_t i = 0; i < map.x_values.size(); i += every_x)
    svg += svg_text({x.middle_px(i), y.start_px + 15.0}, x.text(i), "tick mid");
  for (std::size_t i = 0; i < map.y_values.size(); i += every_y)
    svg += svg_text({kPlotLeft - 6.0, y.middle_px(i) + 4.0}, y.text(i), "tick end");
  svg += svg_text({0.5 * (x.start_px + x.end_px), y.start_px + 34.0}, axis_name(map.x, x.display), "axis mid");
  svg += fmt::format("<text transform=\"translate(14 {}) rotate(-90)\" class=\"axis mid\">{}</text>\n",
                     coordinate(0.5 * (y.start_px + y.end_px)), escaped(axis_name(map.y, y.display)));
  return svg;
}

std::string scale_svg(const HeatMap& map, const ColorScale& scale) {
  constexpr int kBands = 48;
  const double width = kPlotWidth - kPlotLeft - kPlotRight, top = kHeatHeight - 36.0;
  const DisplayUnit display = display_unit(std::max(std::abs(scale.low), std::abs(scale.high)), map.value.si_unit);
  std::string svg = svg_text({kPlotLeft, top - 6.0}, axis_name(map.value, display), "tick");
  for (int i = 0; i < kBands; ++i)
    svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"12\" fill=\"{}\"/>\n",
                       coordinate(kPlotLeft + width * i / kBands), coordinate(top), coordinate(width / kBands + 0.6),
                       hex(viridis((i + 0.5) / kBands)));
  const double distance = (scale.high - scale.low) * display.factor / 40.0;  // a digit more than the ticks need
  for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const double value = scale.at(share) * display.factor;
    const std::string text =
        scale.logarithmic || !(distance > 0.0) ? fmt::format("{:.3g}", value) : tick_text(value, distance);
    svg += svg_text({kPlotLeft + width * share, top + 27.0}, text, share == 1.0 ? "tick end" : "tick mid");
  }
  return svg;
}

}  // namespace

std::string heat_map_svg(const HeatMap& map) {
  DISTAL_ASSERT(!map.x_values.empty() && !map.y_values.empty());
  DISTAL_ASSERT(map.values.size() == map.x_values.size() * map.y_values.size());
  const HeatAxis x = heat_axis(map.x_values, map.x, kPlotLeft, kPlotWidth - kPlotRight);
  const HeatAxis y = heat_axis(map.y_values, map.y, kHeatHeight - kHeatBottom, kHeatTop);
  const ColorScale scale = color_scale(map);
  std::string svg = svg_open(kPlotWidth, kHeatHeight, "plot", map.title);
  svg += cells_svg(map, x, y, scale) + heat_ticks_svg(map, x, y) + scale_svg(map, scale);
  for (const Pixel& mark : map.marks) {
    const Pixel at(x.px(mark.x()), y.px(mark.y()));
    for (const double side : {-1.0, 1.0})
      svg += svg_line(at + Pixel(-7.0, -7.0 * side), at + Pixel(7.0, 7.0 * side), "bar s0");
  }
  return svg + "</svg>\n";
}

}  // namespace distal
