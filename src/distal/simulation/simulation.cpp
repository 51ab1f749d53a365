#include "distal/simulation/simulation.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <utility>

#include "distal/contact/contacts.hpp"
#include "distal/core/error.hpp"
#include "distal/core/nearest_name.hpp"
#include "distal/force/forces.hpp"
#include "distal/integrator/hard_contacts.hpp"
#include "distal/integrator/rigid_update.hpp"
#include "distal/sensor/measure.hpp"
#include "distal/simulation/command.hpp"

namespace distal {
namespace {

constexpr std::int64_t kPeriodsBetweenChecks = 25;

bool needs_first_mode(const Model& model, bool quasi_static) {
  if (model.soft.empty()) return false;
  if (quasi_static || model.integrator.kind == IntegratorKind::automatic) return true;
  return std::any_of(model.soft.begin(), model.soft.end(),
                     [](const SoftBody& body) { return !std::isnan(body.damping_ratio); });
}

bool has_derivatives(const Model& model) {
  return std::none_of(model.soft.begin(), model.soft.end(), [](const SoftBody& body) {
    return body.tet ? body.tet->model == TetModel::gaussian : body.lattice.kind == LatticeKind::paper;
  });
}

}  // namespace

Simulation::Simulation(const ModelDescription& description, bool quasi_static)
    : model_(prepare(description, quasi_static)),
      state_(make_initial_state(model_)),
      workspace_(model_),
      contact_sums_(model_) {
  for (std::size_t b = 0; b < model_.rigid.size(); ++b)
    if (model_.rigid[b].mount != Mount::fixed) commanded_.push_back(b);
  control_.commands.resize(model_.rigid.size());
  for (std::size_t j = 0; j < model_.joints.size(); ++j)
    if (model_.joints[j].kind != JointKind::weld) moving_joints_.push_back(j);
  control_.joints.resize(model_.joints.size());
  choose_step();
  if (model_.integrator.kind == IntegratorKind::complementarity) check_start(model_, state_);
  if (!model_.soft.empty() && std::isnan(model_.integrator.time_step_s) && !is_implicit(model_.integrator.kind))
    watch_ = std::make_unique<StableStepWatch>(model_, state_, workspace_);
  refresh_forces();
  state_.energy.initial = workspace_.stored.total();
  read_sensors();
}

// Modes and stable step come from difference quotients, which single precision would drown: always found in double.
Model Simulation::prepare(const ModelDescription& description, bool quasi_static) {
  ModelDescription wanted = description;
  wanted.precision = Precision::double_;
  Model model = build_model(wanted);
  {
    const State state = make_initial_state(model);
    Workspace workspace(model);
    if (needs_first_mode(model, quasi_static)) {
      first_mode_ = find_first_mode(model, state, workspace);
      for (SoftBody& body : model.soft)
        if (!std::isnan(body.damping_ratio)) body.relaxation_time_s() = 2.0 * body.damping_ratio / first_mode_;
      if (quasi_static) model.quasi_static_drag_per_s = 2.0 * first_mode_;
    }
    stable_ = find_stable_step(model, state, workspace);
  }
  model.stable_step_s = stable_.step_s;
  if (description.integrator.kind == IntegratorKind::automatic &&
      model.integrator.kind == IntegratorKind::complementarity)
    integrator_reason_ = model.soft.empty() ? "all bodies are rigid"
                                            : "the scene has joints or soft-finger contacts beside what is soft";
  if (model.integrator.kind == IntegratorKind::automatic) {
    const IntegratorChoice choice = choose_integrator(model, kStepShare * stable_.step_s, first_mode_, quasi_static);
    model.integrator.kind = choice.kind;
    model.implicit_steps = choice.steps;
    integrator_reason_ = choice.reason;
  }
  // A copy has no room left over from building.
  // The energies that guide a step differ by less than single precision holds; implicit steps need forces in double.
  if (description.precision == Precision::double_ || is_implicit(model.integrator.kind) ||
      model.integrator.kind == IntegratorKind::energy_guided)
    return Model(std::as_const(model));
  wanted.precision = Precision::float_;
  wanted.integrator.kind = model.integrator.kind;
  Model single = build_model(wanted);
  for (std::size_t s = 0; s < model.soft.size(); ++s)
    single.soft[s].relaxation_time_s() = model.soft[s].relaxation_time_s();
  single.quasi_static_drag_per_s = model.quasi_static_drag_per_s;
  single.stable_step_s = model.stable_step_s;
  return Model(std::as_const(single));
}

void Simulation::choose_step() {
  const double period = model_.control_period_s, given = model_.integrator.time_step_s;
  const bool implicit = is_implicit(model_.integrator.kind);
  if (model_.soft.empty() && model_.integrator.kind == IntegratorKind::complementarity && std::isnan(given))
    return;  // one a period, and nothing soft in between
  if (std::isnan(given)) {
    state_.steps_per_period =
        implicit ? model_.implicit_steps : static_cast<int>(std::ceil(period / (kStepShare * stable_.step_s)));
    return;
  }
  if (model_.integrator.kind == IntegratorKind::energy_guided)
    throw InputError(
        "integrator.time_step_s: energy_guided chooses its own step; leave the key out or take another kind");
  const int steps = static_cast<int>(std::lround(period / given));
  const bool rigid = model_.integrator.kind == IntegratorKind::complementarity;
  if (!implicit && !rigid && given > stable_.step_s) {
    const double largest = period / std::ceil(period / stable_.step_s);
    throw InputError(
        fmt::format("integrator.time_step_s = {} s: above the stable step of {:.6g} s (limited by {}); the largest "
                    "good value is {} s{}",
                    given, stable_.step_s, stable_.where, largest,
                    has_derivatives(model_) ? "; integrator.kind = \"implicit_euler\" takes longer steps" : ""));
  }
  if (steps < 1 || std::abs(steps * given / period - 1.0) > 1e-9)
    throw InputError(fmt::format(
        "integrator.time_step_s = {} s: does not divide run.control_period_s = {} s; the largest good value is {} s",
        given, period, period / std::ceil(period / (implicit || rigid ? given : std::min(given, stable_.step_s)))));
  if (rigid) {
    model_.rigid_steps = steps;
    const int soft_steps = static_cast<int>(std::ceil(period / (kStepShare * stable_.step_s)));
    state_.steps_per_period = model_.soft.empty() ? steps : std::max(steps, soft_steps);
    return;
  }
  state_.steps_per_period = model_.implicit_steps = steps;
}

std::size_t Simulation::body_index(const std::string& name) const {
  for (std::size_t i = 0; i < commanded_.size(); ++i)
    if (body_name(i) == name) return i;
  throw InputError(fmt::format("body '{}' does not move or does not exist", name));
}

std::size_t Simulation::joint_index(const std::string& name) const {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < joint_count(); ++i) {
    if (joint(i).name == name) return i;
    names.push_back(joint(i).name);
  }
  throw InputError(fmt::format("joint '{}' does not move or does not exist{}", name, suggestion(name, names)));
}

