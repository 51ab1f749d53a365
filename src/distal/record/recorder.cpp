#include "distal/record/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "distal/core/error.hpp"
#include "distal/record/report.hpp"
#include "distal/record/series_table.hpp"
#include "distal/record/summary.hpp"
#include "distal/state/feedback_hash.hpp"

namespace distal {
namespace {

std::vector<Table> make_series(const OutputFolder& folder, const RunHeader& header) {
  std::vector<Table> series;
  for (const std::string& name : series_file_names(header.body_names))
    series.emplace_back(folder.folder("series") / name, series_columns());
  return series;
}

std::vector<std::optional<Table>> make_measured(const OutputFolder& folder, const RunHeader& header) {
  std::vector<std::optional<Table>> measured(header.body_names.size());
  const std::vector<std::string> names = series_file_names(header.body_names);
  for (const std::size_t body : header.bodies_behind_channels)
    measured[body].emplace(folder.folder("measured") / names[body], measured_columns());
  return measured;
}

OutputFolder without_old_results(OutputFolder folder) {
  folder.remove_old_results();
  return folder;
}

}  // namespace

Recorder::Recorder(OutputFolder folder, RunHeader header)
    : folder_(without_old_results(std::move(folder))),
      header_(std::move(header)),
      history_(header_.body_names.size()),
      frames_(folder_),
      series_(make_series(folder_, header_)),
      measured_(make_measured(folder_, header_)),
      energy_(folder_.path() / "energy.csv", energy_columns()),
      timing_(folder_.path() / "timing.csv", {"time_s", "step_wall_s", "substeps", "newton", "iterations", "residual"}),
      commands_(folder_.folder("recording") / "commands.csv",
                recording_columns(header_.body_names, header_.joint_names, header_.touch_names)) {
  statistics_.bodies.resize(header_.body_names.size());
  folder_.write_file("scene.toml", header_.scene_toml);
  folder_.write_file("recording/header.json", recording_header_json(header_));
}

void Recorder::add_period(double time_s, std::span<const BodyReading> readings, const PeriodExchange& exchange,
                          const EnergyReading& energy, const PeriodCost& cost) {
  DISTAL_ASSERT(readings.size() == series_.size() && exchange.sent.size() == series_.size());
  DISTAL_ASSERT(exchange.acted.size() == series_.size() && exchange.seen.size() == series_.size());
  DISTAL_ASSERT(exchange.joints.size() == header_.joint_names.size());
  DISTAL_ASSERT(exchange.touches.size() == header_.touch_names.size());
  // The inputs first: with them everything else can be computed again.
  add_recording_row(commands_, time_s, exchange.sent, exchange.joints, exchange.touches, hash_feedback(exchange.seen),
                    exchange.state_hash);
  for (std::size_t body = 0; body < series_.size(); ++body) {
    add_series_row(series_[body], time_s, readings[body], exchange.acted[body]);
    if (measured_[body]) add_measured_row(*measured_[body], exchange.seen[body]);
    statistics_.bodies[body].update(time_s, readings[body]);
  }
  add_energy_row(energy_, time_s, energy);
  timing_.add(time_s);
  timing_.add(cost.wall_s);
  for (const int count : {cost.substeps, cost.newton, cost.iterations}) timing_.add(count);
  timing_.add(cost.residual);
  timing_.end_row();
  statistics_.energy.update(energy);
  statistics_.period_wall.update(cost.wall_s);
  statistics_.substeps += static_cast<std::uint64_t>(cost.substeps);
  statistics_.newton += static_cast<std::uint64_t>(cost.newton);
  statistics_.iterations += static_cast<std::uint64_t>(cost.iterations);
  statistics_.largest_residual = std::max(statistics_.largest_residual, cost.residual);
  history_.add_period(time_s, readings, energy);
}

void Recorder::add_frame(double time_s, std::vector<BodySnapshot> bodies) {
  Frame frame{time_s, 0.0, false, std::move(bodies)};
  for (const BodyStatistics& body : statistics_.bodies) {
    frame.depth_m = std::max(frame.depth_m, body.last.depth_m);
    frame.touching = frame.touching || body.last.patch.count > 0;
  }
  const auto shared = std::make_shared<const Frame>(std::move(frame));
  frames_.add(shared);
  history_.add_frame(shared);
}

void Recorder::add_curve_row(const CurveRow& row) {
  if (!curve_) curve_.emplace(folder_.path() / "curve.csv", curve_columns());
  add_curve_table_row(*curve_, row);
  history_.curve.push_back(row);
}

void Recorder::add_taxels(const std::string& name, int rows, int columns, std::span<const double> pressure_pa,
                          double time_s) {
  DISTAL_ASSERT(rows > 0 && columns > 0 && pressure_pa.size() == static_cast<std::size_t>(rows) * columns);
  auto table = taxels_.find(name);
  if (table == taxels_.end()) {
    std::vector<std::string> headings = {"time_s"};
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column) headings.push_back(fmt::format("p_{}_{}_pa", row, column));
    table = taxels_.try_emplace(name, folder_.folder("taxels") / (file_name_of(name) + ".csv"), headings).first;
  }
  table->second.add(time_s);
  for (const double pressure : pressure_pa) table->second.add(pressure);
  table->second.end_row();
  history_.add_taxels({name, rows, columns, time_s, {pressure_pa.begin(), pressure_pa.end()}});
}

void Recorder::finish(const RunEnd& end) {
  folder_.write_file("recording/end.json", recording_end_json(end));
  frames_.finish();
  folder_.write_file("summary.json", summary_json(header_, end, statistics_));
  folder_.write_file("report.html", report_html(header_, end, statistics_, history_));
}

}  // namespace distal
