// A recorded run, run again and compared.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "distal/record/recording.hpp"
#include "distal/run/run_scene.hpp"

namespace distal {

struct ReplayOptions {
  bool free_running = false;  // the scene's own controllers drive again, instead of the recorded commands
  std::function<void(const RunProgress&)> progress;
  const std::atomic<bool>* stop = nullptr;
};

struct ReplayDifference {
  std::int64_t period = 0;  // control periods since the beginning of the scene
  double time_s = 0.0;
  std::string what;  // feedback, state, final state, or why the run went no further
};

struct ReplayResult {
  std::size_t periods = 0;  // replayed
  double simulated_s = 0.0;
  std::string final_state_hash;
  std::string recorded_with, replayed_with;    // instruction sets
  std::optional<ReplayDifference> difference;  // the first
  bool interrupted = false;

  bool comparable() const { return recorded_with == replayed_with; }
};

// Throws InputError for a recording that cannot be run.
ReplayResult replay(const Recording& recording, const ReplayOptions& options);

}  // namespace distal
