#include "distal/run/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "distal/core/error.hpp"
#include "distal/integrator/spring_limits.hpp"
#include "distal/integrator/stable_step.hpp"
#include "distal/math/instruction_set.hpp"
#include "distal/run/build_simulation.hpp"
#include "distal/run/control_room.hpp"
#include "distal/sensor/measure.hpp"

namespace distal {
namespace {

using Clock = std::chrono::steady_clock;

// A hash of the whole state takes a few per cent of a period.
constexpr std::int64_t kPeriodsBetweenHashes = 20;

double wall_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

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
    header.springs += body.spring_count();
    header.cells += body.cell_count();
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
  header.body_names = body_names(simulation);
  for (std::size_t j = 0; j < simulation.joint_count(); ++j) header.joint_names.push_back(simulation.joint(j).name);
  header.touch_names = touching_devices(scene);
  for (std::size_t b = 0; b < header.body_names.size(); ++b)
    if (std::any_of(scene.channels.begin(), scene.channels.end(),
                    [&](const auto& channel) { return channel.second.body == header.body_names[b]; }))
      header.bodies_behind_channels.push_back(b);
  return header;
}

std::vector<PlantChannel> channels_of(const Scene& scene, const Simulation& simulation) {
  std::vector<PlantChannel> channels;
  for (const auto& [name, channel] : scene.channels)
    channels.push_back({name, simulation.body_index(channel.body), channel});
  return channels;
}

std::optional<OutputFolder> checked_folder(const Scene& scene, const SessionOptions& options) {
  if (options.out.empty()) return std::nullopt;
  return OutputFolder(options.out, options.force, scene.file);
}

const char* name_of(RunStatus status) {
  switch (status) {
    case RunStatus::done:
      return "done";
    case RunStatus::interrupted:
      return "interrupted";
    case RunStatus::failed:
      return "failed";
  }
  return "";
}

}  // namespace

Session::Session(const Scene& scene, const SessionOptions& options)
    : scene_(scene),
      options_(options),
      folder_(checked_folder(scene, options)),
      simulation_(build_simulation(scene)),
      first_(simulation_.state()),
      plant_(simulation_),
      reality_(plant_, channels_of(scene, simulation_), static_cast<std::uint64_t>(scene.run.seed)),
      first_channels_(reality_.save()),
      measures_(scene, simulation_.model()) {}

bool Session::reached_duration() const {
  return simulation_.state().time_s >= scene_.run.duration_s - 1e-9 * scene_.model.control_period_s;
}

void Session::add_hands(std::span<HandPort* const> ports) {
  if (recorder_) hands_.add_period(*folder_, simulation_.state().time_s, ports);
}

StepReport Session::advance(std::span<const BodyCommand> commands, std::span<const JointCommand> joints,
                            std::span<const TouchCommand> touches) {
  open_record();
  const auto before = Clock::now();
  joints_.assign(joints.begin(), joints.end());
  joints_.resize(simulation_.joint_count());
  plant_.command_joints(joints_);
  touches_.assign(touches.begin(), touches.end());
  touches_.resize(touching_devices(scene_).size());
  plant_.command_touches(touches_);
  const double step_before_s = simulation_.time_step_s();
  reality_.exchange(commands);
  const double wall = wall_since(before);
  const StepReport& report = plant_.report();
  end_.steps += static_cast<std::uint64_t>(report.steps);
  end_.rejected_steps += static_cast<std::uint64_t>(report.rejected);
  spurious_steps_ += report.spurious_steps;
  linearised_steps_ += report.solve.linearised_steps;
  if (report.solve.worst_pair >= 0) worst_pair_ = report.solve.worst_pair;
  if (report.status == StepStatus::failed) return report;
  if (simulation_.time_step_s() < step_before_s) note_shorter_step(step_before_s);
  for (const BodyReading& reading : plant_.readings()) end_.closure = std::max(end_.closure, reading.closure_residual);
  if (!recorder_) return report;
  const double time = simulation_.state().time_s;
  std::optional<std::uint64_t> state_hash;
  if (simulation_.state().period % kPeriodsBetweenHashes == 0) state_hash = hash_state(simulation_.state());
  recorder_->add_period(
      time, plant_.readings(), {commands, reality_.acted(), reality_.feedback(), state_hash, joints_, touches_},
      simulation_.energy(), {wall, report.steps, report.solve.newton, report.solve.iterations, report.solve.relative});
  measures_.add_period(simulation_.model(), simulation_.state());
  grasp_.add_period(simulation_.model(), simulation_.state());
  recorder_->add_grasp(GraspTables::make_sample(simulation_.model(), simulation_.state()));
  if (scene_.record.frames_per_s > 0.0 && time * scene_.record.frames_per_s >= static_cast<double>(frames_) - 1e-9)
    add_frame();
  return report;
}

