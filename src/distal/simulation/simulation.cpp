#include "distal/simulation/simulation.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>

#include "distal/contact/contacts.hpp"
#include "distal/core/error.hpp"
#include "distal/force/forces.hpp"
#include "distal/integrator/rigid_update.hpp"
#include "distal/sensor/measure.hpp"

namespace distal {
namespace {

constexpr std::int64_t kPeriodsBetweenChecks = 25;

bool needs_first_mode(const Model& model, bool quasi_static) {
  if (quasi_static) return true;
  return std::any_of(model.soft.begin(), model.soft.end(),
                     [](const SoftBody& body) { return !std::isnan(body.damping_ratio); });
}

}  // namespace

Simulation::Simulation(const ModelDescription& description, bool quasi_static)
    : model_(build_model(description)), state_(make_initial_state(model_)), workspace_(model_) {
  for (std::size_t b = 0; b < model_.rigid.size(); ++b)
    if (model_.rigid[b].mount != Mount::fixed) commanded_.push_back(b);
  control_.commands.resize(model_.rigid.size());
  analyse(description, quasi_static);
  choose_step();
  if (!model_.soft.empty() && std::isnan(model_.integrator.time_step_s) && !is_implicit(model_.integrator.kind))
    watch_ = std::make_unique<StableStepWatch>(model_, state_, workspace_);
  refresh_forces();
  state_.energy.initial = stored_energy(model_, state_, workspace_).total();
  read_sensors();
}

// Modes and stable step come from difference quotients, which single precision would drown: always found in double.
void Simulation::analyse(const ModelDescription& description, bool quasi_static) {
  if (model_.precision == Precision::float_) {
    ModelDescription in_double = description;
    in_double.precision = Precision::double_;
    Model model = build_model(in_double);
    Workspace workspace(model);
    find_limits(model, workspace, quasi_static);
  } else {
    find_limits(model_, workspace_, quasi_static);
  }
  model_.stable_step_s = stable_.step_s;
}

// Damping is set on both models, the analysed one and the simulated one.
void Simulation::find_limits(Model& model, Workspace& workspace, bool quasi_static) {
  if (!model.soft.empty() && needs_first_mode(model, quasi_static)) {
    first_mode_ = find_first_mode(model, state_, workspace);
    for (Model* each : {&model, &model_})
      for (SoftBody& body : each->soft)
        if (!std::isnan(body.damping_ratio)) body.lattice.relaxation_time_s = 2.0 * body.damping_ratio / first_mode_;
    if (quasi_static) model.quasi_static_drag_per_s = model_.quasi_static_drag_per_s = 2.0 * first_mode_;
  }
  stable_ = find_stable_step(model, state_, workspace);
}

void Simulation::choose_step() {
  const double period = model_.control_period_s, given = model_.integrator.time_step_s;
  const bool implicit = is_implicit(model_.integrator.kind);
  if (std::isnan(given)) {
    state_.steps_per_period = implicit ? 1 : static_cast<int>(std::ceil(period / (kStepShare * stable_.step_s)));
    return;
  }
  if (model_.integrator.kind == IntegratorKind::energy_guided)
    throw InputError(
        "integrator.time_step_s: energy_guided chooses its own step; leave the key out or take another kind");
  const int steps = static_cast<int>(std::lround(period / given));
  if (!implicit && given > stable_.step_s) {
    const double largest = period / std::ceil(period / stable_.step_s);
    throw InputError(
        fmt::format("integrator.time_step_s = {:.6g}: above the stable step of {:.6g} s (limited by {}); the largest "
                    "good value is {:.6g}",
                    given, stable_.step_s, stable_.where, largest));
  }
  if (steps < 1 || std::abs(steps * given / period - 1.0) > 1e-9)
    throw InputError(
        fmt::format("integrator.time_step_s = {:.6g}: does not divide run.control_period_s = {:.6g}; the largest good "
                    "value is {:.6g}",
                    given, period, period / std::ceil(period / (implicit ? given : std::min(given, stable_.step_s)))));
  state_.steps_per_period = model_.implicit_steps = steps;
}

std::size_t Simulation::body_index(const std::string& name) const {
  for (std::size_t i = 0; i < commanded_.size(); ++i)
    if (body_name(i) == name) return i;
  throw InputError(fmt::format("body '{}' does not move or does not exist", name));
}

void Simulation::refresh_forces() {
  workspace_.want_energy = true;
  workspace_.travel_left_m = -1.0;
  find_contacts(model_, state_, workspace_);
  compute_forces(model_, state_, workspace_);
  compute_rigid_acceleration(model_, state_, workspace_);
  workspace_.want_energy = false;
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

StepReport Simulation::advance(std::span<const BodyCommand> commands) {
  DISTAL_ASSERT(commands.size() == commanded_.size());
  for (std::size_t i = 0; i < commanded_.size(); ++i) control_.commands[commanded_[i]] = commands[i];
  StepReport report = step(model_, control_, state_, workspace_);
  if (report.status == StepStatus::good)
    check_step_again();
  else
    refresh_forces();
  read_sensors();
  return report;
}

void Simulation::read_sensors() {
  readings_.clear();
  for (const std::size_t b : commanded_) readings_.push_back(measure_body(model_, b, state_, workspace_, skin_view_));
}

EnergyReading Simulation::energy() const { return measure_energy(model_, state_, workspace_); }

void Simulation::restore(const State& state) {
  state_ = state;
  refresh_forces();
  // A state that was edited has another energy: count from here.
  state_.energy.last_residual = energy().residual;
  read_sensors();
}

}  // namespace distal
