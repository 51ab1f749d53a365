#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "distal/record/heat_map.hpp"
#include "distal/record/quantity.hpp"
#include "distal/record/report_style.hpp"
#include "distal/study/fit.hpp"
#include "distal/study/plot_names.hpp"

namespace distal {
namespace {

std::string figure(const std::string& caption, const std::string& svg) {
  return fmt::format("<figure><figcaption>{}</figcaption>{}</figure>\n", escaped(caption), svg);
}

// Of one quantity, in the order of its abscissa.
std::vector<Pixel> points_of(const FitResult& result, const std::string& name, const std::vector<double>& values) {
  std::vector<Pixel> points;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (result.observations[i].name == name) points.emplace_back(result.observations[i].abscissa, values[i]);
  std::stable_sort(points.begin(), points.end(), [](const Pixel& a, const Pixel& b) { return a.x() < b.x(); });
  return points;
}

const Observation& first_of(const FitResult& result, const std::string& name) {
  return *std::find_if(result.observations.begin(), result.observations.end(),
                       [&](const Observation& one) { return one.name == name; });
}

bool are_points(const FitResult& result, const std::string& name) { return first_of(result, name).point >= 0; }

std::string curves_html(const FitResult& result, const FitQuality& quality) {
  std::vector<double> measured, residuals;
  for (std::size_t i = 0; i < result.observations.size(); ++i) {
    measured.push_back(result.observations[i].value);
    residuals.push_back(result.values[i] - result.observations[i].value);
  }
  const PlotAxis x = plot_axis(first_of(result, quality.name).over), y = plot_axis(quality.name);
  LinePlot curves{quality.name, x, y, {}};
  curves.lines.push_back({"before", 1, true, false, points_of(result, quality.name, result.start_values)});
  curves.lines.push_back({"fitted", 0, false, false, points_of(result, quality.name, result.values)});
  curves.lines.push_back({"measured", 2, false, true, points_of(result, quality.name, measured), false});
  LinePlot rest{"residuals of " + quality.name, x, y, {}};
  rest.lines.push_back({"fitted - measured", 0, false, true, points_of(result, quality.name, residuals), false});
  return figure(quality.name, line_plot_svg(curves)) + figure(rest.title, line_plot_svg(rest));
}

// Points of a sensor have no order: what is fitted over what was measured.
std::string parity_html(const FitResult& result, const FitQuality& quality) {
  const PlotAxis axis = plot_axis(quality.name);
  LinePlot plot{quality.name, axis, axis, {}};
  plot.x.label = "measured " + plot.x.label;
  plot.lines = {
      {"before", 1, false, true, {}, false}, {"fitted", 0, false, true, {}, false}, {"equal", 2, true, false, {}}};
  double low = 0.0, high = 0.0;
  for (std::size_t i = 0; i < result.observations.size(); ++i) {
    const Observation& one = result.observations[i];
    if (one.name != quality.name) continue;
    plot.lines[0].points.emplace_back(one.value, result.start_values[i]);
    plot.lines[1].points.emplace_back(one.value, result.values[i]);
    low = std::min(low, one.value);
    high = std::max(high, one.value);
  }
  plot.lines[2].points = {{low, low}, {high, high}};
  return figure(quality.name + " of points: fitted over measured", line_plot_svg(plot));
}

std::string points_html(const FitResult& result) {
  if (!result.points) return "";
  const PointQuality& points = *result.points;
  return fmt::format("<p>{} measured points: RMSE {} = {:.3g} % of their RMS displacement; {} before.</p>\n",
                     points.count, quantity(points.rmse_m, "m"), 100.0 * points.over_displacement(),
                     quantity(points.start_rmse_m, "m"));
}

std::string parameters_html(const FitResult& result) {
  std::string html =
      "<table><thead><tr><th>key</th><th>fitted</th><th>95 % interval</th><th>before</th><th>bounds</th><th></th></tr>"
      "</thead><tbody>\n";
  for (const FittedParameter& one : result.parameters) {
    const std::string& unit = one.parameter.key.unit;
    const char* remark = !one.determined ? "not determined" : one.at_bound ? "at its bound" : "";
    html += fmt::format(
        "<tr><th>{}</th><td class=\"n\">{:.6g} {}</td><td class=\"n\">{:.6g} to {:.6g}</td><td class=\"n\">{:.6g}</td>"
        "<td class=\"n\">{:.4g} to {:.4g}</td><td>{}</td></tr>\n",
        escaped(one.parameter.key.key), one.value, escaped(unit), one.low, one.high, one.start, one.parameter.low,
        one.parameter.high, remark);
  }
  return html + "</tbody></table>\n";
}

std::string quality_html(const FitResult& result) {
  std::string html =
      "<table><thead><tr><th>quantity</th><th>points</th><th>RMSE before</th><th>RMSE</th><th>of the largest value</th>"
      "</tr></thead><tbody>\n";
  for (const FitQuality& one : result.qualities) {
    const std::string unit = plot_axis(one.name).si_unit;
    html += fmt::format(
        "<tr><th>{}</th><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{:.3g} "
        "%</td></tr>\n",
        escaped(one.name), one.count, quantity(one.start_rmse, unit), quantity(one.rmse, unit),
        100.0 * one.normalised_rmse);
  }
  return html + "</tbody></table>\n";
}

std::string correlation_html(const FitResult& result) {
  if (result.parameters.size() < 2) return "";
  std::string html = "<h2>Correlation of the estimates</h2>\n<table><thead><tr><th></th>";
  for (const FittedParameter& one : result.parameters) html += "<th>" + escaped(one.parameter.key.key) + "</th>";
  html += "</tr></thead><tbody>\n";
  for (Eigen::Index i = 0; i < result.correlation.rows(); ++i) {
    html += "<tr><th>" + escaped(result.parameters[static_cast<std::size_t>(i)].parameter.key.key) + "</th>";
    for (Eigen::Index j = 0; j < result.correlation.cols(); ++j)
      html += fmt::format("<td class=\"n\">{:.3f}</td>", result.correlation(i, j));
    html += "</tr>\n";
  }
  return html + "</tbody></table>\n";
}

std::string surface_svg(const ErrorSurface& one, const FitResult& result) {
  const FittedParameter &first = result.parameters[one.first], &second = result.parameters[one.second];
  if (one.first != one.second) {
    HeatMap map{"RMSE",
                plot_axis(first.parameter.key.key),
                plot_axis(second.parameter.key.key),
                {"RMSE, of the largest value", ""},
                one.first_values,
                one.second_values,
                one.rmse,
                true,
                {{first.value, second.value}}};
    return heat_map_svg(map);
  }
  const bool is_log = first.parameter.is_logarithmic();
  LinePlot plot{"RMSE", plot_axis(first.parameter.key.key, false), {"RMSE, of the largest value", ""}, {}};
  if (is_log) plot.x = {"log10 of " + first.parameter.key.key, "", false};
  PlotLine line{"RMSE", 0, false, true, {}};
  for (std::size_t i = 0; i < one.rmse.size(); ++i)
    if (std::isfinite(one.rmse[i]))
      line.points.emplace_back(is_log ? std::log10(one.first_values[i]) : one.first_values[i], one.rmse[i]);
  plot.lines.push_back(std::move(line));
  plot.lines.push_back(
      {"fitted", 2, false, true, {{is_log ? std::log10(first.value) : first.value, result.rmse}}, false});
  return line_plot_svg(plot);
}

std::string surfaces_html(const FitResult& result) {
  if (result.surfaces.empty()) return "";
  std::string html =
      "<h2>Error surfaces</h2>\n<p class=\"muted\">RMSE over the bounds of two parameters, the others at their fitted "
      "values; the cross is the fit, grey runs failed.</p>\n<div class=\"grid two\">\n";
  for (const ErrorSurface& one : result.surfaces) {
    const std::string& first = result.parameters[one.first].parameter.key.key;
    const std::string& second = result.parameters[one.second].parameter.key.key;
    html += "<div style=\"max-width:640px\">" +
            figure(one.first == one.second ? first : first + ", " + second, surface_svg(one, result)) + "</div>\n";
  }
  return html + "</div>\n";
}

std::string notes_html(const FitResult& result) {
  std::string html;
  for (const std::string& note : result.notes)
    html += fmt::format("<div class=\"verdict interrupted\"><b>Note</b> <span>{}</span></div>\n", escaped(note));
  return html;
}

}  // namespace

std::string fit_page_html(const std::string& title, const FitResult& result) {
  std::string curves;
  for (const FitQuality& quality : result.qualities)
    curves += are_points(result, quality.name) ? parity_html(result, quality) : curves_html(result, quality);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Fit: {0}</title><style>{1}</style>"
      "</head><body><main>\n<h1>Fit: {0}</h1>\n<p class=\"muted\">{2} parameters to {3} measured points, {4} "
      "runs.</p>\n"
      "{5}<h2>Parameters</h2>\n{6}<h2>Measured and fitted</h2>\n<div class=\"grid two\">\n{7}</div>\n"
      "<h2>How well</h2>\n{8}{9}{10}</main><script>{11}</script></body></html>\n",
      escaped(title), report_style, result.parameters.size(), result.observations.size(), result.runs,
      notes_html(result), parameters_html(result), curves, quality_html(result) + points_html(result),
      correlation_html(result), surfaces_html(result), report_script);
}

}  // namespace distal