// Steps of our own choice follow the stable one, and implicit ones are shorter for one period only.
void Session::note_shorter_step(double step_before_s) {
  const Model& model = simulation_.model();
  const IntegratorKind kind = model.integrator.kind;
  if (std::isnan(model.integrator.time_step_s) || is_implicit(kind) || kind == IntegratorKind::complementarity) return;
  Workspace scratch(model);
  const StableStep stable = find_stable_step(model, simulation_.state(), scratch);
  notes_.push_back(fmt::format(
      "integrator.time_step_s was cut from {:.6g} s to {:.6g} s at t = {:.6g} s, as {:.6g} s went wrong; the stable "
      "step there is {:.6g} s (limited by {})",
      step_before_s, simulation_.time_step_s(), simulation_.state().time_s, step_before_s, stable.step_s,
      stable.where));
}

void Session::open_record() {
  if (start_) return;
  start_ = Clock::now();
  if (!folder_) return;
  recorder_.emplace(*folder_, make_header(scene_, simulation_, options_.version));
  measures_.open(*folder_);
  grasp_.open(*folder_, simulation_.model());
  recorder_->set_pair_names(GraspTables::pair_names(simulation_.model()));
  if (origin_) folder_->write_file("recording/start.checkpoint", checkpoint_bytes(*origin_));
  add_frame();
}

void Session::reset() {
  if (!start_) return;
  if (recorder_) finish(RunStatus::interrupted, "reset by the controller");
  if (folder_) open_next_folder();
  plant_.resume(first_);
  reality_.restore(first_channels_);
  origin_.reset();
  start_.reset();
  end_ = {};
  frames_ = spurious_steps_ = linearised_steps_ = 0;
  worst_pair_ = -1;
  curve_.clear();
  measures_.clear();
  grasp_.close();
  hands_ = {};
  notes_.clear();
}

void Session::save_checkpoint(std::vector<ControllerMemory> controllers) const {
  DISTAL_ASSERT(recorder_);
  const Checkpoint checkpoint{scene_fingerprint(scene_), kernel_instruction_set(), simulation_.state(), reality_.save(),
                              std::move(controllers)};
  folder_->folder("checkpoints");
  folder_->write_file(fmt::format("checkpoints/period_{:010}.checkpoint", simulation_.state().period),
                      checkpoint_bytes(checkpoint));
}

void Session::continue_from(const Checkpoint& checkpoint) {
  DISTAL_ASSERT(!start_);
  const State& mine = simulation_.state();
  const State& state = checkpoint.state;
  const auto samples = [](const State& s) {
    std::vector<std::size_t> counts;
    for (const PairState& pair : s.pairs) counts.push_back(pair.touch.size());
    return counts;
  };
  if (checkpoint.scene_fingerprint != scene_fingerprint(scene_))
    throw InputError(
        "the checkpoint is of another scene; only run.duration_s, run.threads, [serve], [record] and [sensor.NAME] may "
        "differ");
  if (checkpoint.instruction_set != kernel_instruction_set())
    throw InputError(
        fmt::format("the checkpoint was made with {} instructions, this machine has {}: the run would not "
                    "continue with the same bits",
                    checkpoint.instruction_set, kernel_instruction_set()));
  if (state.x.size() != mine.x.size() || state.velocity_change.size() != mine.velocity_change.size() ||
      state.rigid.size() != mine.rigid.size() || samples(state) != samples(mine) ||
      checkpoint.channels.channels.size() != first_channels_.channels.size())
    throw InputError("the checkpoint has other particles or samples than the scene: a mesh file has changed");
  plant_.resume(state);
  reality_.restore(checkpoint.channels);
  origin_ = checkpoint;
  // The frames before it belong to the other run.
  frames_ = static_cast<std::int64_t>(std::floor(state.time_s * scene_.record.frames_per_s + 1e-9));
}

void Session::open_next_folder() {
  std::filesystem::path next;
  do next = options_.out.string() + fmt::format("-{}", ++episode_);
  while (!options_.force && std::filesystem::exists(next));
  folder_ = OutputFolder(next, options_.force, scene_.file);
}

void Session::add_curve_row(CurveRow row, std::size_t body) {
  const ContactPatch& patch = readings()[body].patch;
  row.contact_radius_m = patch.radius_m;
  row.contact_area_m2 = patch.area_m2;
  const BodyFeedback& feedback = readings()[body].feedback;
  const Wrench at_middle = moved(rotated(feedback.pose.q, feedback.contact), feedback.pose.position - patch.centre_m);
  const Vec3 press = scene_.motion ? scene_.motion->direction.normalized() : Vec3(Vec3::UnitZ());
  row.patch_moment_n_m = at_middle.torque.dot(press);
  row.drag_n = (at_middle.force - at_middle.force.dot(press) * press).norm();
  if (recorder_) recorder_->add_curve_row(row);
  measures_.add_state(simulation_.model(), simulation_.state(),
                      {simulation_.state().time_s, row.phase, row.depth_m, row.force_n});
  curve_.push_back(std::move(row));
}

void Session::add_frame() {
  const double time = simulation_.state().time_s;
  if (scene_.record.frames_per_s > 0.0)
    recorder_->add_frame(time, take_snapshots(simulation_.model(), simulation_.state(), simulation_.workspace()));
  add_taxels(time);
  ++frames_;
}

