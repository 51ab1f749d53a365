#include "distal/record/measure_report.hpp"

#include <fmt/format.h>

#include "distal/record/contour_plot.hpp"
#include "distal/record/line_plot.hpp"
#include "distal/record/quantity.hpp"
#include "distal/record/report_plots.hpp"

namespace distal {
namespace {

constexpr int kColors = 7;  // of states; the eighth is for what is undeformed

std::string state_name(const SettledState& state) {
  return state.phase == "end" ? "at the end"
                              : fmt::format("{}, {}", quantity(state.force_n, "N"), quantity(state.depth_m, "m"));
}

// Axes of a drawing in a plane: up as far as the plane goes up, else along y.
class PlaneAxes {
 public:
  explicit PlaneAxes(const Vec3& normal) {
    const Vec3 up = std::abs(normal.z()) < 0.9 ? Vec3::UnitZ() : Vec3::UnitY();
    up_ = (up - up.dot(normal) * normal).normalized();
    right_ = normal.cross(up_);
    // Seen from where the first coordinate grows to the right.
    if (right_.sum() < 0.0) right_ = -right_;
  }
  std::vector<Pixel> drawn(const std::vector<Vec3>& points) const {
    std::vector<Pixel> result;
    for (const Vec3& point : points) result.emplace_back(point.dot(right_), point.dot(up_));
    return result;
  }

 private:
  Vec3 up_, right_;
};

void add_lines(ContourPlot& plot, const PlaneAxes& axes, const std::vector<Polyline>& lines, const std::string& name,
               int color, bool dashed) {
  for (std::size_t i = 0; i < lines.size(); ++i)
    plot.lines.push_back({i == 0 ? name : "", color, dashed, axes.drawn(lines[i])});
}

std::string contour_figure(const MeasureResults& measures, const ContourResult& contour) {
  const PlaneAxes axes(contour.normal);
  ContourPlot plot{fmt::format("Cut {} of {}", contour.name, contour.body), {}, {}};
  add_lines(plot, axes, contour.rest, "undeformed", kColors, true);
  for (std::size_t s = 0; s < contour.states.size(); ++s) {
    const int color = static_cast<int>(s) % kColors;
    add_lines(plot, axes, contour.states[s], state_name(measures.states[s]), color, false);
    for (const PointsResult& points : measures.points) {
      if (points.body != contour.body) continue;
      plot.points.push_back({color, false, axes.drawn(points.states[s].positions_m)});
      plot.points.push_back({color, true, axes.drawn(points.states[s].measured_m)});
    }
  }
  if (contour.rest.empty()) return {};
  return figure(plot.title, "to scale; dots: points of the sensors, crosses: the same as measured",
                contour_plot_svg(plot));
}

std::string table_open(std::initializer_list<const char*> headings) {
  std::string html = "<div class=\"scroll\"><table><thead><tr>";
  for (const char* heading : headings) html += fmt::format("<th class=\"n\">{}</th>", heading);
  return html + "</tr></thead><tbody>\n";
}

template <typename... Cells>
std::string table_row(const Cells&... cells) {
  return "<tr>" + (fmt::format("<td class=\"n\">{}</td>", escaped(cells)) + ...) + "</tr>\n";
}

std::string in_percent(double share) { return fmt::format("{:.3g} %", 100.0 * share); }

}  // namespace

std::string contours_html(const MeasureResults& measures) {
  std::string html;
  for (const ContourResult& contour : measures.contours) html += contour_figure(measures, contour);
  return html;
}

std::string point_errors_html(const MeasureResults& measures) {
  std::string rows;
  for (const PointsResult& points : measures.points)
    for (std::size_t s = 0; s < points.states.size(); ++s)
      if (const auto& error = points.states[s].error)
        rows += table_row(points.name, fmt::format("{}", s + 1), state_name(measures.states[s]),
                          quantity(error->rmse_m, "m"), in_percent(error->over_length),
                          in_percent(error->over_displacement));
  if (rows.empty()) return {};
  return table_open({"sensor", "state", "force, depth", "RMSE", "over the body's length",
                     "over the measured RMS displacement"}) +
         rows + "</tbody></table></div>\n";
}

std::string compressions_html(const MeasureResults& measures) {
  std::string html;
  for (const CompressionResult& test : measures.compressions) {
    if (test.strain.empty()) continue;
    LinePlot plot{fmt::format("Stress against strain of {}", test.body), {"strain", ""}, {"stress", "Pa"}, {}};
    PlotLine states{"settled states", 0, false, true, {Pixel(0.0, 0.0)}};
    for (std::size_t s = 0; s < test.strain.size(); ++s) states.points.emplace_back(test.strain[s], test.stress_pa[s]);
    const double end = test.strain.back();
    PlotLine slope{"initial slope", 1, true, false, {Pixel(0.0, 0.0), Pixel(end, end * test.youngs_modulus_pa)}};
    plot.lines = {std::move(states), std::move(slope)};
    html +=
        figure(plot.title,
               fmt::format("apparent Young's modulus {}; area {}, height {}", quantity(test.youngs_modulus_pa, "Pa"),
                           quantity(test.area_m2, "m²"), quantity(test.height_m, "m")),
               line_plot_svg(plot));
  }
  return html.empty() ? html : "<div class=\"grid two\">\n" + html + "</div>\n";
}

std::string volumes_html(const MeasureResults& measures) {
  if (measures.volumes.empty()) return {};
  std::string html = table_open({"body", "undeformed", "at the end", "change", "largest change"});
  for (const VolumeResult& volume : measures.volumes)
    html += table_row(volume.body, fmt::format("{:.6g} mm³", 1e9 * volume.rest_m3),
                      fmt::format("{:.6g} mm³", 1e9 * volume.volume_m3), in_percent(volume.error()),
                      in_percent(volume.largest_error));
  return html + "</tbody></table></div>\n";
}

}  // namespace distal
