// Extremes of a run, kept up to date row by row: what the summary and the report's tables show.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "distal/record/device_results.hpp"
#include "distal/record/measure_results.hpp"
#include "distal/sensor/reading.hpp"

namespace distal {

// The vector with the largest norm so far, and when.
struct PeakVector {
  Vec3 value = Vec3::Zero();
  double time_s = 0.0;
  void update(const Vec3& candidate, double now_s);
};

struct PeakWrench {
  PeakVector force, torque;  // their peaks need not coincide
};

struct BodyStatistics {
  PeakWrench contact, tip, sensor;
  double peak_depth_m = 0.0, peak_contact_area_m2 = 0.0, peak_pressure_pa = 0.0;
  double closure_residual = 0.0;  // largest
  double first_contact_s = -1.0;  // negative: none yet
  BodyReading last;
  void update(double time_s, const BodyReading& reading);
};

struct EnergyStatistics {
  double residual_j = 0.0;    // largest magnitude
  double integrator_j = 0.0;  // what an implicit scheme took
  double work_done_j = 0.0;   // largest magnitude of the controller's work or of the change of gravity's energy
  void update(const EnergyReading& energy);
  // residual over work; 0 where no work was done.
  double relative_residual() const;

 private:
  bool started_ = false;
  double first_gravity_ = 0.0, first_work_ = 0.0;
};

// Wall-clock durations in logarithmic bins: quantiles to about 1 % in fixed memory, the worst exactly.
class DurationStatistics {
 public:
  void update(double seconds);
  std::uint64_t count() const { return count_; }
  double worst_s() const { return worst_s_; }
  double total_s() const { return total_s_; }
  double quantile_s(double fraction) const;

  static constexpr std::size_t bins_per_decade = 120, decades = 10;
  static constexpr double smallest_s = 1e-8;
  const std::vector<std::uint64_t>& bins() const { return bins_; }
  static double lower_edge_s(std::size_t bin);

 private:
  std::vector<std::uint64_t> bins_ = std::vector<std::uint64_t>(bins_per_decade * decades, 0);
  std::uint64_t count_ = 0;
  double worst_s_ = 0.0, total_s_ = 0.0;
};

// What one control period cost.
struct PeriodCost {
  double wall_s = 0.0;
  int substeps = 0;
  int newton = 0, iterations = 0;  // implicit kinds, of all substeps
  double residual = 0.0;           // implicit kinds: largest, relative to the right side
};

struct RunStatistics {
  std::vector<BodyStatistics> bodies;  // in the order of RunHeader::body_names
  EnergyStatistics energy;
  DurationStatistics period_wall;  // per control period
  std::uint64_t substeps = 0, newton = 0, iterations = 0;
  double largest_residual = 0.0;
  MeasureResults measures;            // complete at the end
  std::vector<DeviceReport> devices;  // the same
};

}  // namespace distal