void Session::add_taxels(double time_s) {
  const auto& soft = simulation_.model().soft;
  for (const auto& [name, sensor] : scene_.sensors) {
    if (!std::holds_alternative<TaxelDescription>(sensor)) continue;
    const auto& taxels = std::get<TaxelDescription>(sensor);
    const auto body = std::find_if(soft.begin(), soft.end(), [&](const SoftBody& b) { return b.name == taxels.body; });
    if (body == soft.end()) throw InputError(fmt::format("sensor.{}.body: '{}' is not a soft body", name, taxels.body));
    const auto pressure =
        measure_taxels(simulation_.model(), static_cast<std::size_t>(body - soft.begin()), simulation_.state(),
                       simulation_.workspace(), taxels.rows, taxels.columns, taxels.pitch_m);
    recorder_->add_taxels(name, taxels.rows, taxels.columns, pressure, time_s);
  }
}

RunResult Session::finish(RunStatus status, const std::string& message) {
  open_record();
  end_.status = name_of(status);
  end_.message = message;
  end_.simulated_s = simulation_.state().time_s - (origin_ ? origin_->state.time_s : 0.0);
  end_.wall_s = wall_since(*start_);
  end_.final_state_hash = fmt::format("{:016x}", hash_state(simulation_.state()));
  RunResult result;
  result.status = status;
  result.message = message;
  result.simulated_s = end_.simulated_s;
  result.wall_s = end_.wall_s;
  result.real_time_factor = end_.simulated_s / std::max(end_.wall_s, 1e-9);
  result.time_step_s = simulation_.time_step_s();
  result.particles = static_cast<std::size_t>(simulation_.model().active_particles());
  result.final_state_hash = end_.final_state_hash;
  result.largest_closure_residual = end_.closure;
  result.curve = curve_;
  result.measures = measures_.finish(simulation_.model(), simulation_.state());
  result.notes = notes_;
  if (linearised_steps_ > 0) {
    const auto name = [&](int body) { return simulation_.model().rigid[static_cast<std::size_t>(body)].name; };
    std::string worst;
    if (worst_pair_ >= 0) {
      const ContactPair& pair = simulation_.model().pairs[static_cast<std::size_t>(worst_pair_)];
      worst = fmt::format("; the last of them at '{}' and '{}'", name(pair.sampled), name(pair.partner));
    }
    result.notes.push_back(
        fmt::format("in {} steps friction on the true cone did not converge, and that of the linearised "
                    "one was taken{}; residuals are in timing.csv",
                    linearised_steps_, worst));
  }
  if (spurious_steps_ > 0)
    result.notes.push_back(
        fmt::format("{} steps exceeded integrator.energy_tolerance at the smallest step", spurious_steps_));
  if (!recorder_) return result;
  result.out = folder_->path();
  if (scene_.record.frames_per_s > 0.0 && status != RunStatus::failed) add_frame();
  write_limit_surface(*folder_, curve_);
  recorder_->set_measures(result.measures);
  result.devices = hands_.finish(simulation_.model().control_period_s);
  recorder_->set_devices(result.devices);
  if (status == RunStatus::done)
    for (std::string& note : measures_.missing()) result.notes.push_back(std::move(note));
  recorder_->finish(end_);
  add_statistics(result);
  recorder_.reset();
  return result;
}

void Session::add_statistics(RunResult& result) const {
  constexpr double kTrusted = 0.05;  // of the work: whatever makes or takes more by itself moves bodies too
  const RunStatistics& statistics = recorder_->statistics();
  result.energy_residual = statistics.energy.relative_residual();
  const Model& model = simulation_.model();
  // (Hard contacts push out what overlaps, which is work of nobody.)
  if (model.integrator.kind != IntegratorKind::complementarity && std::abs(result.energy_residual) > kTrusted)
    result.notes.push_back(fmt::format(
        "energy is out by {:.3g} % of the work (residual_j in energy.csv), and forces may be as wrong: {}",
        100.0 * result.energy_residual,
        is_implicit(model.integrator.kind) && has_spring_limits(model)
            ? "limits of paper2's springs move vertices after every step, against contacts too, and rattle with "
              "implicit steps; limit_stiffness_ratio = 10 makes them springs that come to rest, semi_implicit_euler "
              "lets "
              "them be"
            : "take shorter steps, or another integrator or contact law"));
  if (statistics.energy.work_done_j > 0.0)
    result.integrator_share = statistics.energy.integrator_j / statistics.energy.work_done_j;
  result.median_period_s = statistics.period_wall.quantile_s(0.5);
  result.p999_period_s = statistics.period_wall.quantile_s(0.999);
  result.worst_period_s = statistics.period_wall.worst_s();
  if (statistics.bodies.empty()) return;
  result.peak_contact_force_n = statistics.bodies.front().contact.force.value.norm();
  result.deepest_m = statistics.bodies.front().peak_depth_m;
}

}  // namespace distal
