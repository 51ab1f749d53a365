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
  if (explicit_steps > kImplicitCost * choice.steps) choice.kind = IntegratorKind::implicit_euler;
  choice.reason = facts;
  return choice;
}

}  // namespace distal
