#include "distal/record/report_tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "distal/record/quantity.hpp"
#include "distal/record/svg.hpp"

namespace distal {
namespace {

std::string fact(std::string_view name, std::string_view value) {
  return fmt::format("<div class=\"fact\"><span>{}</span><strong>{}</strong></div>\n", name, escaped(value));
}

// The body that was pressed hardest tells the story in one line; a soft one before the things it touched.
const BodyStatistics* most_pressed(const RunStatistics& statistics) {
  const auto best = std::max_element(statistics.bodies.begin(), statistics.bodies.end(),
                                     [](const BodyStatistics& a, const BodyStatistics& b) {
                                       const bool soft_a = a.peak_depth_m > 0.0, soft_b = b.peak_depth_m > 0.0;
                                       if (soft_a != soft_b) return soft_b;
                                       return a.contact.force.value.norm() < b.contact.force.value.norm();
                                     });
  return best == statistics.bodies.end() ? nullptr : &*best;
}

std::string percent(double share) { return fmt::format("{:.3g} %", 100.0 * share); }

std::string real_time_factor(const RunEnd& end) {
  return end.wall_s > 0.0 ? fmt::format("{:.3g}", end.simulated_s / end.wall_s) : "unknown";
}

std::string wrench_row(const char* name, const Vec3& peak, double time_s, const Vec3& last, const char* unit) {
  // One unit for the whole row, so that its numbers can be compared.
  const DisplayUnit display = display_unit(std::max(peak.norm(), last.norm()), unit);
  const auto cell = [&](double value) {
    return fmt::format("<td class=\"n\">{:.4g}</td>", std::abs(value) < 1e-15 ? 0.0 : value * display.factor);
  };
  const auto cells = [&](const Vec3& v) { return cell(v.x()) + cell(v.y()) + cell(v.z()) + cell(v.norm()); };
  return fmt::format("<tr><th>{} [{}]</th>{}<td class=\"n\">{:.4g} s</td>{}</tr>\n", name, display.unit, cells(peak),
                     time_s, cells(last));
}

}  // namespace

std::string verdict_html(const RunHeader& header, const RunEnd& end, const RunStatistics& statistics) {
  std::string text =
      fmt::format("{} simulated in {} of wall-clock time.", quantity(end.simulated_s, "s"), quantity(end.wall_s, "s"));
  if (const BodyStatistics* body = most_pressed(statistics); body != nullptr && body->first_contact_s >= 0.0) {
    text +=
        fmt::format(" Body {} first touched at {:.4g} s; peak contact force {} at {:.4g} s{}.",
                    header.body_names[static_cast<std::size_t>(body - statistics.bodies.data())], body->first_contact_s,
                    quantity(body->contact.force.value.norm(), "N"), body->contact.force.time_s,
                    body->peak_depth_m > 0.0 ? ", deepest " + quantity(body->peak_depth_m, "m") : "");
  } else {
    text += " Nothing was touched.";
  }
  if (!end.message.empty()) text = end.message + " " + text;
  return fmt::format("<div class=\"verdict {}\"><b>{}</b><span>{}</span></div>\n", escaped(end.status),
                     escaped(end.status), escaped(text));
}

std::string facts_html(const RunEnd& end, const RunStatistics& statistics) {
  std::string html = "<div class=\"facts\">\n";
  html += fact("real-time factor", real_time_factor(end) + " ×");
  if (const BodyStatistics* body = most_pressed(statistics)) {
    html += fact("peak contact force", quantity(body->contact.force.value.norm(), "N"));
    html += fact("peak torque at E", quantity(body->contact.torque.value.norm(), "N m"));
    if (body->peak_depth_m > 0.0) html += fact("deepest", quantity(body->peak_depth_m, "m"));
    if (body->peak_contact_area_m2 > 0.0)
      html += fact("largest contact area", quantity(body->peak_contact_area_m2, "m²"));
  }
  html += fact("energy residual", percent(statistics.energy.relative_residual()));
  if (statistics.energy.integrator_j > 0.0 && statistics.energy.work_done_j > 0.0)
    html += fact("taken by the integrator", percent(statistics.energy.integrator_j / statistics.energy.work_done_j));
  html += fact("wrench closure", fmt::format("{:.2g}", end.closure));
  return html + "</div>\n";
}

std::string run_table_html(const RunHeader& header, const RunEnd& end) {
  std::string html = "<div class=\"scroll\"><table><tbody>\n";
  const auto row = [&](std::string_view name, std::string_view value) {
    html += fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", name, escaped(value));
  };
  const auto step = [](double seconds) { return seconds > 0.0 ? quantity(seconds, "s") : std::string("no limit"); };
  row("scene", header.scene_file);
  row("version", header.version);
  row("model", fmt::format("{} particles, {} springs, {} cells", header.particles, header.springs, header.cells));
  row("integrator", fmt::format("{}, step {}", header.integrator, step(header.time_step_s)));
  row("stable step", fmt::format("{}; the paper's 1/ω₀ is {}", step(header.stable_step_s), step(header.paper_step_s)));
  row("steps", fmt::format("{} taken, {} rejected", end.steps, end.rejected_steps));
  row("control period", step(header.control_period_s));
  row("arithmetic", fmt::format("{}, {}, {} thread{}", header.precision, header.instruction_set, header.threads,
                                header.threads == 1 ? "" : "s"));
  row("seed", fmt::format("{}", header.seed));
  row("final state hash", end.final_state_hash);
  return html + "</tbody></table></div>\n";
}

std::string wrench_table_html(const BodyStatistics& body) {
  std::string html =
      "<div class=\"scroll\"><table><thead><tr><th></th><th class=\"n\">peak x</th><th class=\"n\">y</th><th "
      "class=\"n\">z</th><th class=\"n\">size</th><th class=\"n\">at</th><th class=\"n\">final x</th><th "
      "class=\"n\">y</th><th class=\"n\">z</th><th class=\"n\">size</th></tr></thead><tbody>\n";
  const BodyFeedback& last = body.last.feedback;
  const auto wrench = [&](const char* name, const PeakWrench& peak, const Wrench& final_value) {
    html +=
        wrench_row(fmt::format("{} force", name).c_str(), peak.force.value, peak.force.time_s, final_value.force, "N");
    html += wrench_row(fmt::format("{} torque", name).c_str(), peak.torque.value, peak.torque.time_s,
                       final_value.torque, "N m");
  };
  wrench("contact", body.contact, last.contact);
  wrench("tip", body.tip, last.tip);
  wrench("sensor", body.sensor, last.sensor);
  html += "</tbody></table></div>\n";
  return html + fmt::format(
                    "<p class=\"muted\">Depth: deepest {}, final {}. Contact area: largest {}, final {}. Largest "
                    "closure residual {:.2g}.</p>\n",
                    quantity(body.peak_depth_m, "m"), quantity(body.last.depth_m, "m"),
                    quantity(body.peak_contact_area_m2, "m²"), quantity(body.last.patch.area_m2, "m²"),
                    body.closure_residual);
}

}  // namespace distal
