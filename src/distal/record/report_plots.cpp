#include "distal/record/report_plots.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string_view>
#include <vector>

#include "distal/record/line_plot.hpp"

namespace distal {
namespace {

using Samples = std::vector<BodySample>;

// x, y and z of a wrench's force or torque against time.
LinePlot components_plot(const Samples& samples, std::string title, Wrench BodySample::*wrench, Vec3 Wrench::*part) {
  const bool is_force = part == &Wrench::force;
  LinePlot plot{std::move(title), {"time", "s"}, {is_force ? "force" : "torque", is_force ? "N" : "N m"}, {}};
  constexpr std::array names = {"x", "y", "z"};
  for (int axis = 0; axis < 3; ++axis) {
    PlotLine line{names[axis], axis, false, false, {}};
    for (const BodySample& sample : samples) line.points.emplace_back(sample.time_s, ((sample.*wrench).*part)[axis]);
    plot.lines.push_back(std::move(line));
  }
  return plot;
}

template <typename Sample, typename X, typename Y>
PlotLine line_of(const std::vector<Sample>& samples, std::string name, int color, X x, Y y) {
  PlotLine line{std::move(name), color, false, false, {}};
  for (const Sample& sample : samples) line.points.emplace_back(x(sample), y(sample));
  return line;
}

std::string plot_figure(const LinePlot& plot, std::string_view note) {
  return figure(plot.title, note, line_plot_svg(plot));
}

std::string depth_figures(const Samples& samples) {
  const auto time = [](const BodySample& s) { return s.time_s; };
  const auto depth = [](const BodySample& s) { return s.depth_m; };
  LinePlot force{"Contact force against depth", {"depth", "m"}, {"force", "N"}, {}};
  force.lines = {line_of(samples, "|f|", 0, depth, [](const BodySample& s) { return s.contact.force.norm(); })};
  LinePlot torque{"Contact torque against depth", {"depth", "m"}, {"torque", "N m"}, {}};
  torque.lines = {line_of(samples, "|τ|", 2, depth, [](const BodySample& s) { return s.contact.torque.norm(); })};
  LinePlot depths{"Depth against time", {"time", "s"}, {"depth", "m"}, {line_of(samples, "", 1, time, depth)}};
  LinePlot speed{"Speed of the rod's end against time", {"time", "s"}, {"speed", "m/s"}, {}};
  speed.lines = {line_of(samples, "", 6, time, [](const BodySample& s) { return s.speed_m_s; })};
  return plot_figure(force, "magnitude, loading and unloading") + plot_figure(torque, "magnitude, about E") +
         plot_figure(depths, "") + plot_figure(speed, "");
}

std::string curve_figure(const std::vector<CurveRow>& curve, std::string_view phase, LinePlot plot, double CurveRow::*x,
                         double CurveRow::*y, double x_factor) {
  PlotLine line{"", 0, false, true, {}};
  for (const CurveRow& row : curve)
    if (row.phase == phase) line.points.emplace_back(row.*x * x_factor, row.*y);
  if (line.points.empty()) return {};
  plot.lines = {std::move(line)};
  return plot_figure(plot, "settled states of curve.csv");
}

}  // namespace

std::string figure(std::string_view title, std::string_view note, std::string_view svg) {
  return fmt::format("<figure><figcaption>{}{}{}</figcaption>\n{}</figure>\n", escaped(title),
                     note.empty() ? "" : " <small>", note.empty() ? "" : escaped(note) + "</small>", svg);
}

std::string wrench_figures(const Thinned<BodySample>& thinned) {
  const Samples& samples = thinned.values();
  if (samples.empty()) return {};
  const auto pair = [&](const char* name, Wrench BodySample::*wrench, const char* note) {
    return plot_figure(components_plot(samples, fmt::format("{} force against time", name), wrench, &Wrench::force),
                       note) +
           plot_figure(components_plot(samples, fmt::format("{} torque against time", name), wrench, &Wrench::torque),
                       note);
  };
  std::string html = "<div class=\"grid two\">\n";
  html += pair("Contact", &BodySample::contact, "the environment on the body, at E, along E's axes");
  html += depth_figures(samples) + "</div>\n";
  html += "<details><summary>Tip and sensor wrenches against time</summary>\n<div class=\"grid two\">\n";
  html += pair("Tip", &BodySample::tip, "the ligaments on the rod, at E, along E's axes");
  html += pair("Sensor", &BodySample::sensor, "contact plus weight minus inertia, at E, along E's axes");
  return html + "</div></details>\n";
}

std::string curve_figures(const std::vector<CurveRow>& curve) {
  const LinePlot press{"Normal force against depth", {"depth", "m"}, {"force", "N"}, {}};
  const LinePlot radius{"Contact radius against depth", {"depth", "m"}, {"radius", "m"}, {}};
  const LinePlot twist{"Torque against twist", {"twist", "°"}, {"torque", "N m"}, {}};
  const LinePlot shift{"Tangential force against shift", {"shift", "m"}, {"force", "N"}, {}};
  std::string html = curve_figure(curve, "press", press, &CurveRow::depth_m, &CurveRow::force_n, 1.0);
  html += curve_figure(curve, "load", press, &CurveRow::depth_m, &CurveRow::force_n, 1.0);
  html += curve_figure(curve, "press", radius, &CurveRow::depth_m, &CurveRow::contact_radius_m, 1.0);
  html += curve_figure(curve, "twist", twist, &CurveRow::twist_rad, &CurveRow::torque_n_m, 180.0 / std::numbers::pi);
  html += curve_figure(curve, "shift", shift, &CurveRow::shift_m, &CurveRow::tangential_force_n, 1.0);
  return html.empty() ? html : "<div class=\"grid two\">\n" + html + "</div>\n";
}

std::string energy_figures(const Thinned<EnergySample>& thinned) {
  const std::vector<EnergySample>& samples = thinned.values();
  if (samples.empty()) return {};
  const auto time = [](const EnergySample& s) { return s.time_s; };
  const double gravity = samples.front().energy.gravity;
  const auto term = [&](const char* name, int color, double EnergyReading::*value) {
    return line_of(samples, name, color, time, [=](const EnergySample& s) { return s.energy.*value; });
  };
  LinePlot terms{"Energy against time", {"time", "s"}, {"energy", "J"}, {}};
  terms.lines = {
      term("kinetic", 5, &EnergyReading::kinetic),
      term("elastic", 0, &EnergyReading::elastic),
      line_of(samples, "gravity", 2, time, [=](const EnergySample& s) { return s.energy.gravity - gravity; }),
      term("contact", 3, &EnergyReading::contact),
      term("ligament", 6, &EnergyReading::ligament),
      term("dissipated", 4, &EnergyReading::dissipated),
      term("work", 1, &EnergyReading::control_work)};
  if (samples.back().energy.integrator > 0.0) terms.lines.push_back(term("integrator", 7, &EnergyReading::integrator));
  LinePlot residual{"Energy residual against time", {"time", "s"}, {"energy", "J"}, {}};
  residual.lines = {term("", 7, &EnergyReading::residual)};
  return "<div class=\"grid two\">\n" + plot_figure(terms, "gravity against its start; work of the controller") +
         plot_figure(residual, "what is left over: the error of the integrator") + "</div>\n";
}

}  // namespace distal
