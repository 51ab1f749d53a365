#include "distal/run/run_scene.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <thread>

#include "distal/controller/adaptive_pid.hpp"
#include "distal/controller/prescribed_motion.hpp"
#include "distal/core/error.hpp"
#include "distal/force/lattice_force.hpp"
#include "distal/record/recorder.hpp"
#include "distal/run/simulated_plant.hpp"
#include "distal/sensor/measure.hpp"

namespace distal {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// The controllers of a scene, one place per commanded body; a body without one gets no wrench and no motion.
class ControlRoom {
 public:
  ControlRoom(const Scene& scene, const Simulation& simulation)
      : controllers_(simulation.body_count()), commands_(simulation.body_count()) {
    for (const auto& [name, description] : scene.controllers)
      controllers_[simulation.body_index(description.body)] = std::make_unique<AdaptivePid>(description);
    if (!scene.motion) return;
    moved_ = simulation.body_index(scene.motion->body);
    const int soft = soft_on_rod(simulation.model(), simulation.rigid_index(moved_));
    double gap = 0.0;
    if (soft >= 0) {
      const Vec3 direction = scene.motion->direction.normalized();
      gap = find_gap(simulation.model(), static_cast<std::size_t>(soft), simulation.state(), direction);
      if (!std::isfinite(gap))
        throw InputError(fmt::format("motion: '{}' meets nothing along direction ({}, {}, {})", scene.motion->body,
                                     direction.x(), direction.y(), direction.z()));
    }
    auto motion = std::make_unique<PrescribedMotion>(*scene.motion, gap);
    motion_ = motion.get();
    controllers_[moved_] = std::move(motion);
  }

  std::span<const BodyCommand> update(std::span<const BodyFeedback> feedback, double period_s) {
    for (std::size_t b = 0; b < controllers_.size(); ++b)
      if (controllers_[b]) commands_[b] = controllers_[b]->update(feedback[b], period_s);
    return commands_;
  }

  std::span<const BodyCommand> commands() const { return commands_; }
  PrescribedMotion* motion() { return motion_; }
  std::size_t moved_body() const { return moved_; }

 private:
  std::vector<std::unique_ptr<Controller>> controllers_;
  std::vector<BodyCommand> commands_;
  PrescribedMotion* motion_ = nullptr;
  std::size_t moved_ = 0;
};

RunHeader make_header(const Scene& scene, const Simulation& simulation, const std::string& version) {
  const Model& model = simulation.model();
  RunHeader header;
  header.scene_title = model.title;
  header.scene_file = scene.file.filename().string();
  header.scene_toml = scene.resolved_toml;
  header.version = version;
  header.seed = static_cast<std::uint64_t>(scene.run.seed);
  header.particles = static_cast<std::size_t>(model.active_particles());
  for (const SoftBody& body : model.soft) {
    header.springs += body.lattice.spring_count();
    header.cells += static_cast<std::size_t>(body.lattice.full_cells + body.lattice.cut.count);
    const double limit = paper_step_limit(body);
    header.paper_step_s = header.paper_step_s == 0.0 ? limit : std::min(header.paper_step_s, limit);
  }
  header.time_step_s = simulation.time_step_s();
  header.stable_step_s = simulation.stable_step().step_s;
  header.instruction_set = kernel_instruction_set();
  header.integrator = name_of(model.integrator.kind);
  header.precision = model.precision == Precision::float_ ? "float" : "double";
  header.threads = model.threads;
  header.control_period_s = model.control_period_s;
  header.frames_per_s = scene.record.frames_per_s;
  for (std::size_t b = 0; b < simulation.body_count(); ++b) header.body_names.push_back(simulation.body_name(b));
  return header;
}

// One run; its members are what the loop keeps between periods.
class SceneRun {
 public:
  SceneRun(const Scene& scene, const RunOptions& options)
      : scene_(scene),
        options_(options),
        folder_(options.out, options.force, scene.file),
        simulation_(scene.model, scene.motion.has_value()),
        plant_(simulation_),
        room_(scene, simulation_),
        recorder_(folder_, make_header(scene, simulation_, options.version)) {}

  RunResult run() {
    start_ = Clock::now();
    add_frame();
    while (!finished() && !stopped() && end_.status.empty()) advance_period();
    if (end_.status.empty()) end_.status = finished() ? "done" : "interrupted";
    return close();
  }

 private:
  bool finished() {
    if (room_.motion()) return room_.motion()->finished();
    return simulation_.state().time_s >= scene_.run.duration_s - 1e-9 * scene_.model.control_period_s;
  }
  bool stopped() const { return options_.stop && options_.stop->load(std::memory_order_relaxed); }

  void advance_period() {
    const auto commands = room_.update(plant_.feedback(), plant_.period_s());
    record_curve_row();
    if (finished()) return;
    const auto before = Clock::now();
    plant_.exchange(commands);
    const double wall = seconds_since(before);
    const StepReport& report = plant_.report();
    end_.steps += static_cast<std::uint64_t>(report.steps);
    end_.rejected_steps += static_cast<std::uint64_t>(report.rejected);
    spurious_steps_ += report.spurious_steps;
    if (report.status == StepStatus::failed) {
      end_.status = "failed";
      end_.message = report.message;
      return;
    }
    const double time = simulation_.state().time_s;
    recorder_.add_period(time, plant_.readings(), commands, simulation_.energy(),
                         {wall, report.steps, report.solve.newton, report.solve.iterations, report.solve.relative});
    for (const BodyReading& reading : plant_.readings())
      end_.closure = std::max(end_.closure, reading.closure_residual);
    if (scene_.record.frames_per_s > 0.0 && time * scene_.record.frames_per_s >= static_cast<double>(frames_) - 1e-9)
      add_frame();
    show_progress();
    if (options_.realtime) pace(time);
  }

