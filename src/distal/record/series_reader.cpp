#include "distal/record/series_reader.hpp"

#include "distal/record/row_reader.hpp"
#include "distal/record/statistics.hpp"

namespace distal {
namespace {

Wrench read_wrench(RowReader& row) {
  const Vec3 force = row.vector();
  return {force, row.vector()};
}

SeriesRow read_series_row(RowReader row) {
  SeriesRow result;
  BodyFeedback& feedback = result.reading.feedback;
  feedback.time_s = row.number();
  feedback.pose.position = row.vector();
  for (double& component : feedback.pose.q.coeffs()) component = row.number();
  feedback.twist.linear = row.vector();
  feedback.twist.angular = row.vector();
  result.command.mode = row.mode();
  const Wrench values = read_wrench(row);
  if (result.command.mode == CommandMode::wrench) result.command.wrench = values;
  if (result.command.mode == CommandMode::twist) result.command.twist = {values.force, values.torque};
  if (result.command.mode == CommandMode::pose) result.command.pose.position = values.force;
  feedback.contact = read_wrench(row);
  feedback.tip = read_wrench(row);
  feedback.sensor = read_wrench(row);
  result.reading.depth_m = row.number();
  result.reading.patch.area_m2 = row.number();
  result.reading.patch.count = static_cast<int>(row.number());
  row.expect_end();
  return result;
}

EnergyReading read_energy_row(RowReader row, double& time_s) {
  time_s = row.number();
  EnergyReading energy;
  for (double* value : {&energy.kinetic, &energy.elastic, &energy.gravity, &energy.contact, &energy.ligament,
                        &energy.dissipated, &energy.control_work, &energy.integrator, &energy.residual})
    *value = row.number();
  row.expect_end();
  return energy;
}

}  // namespace

std::vector<SeriesRow> load_series_at(const std::filesystem::path& file, std::span<const double> times_s) {
  std::vector<SeriesRow> found;
  SeriesRow last;
  bool any = false;
  for_each_row(file, series_columns(), [&](RowReader reader) {
    SeriesRow row = read_series_row(std::move(reader));
    while (any && found.size() < times_s.size() && row.reading.feedback.time_s > times_s[found.size()] * kSameTime)
      found.push_back(last);
    last = row;
    any = true;
  });
  found.resize(times_s.size(), last);
  return found;
}

std::vector<double> load_energy_residual_at(const std::filesystem::path& file, std::span<const double> times_s) {
  std::vector<double> found;
  EnergyStatistics statistics;
  for_each_row(file, energy_columns(), [&](RowReader reader) {
    double time_s = 0.0;
    const EnergyReading energy = read_energy_row(std::move(reader), time_s);
    while (found.size() < times_s.size() && time_s > times_s[found.size()] * kSameTime)
      found.push_back(statistics.relative_residual());
    statistics.update(energy);
  });
  found.resize(times_s.size(), statistics.relative_residual());
  return found;
}

}  // namespace distal
