#include "distal/integrator/stable_step.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace distal {
namespace {

constexpr double kRigidContactStep_s =
    2e-4;  // penalty points of rigid objects (10 micrometres under weight) ask for no less
constexpr int kDampingRounds = 5;
constexpr int kLookProducts = 30;

double step_bound(const Model& model, const State& state, Workspace& ws, double damping_step, int products, bool vector,
                  SpectrumEnds& ends, std::int32_t& particle) {
  StiffnessOperator stiffness(model, state, ws, damping_step > 0.0 ? 2.0 / damping_step : 0.0, true, true);
  std::vector<double> start;
  stiffness.fill_start(start);
  ends = find_spectrum_ends([&](const auto& in, auto& out) { stiffness.apply(in, out); }, start, products, 2e-3, false,
                            vector);
  if (vector) particle = stiffness.busiest_particle(ends.largest_vector);
  return 2.0 / std::sqrt(ends.largest);
}

std::string describe(const Model& model, std::int32_t particle) {
  for (const SoftBody& body : model.soft) {
    const std::int32_t n = particle - body.first_particle;
    if (n < 0 || n >= body.node_count()) continue;
    const Vec3 p = 1e3 * body.rest_position(n);
    return fmt::format("body '{}', node {} at ({:.2f}, {:.2f}, {:.2f}) mm of its frame, mass {:.3g} kg", body.name, n,
                       p.x(), p.y(), p.z(), model.mass_kg[static_cast<std::size_t>(particle)]);
  }
  return "a rigid body";
}

bool has_rigid_pairs(const Model& model) {
  for (const ContactPair& pair : model.pairs)
    if (!pair.sampled_is_soft && !pair.hard) return true;
  return false;
}

}  // namespace

StableStep find_stable_step(const Model& model, const State& state, Workspace& ws) {
  StableStep result;
  result.step_s = has_rigid_pairs(model) ? kRigidContactStep_s : model.control_period_s;
  result.where = has_rigid_pairs(model) ? "contact of rigid objects" : "the control period";
  if (model.soft.empty()) return result;
  SpectrumEnds ends;
  std::int32_t particle = -1;
  double bound = step_bound(model, state, ws, 0.0, 80, false, ends, particle);
  result.highest_rad_s = std::sqrt(ends.largest);
  // Damping counts the more the smaller the step: a few rounds find where both agree.
  for (int round = 0; round < kDampingRounds; ++round)
    bound = step_bound(model, state, ws, bound, 40, false, ends, particle);
  bound = step_bound(model, state, ws, bound, 80, true, ends, particle);
  if (bound < result.step_s)
    result.step_s = bound, result.particle = particle, result.where = describe(model, particle);
  return result;
}

StableStepWatch::StableStepWatch(const Model& model, const State& state, Workspace& ws)
    : model_(model),
      stiffness_(model, state, ws, 2.0 / model.stable_step_s, true, true),
      largest_(stiffness_.size(), kLookProducts) {}

double StableStepWatch::look(const State& state) {
  stiffness_.set_base(state, 2.0 / model_.stable_step_s);
  stiffness_.fill_start(largest_.start());
  return 2.0 / std::sqrt(largest_.find([this](const auto& in, auto& out) { stiffness_.apply(in, out); }));
}

double find_first_mode(const Model& model, const State& state, Workspace& ws) {
  double lowest = 0.0;
  for (const SoftBody& body : model.soft) {
    const bool held = body.rod >= 0 || !body.fixed_nodes.empty();
    if (held) continue;
    Aabb bounds;
    double mass = 0.0;
    for (int n = 0; n < body.node_count(); ++n)
      if (const double m = body.mass_kg()[static_cast<std::size_t>(n)]; m > 0.0)
        mass += m, bounds.add(body.rest_position(n));
    const double longest = (bounds.max - bounds.min).maxCoeff();
    lowest = std::numbers::pi * std::sqrt(body.moduli().shear_pa * body.volume_m3() / mass) / longest;
  }
  if (lowest > 0.0) return lowest;
  StiffnessOperator stiffness(model, state, ws, 0.0, false, false);
  std::vector<double> start;
  stiffness.fill_start(start);
  const SpectrumEnds ends =
      find_spectrum_ends([&](const auto& in, auto& out) { stiffness.apply(in, out); }, start, 400, 1e-3, true, false);
  return std::sqrt(std::max(ends.smallest, 0.0));
}

double paper_step_limit(const SoftBody& body) {
  double mass = 0.0;
  for (const double m : body.mass_kg()) mass += m;
  mass /= body.active_nodes();
  return 1.0 / std::sqrt(2.0 * body.moduli().youngs_pa * body.spacing_m() / mass);
}

}  // namespace distal