  void record_curve_row() {
    PrescribedMotion* motion = room_.motion();
    if (!motion) return;
    std::optional<CurveRow> row = motion->take_row();
    if (!row) return;
    const ContactPatch& patch = plant_.readings()[room_.moved_body()].patch;
    row->contact_radius_m = patch.radius_m;
    row->contact_area_m2 = patch.area_m2;
    recorder_.add_curve_row(*row);
    if (!motion->last_settled()) notes_.push_back(motion->message());
  }

  void add_frame() {
    const double time = simulation_.state().time_s;
    if (scene_.record.frames_per_s > 0.0)
      recorder_.add_frame(time, take_snapshots(simulation_.model(), simulation_.state(), simulation_.workspace()));
    for (const auto& [name, taxels] : scene_.sensors) {
      const auto& soft = simulation_.model().soft;
      const auto body =
          std::find_if(soft.begin(), soft.end(), [&](const SoftBody& b) { return b.name == taxels.body; });
      if (body == soft.end())
        throw InputError(fmt::format("sensor.{}.body: '{}' is not a soft body", name, taxels.body));
      const auto pressure =
          measure_taxels(simulation_.model(), static_cast<std::size_t>(body - soft.begin()), simulation_.state(),
                         simulation_.workspace(), taxels.rows, taxels.columns, taxels.pitch_m);
      recorder_.add_taxels(name, taxels.rows, taxels.columns, pressure, time);
    }
    ++frames_;
  }

  void show_progress() {
    constexpr double kBetween_s = 0.2;
    const double wall = seconds_since(start_);
    if (!options_.progress || wall < next_progress_s_) return;
    next_progress_s_ = wall + kBetween_s;
    RunProgress progress;
    progress.simulated_s = simulation_.state().time_s;
    progress.wall_s = wall;
    progress.real_time_factor = progress.simulated_s / wall;
    progress.share = room_.motion() ? room_.motion()->progress() : progress.simulated_s / scene_.run.duration_s;
    progress.left_s = progress.share > 0.0 ? wall * (1.0 / progress.share - 1.0) : 0.0;
    options_.progress(progress);
  }

  // Periods end on an absolute clock; a late one is counted and not made up for by a burst of another pace.
  void pace(double time_s) {
    const auto due = start_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(time_s));
    if (Clock::now() > due)
      ++late_periods_;
    else
      std::this_thread::sleep_until(due);
  }

  RunResult close() {
    end_.simulated_s = simulation_.state().time_s;
    end_.wall_s = seconds_since(start_);
    end_.final_state_hash = fmt::format("{:016x}", hash_state(simulation_.state()));
    if (frames_ > 0 && scene_.record.frames_per_s > 0.0 && end_.status != "failed") add_frame();
    recorder_.finish(end_);
    RunResult result;
    result.status = end_.status == "done"     ? RunStatus::done
                    : end_.status == "failed" ? RunStatus::failed
                                              : RunStatus::interrupted;
    result.message = end_.message;
    result.out = options_.out;
    result.simulated_s = end_.simulated_s;
    result.wall_s = end_.wall_s;
    result.real_time_factor = end_.simulated_s / std::max(end_.wall_s, 1e-9);
    result.time_step_s = simulation_.time_step_s();
    result.particles = static_cast<std::size_t>(simulation_.model().active_particles());
    result.final_state_hash = end_.final_state_hash;
    result.largest_closure_residual = end_.closure;
    const RunStatistics& statistics = recorder_.statistics();
    result.energy_residual = statistics.energy.relative_residual();
    if (statistics.energy.work_done_j > 0.0)
      result.integrator_share = statistics.energy.integrator_j / statistics.energy.work_done_j;
    result.median_period_s = statistics.period_wall.quantile_s(0.5);
    result.p999_period_s = statistics.period_wall.quantile_s(0.999);
    result.worst_period_s = statistics.period_wall.worst_s();
    if (!statistics.bodies.empty()) {
      result.peak_contact_force_n = statistics.bodies.front().contact.force.value.norm();
      result.deepest_m = statistics.bodies.front().peak_depth_m;
    }
    result.notes = notes_;
    if (late_periods_ > 0) result.notes.push_back(fmt::format("{} periods ended after their deadline", late_periods_));
    if (spurious_steps_ > 0)
      result.notes.push_back(
          fmt::format("{} steps exceeded integrator.energy_tolerance at the smallest step", spurious_steps_));
    return result;
  }

  const Scene& scene_;
  const RunOptions& options_;
  OutputFolder folder_;
  Simulation simulation_;
  SimulatedPlant plant_;
  ControlRoom room_;
  Recorder recorder_;
  RunEnd end_;
  Clock::time_point start_;
  std::int64_t frames_ = 0;
  std::int64_t late_periods_ = 0;
  int spurious_steps_ = 0;
  double next_progress_s_ = 0.0;
  std::vector<std::string> notes_;
};

}  // namespace

RunResult run_scene(const Scene& scene, const RunOptions& options) { return SceneRun(scene, options).run(); }

}  // namespace distal
