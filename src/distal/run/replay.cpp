#include "distal/run/replay.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "distal/core/error.hpp"
#include "distal/math/instruction_set.hpp"
#include "distal/run/control_room.hpp"
#include "distal/run/session.hpp"
#include "distal/state/feedback_hash.hpp"

namespace distal {
namespace {

class Replay {
 public:
  Replay(const Recording& recording, const Scene& scene, const ReplayOptions& options)
      : recording_(recording), options_(options), session_(scene, {}), room_(scene, body_names(session_.simulation())) {
    if (scene.motion) room_.follow(*scene.motion, session_.simulation());
    if (options.free_running) room_.connect(scene, session_.simulation());
    if (options.free_running && scene.controllers.empty() && scene.squeezes.empty() && scene.devices.empty() &&
        !scene.motion)
      throw InputError(
          "the scene has no controller of its own, so nothing can drive it freely; replay the recorded commands");
    if (recording.body_names != body_names(session_.simulation()))
      throw InputError("the recording has commands for other bodies than its scene");
    const Simulation& simulation = session_.simulation();
    for (std::size_t j = 0; j < recording.joint_names.size(); ++j)
      if (recording.joint_names.size() != simulation.joint_count() ||
          recording.joint_names[j] != simulation.joint(j).name)
        throw InputError("the recording has commands for other joints than its scene");
    if (recording.start.empty()) return;
    const Checkpoint start = load_checkpoint(recording.start);
    session_.continue_from(start);
    if (options.free_running) room_.restore(start.controllers);
  }

  ReplayResult run() {
    for (const RecordedPeriod& period : recording_.periods) {
      result_.interrupted = options_.stop && options_.stop->load(std::memory_order_relaxed);
      if (result_.interrupted || !advance(period)) break;
      ++result_.periods;
      show_progress();
    }
    return close();
  }

 private:
  // False where there is no going on.
  bool advance(const RecordedPeriod& period) {
    std::span<const BodyCommand> commands = period.commands;
    std::span<const TouchCommand> touches = period.touches;
    if (options_.free_running) {
      commands = room_.update(session_.feedback(), session_.period_s());
      if (PrescribedMotion* motion = room_.motion()) motion->take_row();
      touches = room_.update_touches(session_.simulation());
    }
    const StepReport report = session_.advance(commands, period.joints, touches);
    if (report.status == StepStatus::failed) {
      note("the run: " + report.message);
      return false;
    }
    const State& state = session_.simulation().state();
    if (std::abs(period.time_s - state.time_s) > 1e-9 * session_.period_s()) note("the time");
    if (period.state_hash && *period.state_hash != hash_state(state)) note("the state");
    if (period.feedback_hash != hash_feedback(session_.feedback())) note("the feedback");
    return true;
  }

  void note(const std::string& what) {
    const State& state = session_.simulation().state();
    if (!result_.difference) result_.difference = ReplayDifference{state.period, state.time_s, what};
  }

  void show_progress() {
    constexpr double kBetween_s = 0.2;
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (!options_.progress || wall < next_progress_s_) return;
    next_progress_s_ = wall + kBetween_s;
    RunProgress progress;
    progress.simulated_s = session_.simulation().state().time_s;
    progress.wall_s = wall;
    progress.share = static_cast<double>(result_.periods) / static_cast<double>(recording_.periods.size());
    progress.real_time_factor = static_cast<double>(result_.periods) * session_.period_s() / wall;
    progress.left_s = wall * (1.0 / progress.share - 1.0);
    options_.progress(progress);
  }

  ReplayResult close() {
    const State& state = session_.simulation().state();
    const std::uint64_t hash = hash_state(state);
    const bool complete = result_.periods == recording_.periods.size();
    // A run that failed ends inside a period that is not in the recording.
    if (complete && recording_.end && recording_.end->status != "failed" && recording_.end->state_hash != hash)
      note("the final state");
    result_.simulated_s = state.time_s;
    result_.final_state_hash = fmt::format("{:016x}", hash);
    result_.recorded_with = recording_.instruction_set;
    result_.replayed_with = kernel_instruction_set();
    return result_;
  }

  const Recording& recording_;
  const ReplayOptions& options_;
  Session session_;
  ControlRoom room_;
  ReplayResult result_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double next_progress_s_ = 0.0;
};

}  // namespace

ReplayResult replay(const Recording& recording, const ReplayOptions& options) {
  const Scene scene = parse_scene(recording.scene_toml, recording.scene_file);
  return Replay(recording, scene, options).run();
}

}  // namespace distal
