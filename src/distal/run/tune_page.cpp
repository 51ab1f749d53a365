#include <fmt/format.h>

#include <numbers>

#include "distal/record/line_plot.hpp"
#include "distal/record/report_style.hpp"
#include "distal/run/tune.hpp"

namespace distal {
namespace {

constexpr double kDegrees = 180.0 / std::numbers::pi;

std::string trial_row(const TuneTrial& trial, std::string_view name) {
  return fmt::format(
      "<tr><th>{}</th><td class=\"n\">{:.4g}</td><td class=\"n\">{:.4g}</td><td class=\"n\">{:.3f}</td><td "
      "class=\"n\">{:.4g}</td><td class=\"n\">{:.3f}</td><td class=\"n\">{:.2g}</td><td>{}</td></tr>\n",
      name, trial.bandwidth_hz, trial.angular_bandwidth_hz, 100.0 * trial.overshoot, 1e3 * trial.settling_s,
      100.0 * trial.offset, kDegrees * trial.tilt_rad, escaped(trial.problem));
}

std::string trial_table(const TuneResult& result) {
  std::string html =
      "<table><thead><tr><th></th><th>bandwidth_hz</th><th>angular_bandwidth_hz</th><th>overshoot [%]</th><th>settling "
      "[ms]</th><th>offset [%]</th><th>tilt [degrees]</th><th></th></tr></thead><tbody>\n";
  html += trial_row(result.before, "before");
  if (result.problem.empty()) html += trial_row(result.after, "after");
  for (const TuneTrial& trial : result.trials) html += trial_row(trial, "");
  return html + "</tbody></table>\n";
}

// `shown`: only the part of the depth around the asked one.
std::string response_plot(const TuneResult& result, std::string title, double depth_m, double shown) {
  LinePlot plot{std::move(title), {"time since first contact", "s"}, {"depth", "m"}, {}};
  const auto add = [&](const TuneTrial& trial, const char* name, int color, bool dashed) {
    PlotLine line{fmt::format("{}, {:.4g} Hz", name, trial.bandwidth_hz), color, dashed, false, {}};
    for (const Pixel& point : trial.response)
      if (point.y() >= (1.0 - shown) * depth_m) line.points.push_back(point);
    if (!line.points.empty()) plot.lines.push_back(std::move(line));
  };
  add(result.before, "before", 1, true);
  if (result.problem.empty()) add(result.after, "after", 0, false);
  return plot.lines.empty() ? "" : "<figure>" + line_plot_svg(plot) + "</figure>\n";
}

double depth_of(const Scene& scene, const std::string& controller) {
  for (const auto& [name, description] : scene.controllers)
    if (name == controller) return description.depth_m;
  return 0.0;
}

}  // namespace

std::string tune_page_html(const Scene& scene, const TuneResult& result) {
  const double depth = depth_of(scene, result.controller);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Tuned: {0}</title><style>{1}</style>"
      "</head><body><main>\n<h1>Gains of controller.{2}</h1>\n<p class=\"muted\">{0}. {3}</p>\n<h2>Step "
      "responses</h2>\n"
      "<div class=\"grid two\">\n{4}{5}</div>\n<h2>All presses</h2>\n<p class=\"muted\">Overshoot and offset as a "
      "share "
      "of the depth; settling from first contact until the depth stays within 2 %.</p>\n{6}</main></body></html>\n",
      escaped(scene.model.title), report_style, escaped(result.controller), escaped(result.problem),
      response_plot(result, "Depth", depth, 1.0), response_plot(result, "The last 5 % of it", depth, 0.05),
      trial_table(result));
}

}  // namespace distal
