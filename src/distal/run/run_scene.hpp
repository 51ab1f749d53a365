// A scene from start to result files: simulation, controllers, recorder and pacing around step().
#pragma once
#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "distal/scenario/scene.hpp"

namespace distal {

struct RunProgress {
  double simulated_s = 0.0;
  double wall_s = 0.0;
  double real_time_factor = 0.0;
  double share = 0.0;   // [0, 1] of the whole run, by expected simulated time
  double left_s = 0.0;  // expected wall time left
  std::string note;     // for example the phase of a motion
};

struct RunOptions {
  std::filesystem::path out;
  bool force = false;
  bool realtime = false;                             // pace to the wall clock; never faster
  std::string version;                               // of the program, for the record
  std::function<void(const RunProgress&)> progress;  // called a few times a second
  const std::atomic<bool>* stop = nullptr;           // set it to end cleanly, with a complete record
};

enum class RunStatus { done, interrupted, failed };

struct RunResult {
  RunStatus status = RunStatus::done;
  std::string message;  // failed: why, and what to change
  std::filesystem::path out;
  double simulated_s = 0.0, wall_s = 0.0, real_time_factor = 0.0;
  double time_step_s = 0.0;
  std::size_t particles = 0;
  std::string final_state_hash;
  double median_period_s = 0.0, p999_period_s = 0.0, worst_period_s = 0.0;  // wall time of a control period
  // Of the first body with a series, for the short result on the screen.
  double peak_contact_force_n = 0.0, deepest_m = 0.0, largest_closure_residual = 0.0, energy_residual = 0.0;
  double integrator_share = 0.0;   // of the work: taken by an implicit scheme
  std::vector<std::string> notes;  // states that did not settle, deadlines missed, spurious steps
};

// Throws InputError before anything is simulated, OutputError when results cannot be written.
RunResult run_scene(const Scene& scene, const RunOptions& options);

}  // namespace distal
