#include "distal/record/summary.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "distal/core/error.hpp"
#include "distal/record/device_report.hpp"
#include "distal/record/measure_report.hpp"

namespace distal {
namespace {

using Json = nlohmann::ordered_json;

// JSON knows no NaN and no infinity: one here is a bug of ours upstream.
double finite(double value) {
  DISTAL_ASSERT(std::isfinite(value));
  return value;
}

Json to_json(const Vec3& value) { return Json::array({finite(value.x()), finite(value.y()), finite(value.z())}); }

Json to_json(const Wrench& wrench) {
  return {{"force_n", to_json(wrench.force)}, {"torque_n_m", to_json(wrench.torque)}};
}

Json to_json(const PeakWrench& peak) {
  return {{"force_n", to_json(peak.force.value)},
          {"force_time_s", finite(peak.force.time_s)},
          {"torque_n_m", to_json(peak.torque.value)},
          {"torque_time_s", finite(peak.torque.time_s)}};
}

Json to_json(const BodyStatistics& body) {
  const BodyFeedback& feedback = body.last.feedback;
  Json json;
  json["peak"] = {{"contact", to_json(body.contact)},
                  {"tip", to_json(body.tip)},
                  {"sensor", to_json(body.sensor)},
                  {"depth_m", finite(body.peak_depth_m)},
                  {"contact_area_m2", finite(body.peak_contact_area_m2)},
                  {"pressure_pa", finite(body.peak_pressure_pa)}};
  json["final"] = {{"contact", to_json(feedback.contact)},
                   {"tip", to_json(feedback.tip)},
                   {"sensor", to_json(feedback.sensor)},
                   {"depth_m", finite(body.last.depth_m)},
                   {"contact_area_m2", finite(body.last.patch.area_m2)},
                   {"contact_radius_m", finite(body.last.patch.radius_m)}};
  if (body.first_contact_s >= 0.0) json["first_contact_s"] = finite(body.first_contact_s);
  json["closure_residual"] = finite(body.closure_residual);
  return json;
}

Json to_json(const LinkReport& link) {
  Json json = {{"clock", link.clock},     {"received", link.received},        {"lost", link.lost},
               {"late", link.late},       {"repeated", link.repeated},        {"malformed", link.malformed},
               {"refused", link.refused}, {"safe_actions", link.safe_actions}};
  if (link.periods == 0) return json;
  json["periods"] = link.periods;
  json["missed_deadlines"] = link.missed_deadlines;
  json["start_delay_s"] = {{"median", finite(link.start_delay_p50_s)},
                           {"p99", finite(link.start_delay_p99_s)},
                           {"p99_9", finite(link.start_delay_p999_s)},
                           {"worst", finite(link.start_delay_worst_s)}};
  json["largest_lag_s"] = finite(link.largest_lag_s);
  json["fixed_priority"] = link.fixed_priority;
  json["locked_memory"] = link.locked_memory;
  return json;
}

std::string text_of(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

void add_step_facts(Json& json, const RunHeader& header, const RunEnd& end) {
  json["particles"] = header.particles;
  json["springs"] = header.springs;
  json["cells"] = header.cells;
  json["integrator"] = header.integrator;
  json["precision"] = header.precision;
  json["threads"] = header.threads;
  json["time_step_s"] = finite(header.time_step_s);
  json["stable_step_s"] = finite(header.stable_step_s);
  json["paper_step_s"] = finite(header.paper_step_s);
  json["control_period_s"] = finite(header.control_period_s);
  json["steps"] = end.steps;
  json["rejected_steps"] = end.rejected_steps;
}

}  // namespace

std::string summary_json(const RunHeader& header, const RunEnd& end, const RunStatistics& statistics) {
  DISTAL_ASSERT(statistics.bodies.size() == header.body_names.size());
  Json json;
  json["status"] = end.status;
  if (!end.message.empty()) json["message"] = end.message;
  json["scene"] = header.scene_file;
  json["title"] = header.scene_title;
  json["version"] = header.version;
  json["seed"] = header.seed;
  add_step_facts(json, header, end);
  json["simulated_s"] = finite(end.simulated_s);
  json["wall_s"] = finite(end.wall_s);
  json["real_time_factor"] = end.wall_s > 0.0 ? finite(end.simulated_s / end.wall_s) : 0.0;
  const DurationStatistics& wall = statistics.period_wall;
  json["period_wall_s"] = {{"median", finite(wall.quantile_s(0.5))},
                           {"p99_9", finite(wall.quantile_s(0.999))},
                           {"worst", finite(wall.worst_s())}};
  if (statistics.newton > 0)
    json["solver"] = {{"newton", statistics.newton},
                      {"iterations", statistics.iterations},
                      {"largest_residual", finite(statistics.largest_residual)}};
  json["energy_residual"] = finite(statistics.energy.relative_residual());
  json["energy_residual_j"] = finite(statistics.energy.residual_j);
  json["integrator_energy_j"] = finite(statistics.energy.integrator_j);
  json["work_done_j"] = finite(statistics.energy.work_done_j);
  json["closure_residual"] = finite(end.closure);
  json["final_state_hash"] = end.final_state_hash;
  json["instruction_set"] = header.instruction_set;
  if (end.link) json["link"] = to_json(*end.link);
  json["bodies"] = Json::object();
  for (std::size_t body = 0; body < statistics.bodies.size(); ++body)
    json["bodies"][header.body_names[body]] = to_json(statistics.bodies[body]);
  add_devices(json, statistics.devices);
  add_measures(json, statistics.measures);
  return text_of(json);
}

std::string recording_header_json(const RunHeader& header) {
  Json json;
  json["format"] = 2;
  json["version"] = header.version;
  json["scene"] = header.scene_file;
  json["scene_toml"] = header.scene_toml;
  json["seed"] = header.seed;
  json["instruction_set"] = header.instruction_set;
  json["integrator"] = header.integrator;
  json["precision"] = header.precision;
  json["time_step_s"] = finite(header.time_step_s);
  json["control_period_s"] = finite(header.control_period_s);
  json["bodies"] = header.body_names;
  if (!header.joint_names.empty()) json["joints"] = header.joint_names;
  if (!header.touch_names.empty()) json["touches"] = header.touch_names;
  return text_of(json);
}

std::string recording_end_json(const RunEnd& end) {
  Json json;
  json["status"] = end.status;
  json["final_state_hash"] = end.final_state_hash;
  return text_of(json);
}

}  // namespace distal
