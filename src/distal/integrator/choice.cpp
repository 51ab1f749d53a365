#include "distal/integrator/choice.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace distal {
namespace {

// Measured on fingertips of 1,000 to 6,000 particles: one implicit step takes as long as this many explicit ones.
constexpr double kImplicitCost = 9.0;
constexpr double kReachOfALoop = 0.1;  // of its rate
constexpr double kSpinLoss = 1e-6;     // of the energy, in ten turns: what a spin may lose by the scheme

bool turns_freely(const SoftBody& body, const Model& model) {
  if (!body.fixed_nodes.empty() || body.initial_twist.angular.isZero(0.0)) return false;
  return body.rod < 0 || model.rigid[static_cast<std::size_t>(body.rod)].moves_freely();
}

// The soft body that begins with the fastest spin and keeps it; null without one.
const SoftBody* find_spinner(const Model& model) {
  const SoftBody* fastest = nullptr;
  for (const SoftBody& body : model.soft)
    if (turns_freely(body, model) &&
        (fastest == nullptr || body.initial_twist.angular.norm() > fastest->initial_twist.angular.norm()))
      fastest = &body;
  return fastest;
}

}  // namespace

IntegratorChoice choose_integrator(const Model& model, double explicit_step_s, double first_mode_rad_s,
                                   bool quasi_static) {
  IntegratorChoice choice;
  if (model.soft.empty()) {
    choice.reason = "nothing soft in the scene";
    return choice;
  }
  if (!std::isnan(model.integrator.time_step_s)) {
    choice.reason = "integrator.time_step_s is given";
    return choice;
  }
  for (const SoftBody& body : model.soft)
    if (!body.tet && body.lattice.kind == LatticeKind::paper) {
      choice.reason = "the paper's lattice has explicit steps only";
      return choice;
    }
  for (const SoftBody& body : model.soft)
    if (body.tet && body.tet->model == TetModel::gaussian) {
      choice.reason = "the geometric model of strands has explicit steps only";
      return choice;
    }
  const double period = model.control_period_s, explicit_steps = std::ceil(period / explicit_step_s);
  const double reach = 2.0 * std::numbers::pi * kReachOfALoop / period;
  const double counted = first_mode_rad_s > 0.0 ? std::min(first_mode_rad_s, reach) : reach;
  // Settling is what a measuring drive waits for: any damping is welcome.
  const double limit = quasi_static ? std::max(1.0, model.integrator.added_damping) : model.integrator.added_damping;
  choice.steps = std::max(1, static_cast<int>(std::ceil(0.5 * counted * period / limit)));
  choice.added_damping = 0.5 * counted * period / choice.steps;
  const std::string facts = fmt::format(
      "{:.0f} explicit steps a period, or {} implicit {} that cost as much as {:.0f} and add a damping ratio "
      "of {:.2g} at {:.3g} Hz",
      explicit_steps, choice.steps, choice.steps == 1 ? "one" : "ones", kImplicitCost * choice.steps,
      choice.added_damping, counted / (2.0 * std::numbers::pi));
  choice.reason = facts;
  if (explicit_steps <= kImplicitCost * choice.steps) return choice;
  choice.kind = IntegratorKind::implicit_euler;
  const SoftBody* spinner = quasi_static ? nullptr : find_spinner(model);
  if (spinner == nullptr) return choice;
  // A soft body that turns as a whole with omega loses h omega^2 of its energy a second: 20 pi h omega in ten turns.
  const double omega = spinner->initial_twist.angular.norm();
  const double lost = -std::expm1(-20.0 * std::numbers::pi * omega * period / choice.steps);
  if (lost <= kSpinLoss) return choice;
  choice.kind = IntegratorKind::semi_implicit_euler;
  choice.reason += fmt::format(
      "; but body.{} begins turning with {:.3g} rad/s, and the implicit ones would take up to {:.2g} of its energy in "
      "ten turns (integrator.kind = \"implicit_euler\" takes them all the same)",
      spinner->name, omega, lost);
  return choice;
}

}  // namespace distal
