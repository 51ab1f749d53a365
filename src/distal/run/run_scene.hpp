// A scene from start to result files: simulation, controllers, recorder and pacing around step().
#pragma once
#include <atomic>
#include <filesystem>
#include <functional>
#include <string>

#include "distal/run/onlooker.hpp"
#include "distal/run/run_result.hpp"
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
  double checkpoint_every_s = 0.0;                   // simulated time; 0: none
  std::filesystem::path resume;                      // a checkpoint, or a folder with some; empty: from the beginning
  std::string version;                               // of the program, for the record
  std::function<void(const RunProgress&)> progress;  // called a few times a second
  const std::atomic<bool>* stop = nullptr;           // set it to end cleanly, with a complete record
  Onlooker* onlooker = nullptr;
  std::function<void(const Simulation&)> ready;  // called once, before the first period
};

// Throws InputError before anything is simulated, OutputError when results cannot be written.
RunResult run_scene(const Scene& scene, const RunOptions& options);

}  // namespace distal
