#include "distal/record/report_plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>
#include <vector>

#include "distal/record/line_plot.hpp"
#include "distal/sensor/limit_surface.hpp"

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
  LinePlot speed{"Speed of the rod's end against time", {"time", "s"}, {"speed", "m/s"}, {}};
  speed.lines = {line_of(samples, "", 6, time, [](const BodySample& s) { return s.speed_m_s; })};
  // What touches nothing that is held has none.
  if (std::all_of(samples.begin(), samples.end(), [](const BodySample& s) { return s.depth_m == 0.0; })) {
    speed.title = "Speed against time";
    return plot_figure(speed, "");
  }
  LinePlot force{"Contact force against depth", {"depth", "m"}, {"force", "N"}, {}};
  force.lines = {line_of(samples, "|f|", 0, depth, [](const BodySample& s) { return s.contact.force.norm(); })};
  LinePlot torque{"Contact torque against depth", {"depth", "m"}, {"torque", "N m"}, {}};
  torque.lines = {line_of(samples, "|τ|", 2, depth, [](const BodySample& s) { return s.contact.torque.norm(); })};
  LinePlot depths{"Depth against time", {"time", "s"}, {"depth", "m"}, {line_of(samples, "", 1, time, depth)}};
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

// A quarter of the ellipsoid's cut through force and moment.
PlotLine ellipse_line(std::string name, int color, double force_n, double moment_n_m) {
  PlotLine line{std::move(name), color, true, false, {}};
  for (int n = 0; n <= 45; ++n) {
    const double angle = n * std::numbers::pi / 90.0;
    line.points.emplace_back(force_n * std::cos(angle), moment_n_m * std::sin(angle));
  }
  return line;
}

std::string limit_figure(const LimitSurface& surface) {
  if (surface.points.empty()) return {};
  LinePlot plot{"Limit surface of friction", {"tangential force", "N"}, {"moment", "N m"}, {}};
  PlotLine measured{"measured", 0, false, true, {}, false};
  for (const LimitSurface::Point& point : surface.points) measured.points.emplace_back(point.force_n, point.moment_n_m);
  const auto ellipse = [&](const char* name, int color, double eccentricity_m) {
    return ellipse_line(fmt::format("{}: {:+.1f} %", name, 100.0 * surface.deviation(eccentricity_m)), color,
                        surface.most_force_n, surface.most_force_n * eccentricity_m);
  };
  plot.lines = {std::move(measured), ellipse("own axes", 1, surface.measured_m()),
                ellipse("Winkler", 2, surface.winkler_m()), ellipse("Hertz", 3, surface.hertz_m())};
  return plot_figure(
      plot,
      "sliding states of curve.csv, and paper 3's ellipsoid with the measured axes and with those of two pressures on "
      "a patch of the measured radius; the largest distance of a measured state from each");
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
  const auto has_tip = [](const BodySample& s) { return s.tip.force != Vec3::Zero(); };
  if (std::none_of(samples.begin(), samples.end(), has_tip)) return html;
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
  html += limit_figure(find_limit_surface(curve));
  return html.empty() ? html : "<div class=\"grid two\">\n" + html + "</div>\n";
}

std::string grasp_figures(const History& history) {
  constexpr std::size_t kMostLines = 8;  // as many as there are colours
  const std::vector<GraspSample>& samples = history.grasp.values();
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t p = 0; p < history.pair_names.size(); ++p) {
    double peak = 0.0;
    for (const GraspSample& sample : samples) peak = std::max(peak, sample.load_n[p]);
    if (peak > 0.0) order.emplace_back(-peak, p);
  }
  if (order.empty()) return {};
  std::stable_sort(order.begin(), order.end());
  order.resize(std::min(order.size(), kMostLines));
  LinePlot loads{"Load of each contact", {"time", "s"}, {"normal force", "N"}, {}};
  LinePlot uses{"Friction that each contact uses", {"time", "s"}, {"share of its limit", ""}, {}};
  const auto time = [](const GraspSample& s) { return s.time_s; };
  for (std::size_t n = 0; n < order.size(); ++n) {
    const std::size_t p = order[n].second;
    const auto line = [&](std::vector<double> GraspSample::*value) {
      return line_of(samples, history.pair_names[p], static_cast<int>(n), time,
                     [=](const GraspSample& s) { return (s.*value)[p]; });
    };
    loads.lines.push_back(line(&GraspSample::load_n));
    uses.lines.push_back(line(&GraspSample::friction_use));
  }
  return "<div class=\"grid two\">\n" + plot_figure(loads, "all points of a pair together; contacts.csv has them all") +
         plot_figure(uses, "force and moment against paper 3's ellipsoid: 1 where it slips") + "</div>\n";
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
