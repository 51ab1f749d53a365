#include "distal/record/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "distal/record/device_report.hpp"
#include "distal/record/histogram_plot.hpp"
#include "distal/record/measure_report.hpp"
#include "distal/record/pressure_map.hpp"
#include "distal/record/quantity.hpp"
#include "distal/record/report_plots.hpp"
#include "distal/record/report_style.hpp"
#include "distal/record/report_tables.hpp"
#include "distal/record/snapshot_picture.hpp"
#include "distal/record/svg.hpp"

namespace distal {
namespace {

std::string section(std::string_view title, std::string_view note, std::string_view content) {
  if (content.empty()) return {};
  return fmt::format("<h2>{}</h2>\n{}{}", escaped(title),
                     note.empty() ? "" : fmt::format("<p class=\"muted\">{}</p>\n", escaped(note)), content);
}

std::string snapshots_html(const History& history) {
  const std::vector<Snapshot> snapshots = choose_snapshots(history);
  if (snapshots.empty()) return {};
  const PictureScale scale = common_scale(snapshots);
  const auto letter = [](std::size_t i) { return fmt::format("({:c}) ", 'a' + static_cast<int>(i)); };
  const auto row = [&](auto picture) {
    std::string html = "<div class=\"grid four\">\n";
    for (std::size_t i = 0; i < snapshots.size(); ++i)
      html += figure(letter(i) + snapshots[i].caption, snapshots[i].moment, picture(snapshots[i], scale));
    return html + "</div>\n";
  };
  std::string html = row(surface_picture_svg);
  if (scale.largest_displacement_m > 0.0)
    html += svg_open(420.0, 56.0, "bar-only", "Colours of the displacement") +
            color_bar({10.0, 22.0}, 390.0, scale.largest_displacement_m, "m", "displacement of the surface") +
            "</svg>\n";
  if (has_lattice(*snapshots.front().frame))
    html += "<p class=\"muted\">The same moments as masses and springs of the boundary, with the rod.</p>\n" +
            row(lattice_picture_svg);
  return html;
}

bool touches(const std::vector<BodyStatistics>& bodies) {
  return std::any_of(bodies.begin(), bodies.end(), [](const BodyStatistics& b) { return b.first_contact_s >= 0.0; });
}

std::string pressure_html(const History& history) {
  const auto& frame = history.deepest ? history.deepest : history.last;
  std::string html;
  if (frame) {
    const std::string map = pressure_map_svg(*frame);
    if (!map.empty()) html += figure("Contact patch seen from below", fmt::format("t = {:.4g} s", frame->time_s), map);
  }
  for (const TaxelGrid& grid : history.taxels)
    html += figure("Taxel grid", fmt::format("{} × {}, t = {:.4g} s", grid.rows, grid.columns, grid.time_s),
                   taxel_map_svg(grid));
  return html.empty() ? html : "<div class=\"grid two\">\n" + html + "</div>\n";
}

std::string timing_html(const RunHeader& header, const RunStatistics& statistics) {
  const DurationStatistics& wall = statistics.period_wall;
  const std::string svg = period_wall_histogram_svg(wall, header.control_period_s);
  if (svg.empty()) return {};
  const double steps = static_cast<double>(statistics.substeps) / static_cast<double>(wall.count());
  const std::string table = fmt::format(
      "<table><tbody><tr><th>median</th><td class=\"n\">{}</td></tr>\n<tr><th>99.9 %</th><td class=\"n\">{}</td></tr>\n"
      "<tr><th>worst</th><td class=\"n\">{}</td></tr>\n<tr><th>control period</th><td class=\"n\">{}</td></tr>\n"
      "<tr><th>steps a period, on average</th><td class=\"n\">{:.4g}</td></tr>\n"
      "<tr><th>periods</th><td class=\"n\">{}</td></tr></tbody></table>\n",
      quantity(wall.quantile_s(0.5), "s"), quantity(wall.quantile_s(0.999), "s"), quantity(wall.worst_s(), "s"),
      quantity(header.control_period_s, "s"), steps, wall.count());
  return "<div class=\"grid two\">\n" + figure("Time to compute one control period", "", svg) + "<div>" + table +
         "</div></div>\n";
}

}  // namespace

std::string report_html(const RunHeader& header, const RunEnd& end, const RunStatistics& statistics,
                        const History& history) {
  const std::string title = header.scene_title.empty() ? header.scene_file : header.scene_title;
  std::string html = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width,initial-scale=1\">\n<title>{}</title>\n<style>{}</style>\n</head>\n<body><main>\n"
      "<h1>{}</h1>\n<p class=\"muted\">Distal {} · {} · {} particles · {} · step {}</p>\n",
      escaped(title), report_style, escaped(title), escaped(header.version), escaped(header.scene_file),
      header.particles, escaped(header.integrator), quantity(header.time_step_s, "s"));
  html += verdict_html(header, end, statistics) + facts_html(end, statistics);
  const auto& frames = history.frames.values();
  const bool has_rod = !frames.empty() && std::any_of(frames.front()->bodies.begin(), frames.front()->bodies.end(),
                                                      [](const BodySnapshot& b) { return b.kind == "fingertip"; });
  if (is_rigid(history))
    html += section("The run", "", snapshots_html(history)) + section("Contacts", "", grasp_figures(history));
  else
    html += section("The deforming body",
                    std::string(has_rod ? "Arrows at the rod's end E: the force f (one head) and the torque τ (two "
                                          "heads, right-hand rule) of the tip on the rod. Lengths and colours are "
                                        : "Colours are ") +
                        "the same in all pictures.",
                    snapshots_html(history)) +
            section("Contacts of rigid bodies", "", grasp_figures(history));
  for (const DeviceReport& device : statistics.devices)
    html += section("The hand on " + device.name, device_note(device), device_figures(device));
  html += section("Settled curve", "", curve_figures(history.curve));
  const MeasureResults& measures = statistics.measures;
  html += section("Cuts", "", contours_html(measures));
  html += section("Measured points", "", point_errors_html(measures));
  html += section("Compression test", "", compressions_html(measures));
  html += section("Volume of soft bodies", "", volumes_html(measures));
  const bool anything_touched = touches(statistics.bodies);
  const auto is_told = [&](std::size_t body) {
    return statistics.bodies[body].first_contact_s >= 0.0 || !anything_touched;
  };
  for (std::size_t body = 0; body < history.bodies.size(); ++body)
    if (is_told(body))
      html += section("Force and torque on " + header.body_names[body], "", wrench_figures(history.bodies[body]));
  html += section("Pressure", "", pressure_html(history));
  html += section("Energy", "", energy_figures(history.energy));
  html += section("Speed", "", timing_html(header, statistics));
  for (std::size_t body = 0; body < statistics.bodies.size(); ++body)
    if (is_told(body))
      html += section("Peak and final wrenches on " + header.body_names[body],
                      "At E, along E's axes. Force and torque peak at moments of their own.",
                      wrench_table_html(statistics.bodies[body]));
  html += section("What was run", "", run_table_html(header, end));
  html += fmt::format("<details><summary>Scene as resolved (scene.toml)</summary><pre>{}</pre></details>\n",
                      escaped(header.scene_toml));
  return html + fmt::format("</main>\n<script>{}</script>\n</body>\n</html>\n", report_script);
}

}  // namespace distal
