#include "distal/run/run_scene.hpp"

#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "distal/core/error.hpp"
#include "distal/run/control_room.hpp"
#include "distal/run/hand_loops.hpp"
#include "distal/run/session.hpp"

namespace distal {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// New results would replace the run that they continue.
std::filesystem::path find_checkpoint_outside(const std::filesystem::path& resumed, const std::filesystem::path& out) {
  const std::filesystem::path file = find_checkpoint(resumed);
  const auto whole = [](const std::filesystem::path& path) { return std::filesystem::weakly_canonical(path).string(); };
  if (!out.empty() && whole(file).starts_with(whole(out / "")))
    throw InputError(
        fmt::format("results in {} would replace the run that {} continues. Choose another folder with --out DIR.",
                    out.string(), file.string()));
  return file;
}

// One run; its members are what the loop keeps between periods.
class SceneRun {
 public:
  SceneRun(const Scene& scene, const RunOptions& options)
      : scene_(scene),
        options_(options),
        session_(scene, {options.out, options.force, options.version}),
        room_(scene, body_names(session_.simulation())) {
    if (scene.motion) room_.follow(*scene.motion, session_.simulation());
    room_.connect(scene, session_.simulation());
    if (options.realtime && options.checkpoint_every_s > 0.0 && !room_.ports().empty())
      throw InputError("a run with devices in real time makes no checkpoints: a hand cannot be continued");
    if (!options.resume.empty()) resume(find_checkpoint_outside(options.resume, options.out));
    first_s_ = session_.simulation().state().time_s;
    first_share_ = share();
    next_checkpoint_s_ = first_s_ + options.checkpoint_every_s;
  }

  RunResult run() {
    if (options_.ready) options_.ready(session_.simulation());
    if (options_.onlooker) options_.onlooker->begin(scene_, session_);
    start_ = Clock::now();
    if (options_.realtime && !room_.ports().empty()) hand_loops_.emplace(room_.ports(), room_.touches(), first_s_);
    StepReport report;
    while (!finished() && !stopped() && report.status == StepStatus::good) report = advance_period();
    const RunStatus status = report.status == StepStatus::failed ? RunStatus::failed
                             : finished()                        ? RunStatus::done
                                                                 : RunStatus::interrupted;
    if (hand_loops_) report_loops();
    if (options_.onlooker) options_.onlooker->end(session_, status, report.message);
    if (late_periods_ > 0) session_.add_note(fmt::format("{} periods ended after their deadline", late_periods_));
    return session_.finish(status, report.message);
  }

 private:
  bool finished() { return room_.motion() ? room_.motion()->finished() : session_.reached_duration(); }
  bool stopped() const { return options_.stop && options_.stop->load(std::memory_order_relaxed); }

  StepReport advance_period() {
    const auto commands = room_.update(session_.feedback(), session_.period_s());
    record_curve_row();
    if (finished()) return {};
    const StepReport report = session_.advance(commands, {}, room_.update_touches(session_.simulation()));
    if (report.status == StepStatus::failed) return report;
    if (!room_.ports().empty()) session_.add_hands(room_.ports());
    if (options_.checkpoint_every_s > 0.0) save_checkpoint_if_due();
    show_progress();
    if (options_.onlooker) be_watched();
    if (options_.realtime) pace();
    return report;
  }

  void resume(const std::filesystem::path& file) {
    const Checkpoint checkpoint = load_checkpoint(file);
    try {
      session_.continue_from(checkpoint);
      room_.restore(checkpoint.controllers);
    } catch (const InputError& problem) { throw InputError(fmt::format("{}: {}", file.string(), problem.what())); }
    if (finished())
      throw InputError(fmt::format("{}: nothing is left to run: it was made at {} s, and run.duration_s is {} s",
                                   file.string(), checkpoint.state.time_s, scene_.run.duration_s));
  }

  void save_checkpoint_if_due() {
    const double time = session_.simulation().state().time_s;
    if (time < next_checkpoint_s_ - 1e-9 * session_.period_s()) return;
    while (next_checkpoint_s_ <= time + 1e-9 * session_.period_s()) next_checkpoint_s_ += options_.checkpoint_every_s;
    session_.save_checkpoint(room_.save());
  }

  // Time for which the run was held up is not the run's; but hands have a clock of their own, which goes on.
  void be_watched() {
    const std::chrono::duration<double> held(options_.onlooker->look(session_));
    if (!hand_loops_) start_ += std::chrono::duration_cast<Clock::duration>(held);
  }

  void record_curve_row() {
    PrescribedMotion* motion = room_.motion();
    if (!motion) return;
    const std::optional<CurveRow> row = motion->take_row();
    if (!row) return;
    session_.add_curve_row(*row, room_.moved_body());
    if (!motion->last_settled()) session_.add_note(motion->message());
  }

  double share() {
    return room_.motion() ? room_.motion()->progress() : session_.simulation().state().time_s / scene_.run.duration_s;
  }

  void show_progress() {
    constexpr double kBetween_s = 0.2;
    const double wall = seconds_since(start_);
    if (!options_.progress || wall < next_progress_s_) return;
    next_progress_s_ = wall + kBetween_s;
    RunProgress progress;
    progress.simulated_s = session_.simulation().state().time_s;
    progress.wall_s = wall;
    progress.real_time_factor = (progress.simulated_s - first_s_) / wall;
    progress.share = share();
    const double done = progress.share - first_share_;
    progress.left_s = done > 0.0 ? wall * (1.0 - progress.share) / done : 0.0;
    options_.progress(progress);
  }

  void report_loops() {
    for (LoopReport& loop : hand_loops_->stop()) session_.add_loop(std::move(loop));
    const double wall = seconds_since(start_);
    LoopReport deformation;
    deformation.name = "deformation";
    deformation.period_s = session_.period_s();
    deformation.periods = start_delay_.count() + late_periods_;
    deformation.late = late_periods_;
    deformation.rate_hz = static_cast<double>(deformation.periods) / std::max(wall, 1e-9);
    deformation.start_delay_p50_s = start_delay_.quantile_s(0.5);
    deformation.start_delay_p999_s = start_delay_.quantile_s(0.999);
    deformation.start_delay_worst_s = start_delay_.worst_s();
    session_.add_loop(std::move(deformation));
    if (!options_.onlooker) return;
    if (const std::optional<LoopReport> display = options_.onlooker->loop()) session_.add_loop(*display);
  }

  // Periods end on an absolute clock; a late one is counted and not made up for by a burst of another pace.
  void pace() {
    const std::chrono::duration<double> simulated(session_.simulation().state().time_s - first_s_);
    const auto due = start_ + std::chrono::duration_cast<Clock::duration>(simulated);
    if (Clock::now() > due) {
      ++late_periods_;
      return;
    }
    std::this_thread::sleep_until(due);
    start_delay_.update(std::chrono::duration<double>(Clock::now() - due).count());
  }

  const Scene& scene_;
  const RunOptions& options_;
  Session session_;
  ControlRoom room_;
  Clock::time_point start_;
  std::optional<HandLoops> hand_loops_;  // real time, with devices
  DurationStatistics start_delay_;       // of periods that were not late
  std::uint64_t late_periods_ = 0;
  double next_progress_s_ = 0.0;
  double first_s_ = 0.0, next_checkpoint_s_ = 0.0;  // simulated time
  double first_share_ = 0.0;
};

}  // namespace

RunResult run_scene(const Scene& scene, const RunOptions& options) { return SceneRun(scene, options).run(); }

}  // namespace distal