void Simulation::refresh_forces() {
  workspace_.want_energy = true;
  workspace_.travel_left_m = -1.0;
  find_contacts(model_, state_, workspace_);
  compute_forces(model_, state_, workspace_);
  compute_rigid_acceleration(model_, state_, workspace_);
  workspace_.want_energy = false;
  workspace_.stored = stored_energy(model_, state_, workspace_);
}

// Bodies stiffen as they are squeezed: look again now and then, and take smaller steps in time.
void Simulation::check_step_again() {
  if (!watch_ || state_.period % kPeriodsBetweenChecks != 0) return;
  const double stable = watch_->look(state_);
  const int wanted = static_cast<int>(std::ceil(model_.control_period_s / (kStepShare * stable)));
  // The difference quotients are not the forces of the state: compute those again for the sensors.
  refresh_forces();
  state_.steps_per_period = std::max(wanted, 1);
}

StepReport Simulation::advance(std::span<const BodyCommand> commands, std::span<const JointCommand> joints,
                               std::span<const TouchCommand> touches) {
  DISTAL_ASSERT(commands.size() == commanded_.size());
  DISTAL_ASSERT(joints.empty() || joints.size() == moving_joints_.size());
  for (std::size_t i = 0; i < joints.size(); ++i) check_joint_command(model_, joint(i), joints[i]);
  for (std::size_t i = 0; i < moving_joints_.size(); ++i)
    control_.joints[moving_joints_[i]] = joints.empty() ? JointCommand{} : joints[i];
  for (std::size_t i = 0; i < commanded_.size(); ++i) control_.commands[commanded_[i]] = commands[i];
  for (const TouchCommand& touch : touches) check_touch_command(model_, touch);
  control_.touches.assign(touches.begin(), touches.end());
  StepReport report = step(model_, control_, state_, workspace_);
  if (report.status == StepStatus::good)
    check_step_again();
  else
    refresh_forces();
  read_sensors();
  return report;
}

void Simulation::read_sensors() {
  update_contact_sums(model_, state_, workspace_, contact_sums_);
  readings_.clear();
  for (const std::size_t b : commanded_)
    readings_.push_back(measure_body(model_, b, state_, workspace_, contact_sums_));
  joint_readings_.clear();
  for (const std::size_t j : moving_joints_) joint_readings_.push_back(measure_joint(model_, j, state_));
}

std::vector<TouchFeedback> Simulation::measure_touches() const {
  std::vector<TouchFeedback> feedback;
  for (const TouchWork& touch : workspace_.touches)
    feedback.push_back({touch.impulse / model_.control_period_s, touch.slides});
  return feedback;
}

EnergyReading Simulation::energy() const { return measure_energy(state_, workspace_); }

void Simulation::resume(const State& state) {
  state_ = state;
  workspace_.integrator_memory.reset();
  workspace_.touches.clear();
  workspace_.travelled_m += 1e6;  // as if all had come from afar
  refresh_forces();
  read_sensors();
}

void Simulation::restore(const State& state) {
  resume(state);
  // A state that was edited has another energy: count from here.
  state_.energy.last_residual = energy().residual;
}

}  // namespace distal
