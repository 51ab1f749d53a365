// How a run ended.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "distal/record/device_results.hpp"
#include "distal/record/measure_results.hpp"
#include "distal/sensor/reading.hpp"

namespace distal {

enum class RunStatus { done, interrupted, failed };

struct RunResult {
  RunStatus status = RunStatus::done;
  std::string message;        // failed: why, and what to change
  std::filesystem::path out;  // empty: nothing was recorded
  double simulated_s = 0.0, wall_s = 0.0, real_time_factor = 0.0;
  double time_step_s = 0.0;
  std::size_t particles = 0;
  std::string final_state_hash;
  double median_period_s = 0.0, p999_period_s = 0.0, worst_period_s = 0.0;  // wall time of a control period
  // Of the first body with a series, for the short result on the screen.
  double peak_contact_force_n = 0.0, deepest_m = 0.0, largest_closure_residual = 0.0, energy_residual = 0.0;
  double integrator_share = 0.0;  // of the work: taken by an implicit scheme
  std::vector<CurveRow> curve;    // settled states of a motion
  MeasureResults measures;        // at each of them, or at the end
  std::vector<DeviceReport> devices;
  std::vector<std::string> notes;  // states that did not settle, deadlines missed, spurious steps
};

}  // namespace distal
