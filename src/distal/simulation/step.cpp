#include "distal/simulation/step.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "distal/contact/contacts.hpp"
#include "distal/force/forces.hpp"
#include "distal/integrator/field_update.hpp"
#include "distal/integrator/integrators.hpp"
#include "distal/integrator/plastic_set.hpp"
#include "distal/integrator/rigid_update.hpp"
#include "distal/integrator/spring_limits.hpp"
#include "distal/simulation/command.hpp"
#include "distal/simulation/passage.hpp"

namespace distal {
namespace {

// A failed period is tried again with half the step, so many times; an implicit step has further to go down.
constexpr int kMostHalvings = 3, kMostImplicitHalvings = 6;
// Energy out of nothing in one period, as a share of all that is stored or turned over: more is an unstable step.
constexpr double kMostSpuriousEnergy = 0.02;

std::string place_of(const SoftBody& body, std::int32_t node) {
  const Vec3 p = 1e3 * body.rest_position(node);
  return fmt::format("{} of body '{}', at ({:.2f}, {:.2f}, {:.2f}) mm of its undeformed shape", node, body.name, p.x(),
                     p.y(), p.z());
}

// Empty when all is well.
std::string find_trouble(const Model& model, const State& state, const Workspace& ws) {
  for (std::size_t s = 0; s < model.soft.size(); ++s)
    if (ws.soft[s].worst_cell >= 0) return "an inverted cell: cell " + place_of(model.soft[s], ws.soft[s].worst_cell);
  for (const SoftBody& body : model.soft) {
    if (is_implicit(model.integrator.kind)) break;  // they may: their residual decides
    const double limit = 0.5 * body.spacing_m() / std::max(model.control_period_s / state.steps_per_period, 1e-12);
    if (ws.largest_speed_m_s < limit) continue;
    for (std::int32_t n = 0; n < body.node_count(); ++n)
      if (!(state.v.get(static_cast<std::size_t>(body.first_particle + n)).norm() < limit))
        return fmt::format("a runaway particle ({:.3g} m/s, half a cell in one step): particle {}",
                           ws.largest_speed_m_s, place_of(body, n));
  }
  for (std::size_t b = 0; b < model.rigid.size(); ++b)
    if (!state.rigid[b].velocity.allFinite() || !state.rigid[b].angular_velocity.allFinite())
      return fmt::format("a number that is none: the velocity of body '{}'", model.rigid[b].name);
  return {};
}

// Where a step that is too long shows first; empty where nothing is soft.
std::string fastest_particle(const Model& model, const State& state) {
  double fastest = -1.0;
  std::pair<const SoftBody*, std::int32_t> found = {nullptr, 0};
  for (const SoftBody& body : model.soft)
    for (std::int32_t n = 0; n < body.node_count(); ++n) {
      const double speed = state.v.get(static_cast<std::size_t>(body.first_particle + n)).norm();
      if (speed > fastest) fastest = speed, found = {&body, n};
    }
  return found.first == nullptr ? "" : "; the fastest is particle " + place_of(*found.first, found.second);
}

// Why an implicit step has no result.
std::string solve_trouble(const Model& model, const State& state, const Workspace& ws, const SolveReport& solve) {
  if (std::string trouble = find_trouble(model, state, ws); !trouble.empty()) return trouble;
  std::string place = "a rigid body";
  for (const SoftBody& body : model.soft) {
    const std::int32_t node = solve.worst_particle - body.first_particle;
    if (node >= 0 && node < body.node_count()) place = "particle " + place_of(body, node);
  }
  return fmt::format(
      "a solve that did not converge (residual {:.2g} of the right side after {} Newton and {} inner "
      "iterations): {}",
      solve.relative, solve.newton, solve.iterations, place);
}

// Calls work(state's pair, its kept touches) for every pair.
void for_pairs(State& state, Workspace& ws, const auto& work) {
  std::size_t p = 0;
  for (auto* pairs : {&state.pairs, &state.soft_pairs})
    for (PairState& pair : *pairs) work(pair, ws.retry_touches[p++]);
}

// Copies a state without the memory of its contacts, and leaves `to` its own.
void copy_but_pairs(State& from, State& to) {
  std::array<std::vector<PairState>, 4> apart = {std::exchange(from.pairs, {}), std::exchange(from.soft_pairs, {}),
                                                 std::exchange(to.pairs, {}), std::exchange(to.soft_pairs, {})};
  to = from;
  from.pairs = std::move(apart[0]), from.soft_pairs = std::move(apart[1]);
  to.pairs = std::move(apart[2]), to.soft_pairs = std::move(apart[3]);
}

// Of the samples few touch, and the others remember nothing.
void keep_start(State& state, Workspace& ws) {
  copy_but_pairs(state, ws.retry);
  for_pairs(state, ws, [](const PairState& pair, std::vector<TouchMemory>& kept) {
    kept.clear();
    for (std::size_t s = 0; s < pair.touch.size(); ++s)
      if (pair.touch[s] != Touch::none)
        kept.push_back({static_cast<std::int32_t>(s), pair.touch[s], pair.stretch_m[s], pair.weakened[s],
                        pair.approach_m_s.empty() ? 0.0F : pair.approach_m_s[s], pair.anchor_m[s]});
  });
}

void go_back(State& state, Workspace& ws) {
  copy_but_pairs(ws.retry, state);
  for_pairs(state, ws, [](PairState& pair, const std::vector<TouchMemory>& kept) {
    std::fill(pair.touch.begin(), pair.touch.end(), Touch::none);
    std::fill(pair.stretch_m.begin(), pair.stretch_m.end(), 0.0F);
    std::fill(pair.weakened.begin(), pair.weakened.end(), 0.0F);
    for (const TouchMemory& memory : kept) {
      const auto s = static_cast<std::size_t>(memory.sample);
      pair.touch[s] = memory.touch;
      pair.stretch_m[s] = memory.stretch_m;
      pair.weakened[s] = memory.weakened;
      pair.anchor_m[s] = memory.anchor_m;
      if (!pair.approach_m_s.empty()) pair.approach_m_s[s] = memory.approach_m_s;
    }
  });
}

double energy_residual(const StoredEnergy& e, const State& state) {
  return e.total() + state.energy.dissipated + state.energy.integrator - state.energy.control_work -
         state.energy.initial;
}

// An oscillation that damping or a sliding contact keeps from running away still makes energy: it shows in the ledger.
std::string find_spurious_energy(const Model& model, const State& state, const Workspace& ws, const StoredEnergy& e,
                                 int steps) {
  const double made = energy_residual(e, state) - state.energy.last_residual;
  const double stored = e.kinetic + std::abs(e.elastic) + e.contact + e.ligament;
  // A first-order step may err by its share of what it turns over: a start from rest does.
  const double turned = e.kinetic + std::abs(state.energy.control_work - ws.retry.energy.control_work);
  // Implicit steps take energy by themselves, which is no fault.
  const double wrong = is_implicit(model.integrator.kind) ? made : std::abs(made);
  if (wrong <= kMostSpuriousEnergy * stored + 2.0 * turned / steps + 1e-12) return {};
  return fmt::format("energy out of nothing ({:.3g} J in one control period, {:.3g} J stored): the step is too long{}",
                     made, stored, fastest_particle(model, state));
}

std::string advance_period(const Model& model, const Control& control, double end_s, State& state, Workspace& ws,
                           StepReport& report) {
  const bool adaptive =
      model.integrator.kind == IntegratorKind::runge_kutta || model.integrator.kind == IntegratorKind::energy_guided;
  const bool rigid = model.integrator.kind == IntegratorKind::complementarity;
  const int fixed_steps = rigid ? model.rigid_steps : state.steps_per_period;
  const double start = state.time_s, h = model.control_period_s / fixed_steps;
  double done = 0.0;
  for (TouchWork& touch : ws.touches) touch.impulse = Vec3::Zero(), touch.slides = false;
  for (int n = 0; done < end_s - start; ++n) {
    const double left = end_s - start - done;
    // Fixed steps divide the period; adaptive ones end on it, without a crumb at the end.
    const double most = adaptive ? left : h;
    find_contacts(model, state, ws);
    apply_wrench_commands(model, control, state, ws);
    const Advance advanced = advance(model, most, state, ws);
    ++report.steps, ++state.step;
    report.rejected += advanced.rejected;
    report.spurious_steps += advanced.spurious_energy;
    report.solve.newton += advanced.solve.newton, report.solve.iterations += advanced.solve.iterations;
    report.solve.relative = std::max(report.solve.relative, advanced.solve.relative);
    report.solve.linearised_steps += advanced.solve.linearised_steps;
    if (advanced.solve.linearised_steps > 0) report.solve.worst_pair = advanced.solve.worst_pair;
    if (!advanced.solve.converged) return solve_trouble(model, state, ws, advanced.solve);
    if (std::string trouble = find_trouble(model, state, ws); !trouble.empty()) return trouble;
    apply_spring_limits(model, advanced.taken_s, state, ws);
    apply_plastic_set(model, state, ws);
    done += advanced.taken_s;
    if (!adaptive && n + 1 == fixed_steps) break;
    if (adaptive && end_s - start - done < 1e-9 * (end_s - start)) break;
  }
  state.time_s = end_s;
  return {};
}

bool has_spread_touch(const Model& model) {
  return std::any_of(model.soft.begin(), model.soft.end(),
                     [](const SoftBody& body) { return body.tet && body.tet->model == TetModel::gaussian; });
}

// Fields go on once a period. What the new stiffness makes of the energy in the springs is heat, not motion.
void change_fields(const Model& model, State& state, Workspace& ws) {
  advance_fields(model, model.control_period_s, state, ws);
  if (std::none_of(model.fields.begin(), model.fields.end(), [](const BodyField& field) { return field.softens(); }))
    return;
  const double before = ws.stored.elastic;
  ws.want_energy = true;
  compute_forces(model, state, ws);
  ws.want_energy = false;
  ws.stored = stored_energy(model, state, ws);
  state.energy.dissipated += before - ws.stored.elastic;
}

}  // namespace

StepReport step(const Model& model, const Control& control, State& state, Workspace& ws) {
  StepReport report;
  const double end_s = static_cast<double>(state.period + 1) * model.control_period_s;
  if (is_implicit(model.integrator.kind)) state.steps_per_period = model.implicit_steps;
  impose_motion_commands(model, control, state, ws);
  set_joint_commands(model, control, ws);
  set_touch_commands(model, control, ws);
  keep_start(state, ws);
  ws.forces_are_current = false;
  std::string trouble;
  StoredEnergy& stored = ws.stored;
  const int most_halvings = is_implicit(model.integrator.kind) ? kMostImplicitHalvings : kMostHalvings;
  for (int halvings = 0; halvings <= most_halvings; ++halvings) {
    report.solve.relative = 0.0;  // of the attempt that counts
    trouble = advance_period(model, control, end_s, state, ws, report);
    if (trouble.empty()) {
      // Forces at the new state, for the sensors; they also show a cell that the last step turned.
      ws.want_energy = true;
      apply_wrench_commands(model, control, state, ws);
      if (!ws.forces_are_current) {
        find_contacts(model, state, ws);
        compute_forces(model, state, ws);
      }
      compute_rigid_acceleration(model, state, ws);
      ws.want_energy = false;
      stored = stored_energy(model, state, ws);
      trouble = find_trouble(model, state, ws);
      if (trouble.empty()) trouble = find_passage(model, state, ws);
      // A touch that is spread gives more than it takes; a projection may push against contacts; hard contacts push out
      // what overlaps.
      if (trouble.empty() && model.integrator.kind != IntegratorKind::complementarity && !has_spring_limits(model) &&
          !has_spread_touch(model))
        trouble = find_spurious_energy(model, state, ws, stored, static_cast<int>(state.step - ws.retry.step));
    }
    if (trouble.empty()) break;
    const int tried_steps = state.steps_per_period;
    go_back(state, ws);
    ws.travel_left_m = -1.0;
    state.steps_per_period = 2 * tried_steps;
    state.adaptive_step_s = 0.5 * std::min(state.adaptive_step_s, model.control_period_s / tried_steps);
    ++report.rejected;
  }
  report.time_s = state.time_s;
  if (!trouble.empty()) {
    report.status = StepStatus::failed;
    // What cannot even begin is described wrongly; what fails later is asked too much.
    const char* remedy =
        model.integrator.kind == IntegratorKind::forward_euler
            ? "What is not damped grows with every step of forward_euler: take integrator.kind = "
              "\"semi_implicit_euler\""
        : state.period == 0
            ? "Do bodies overlap at the start, or is one far too light, soft or fast?"
            : "Press more slowly or less deep, lower the time step, or use a larger cell_size_m or more "
              "damping";
    report.message = fmt::format("diverged at t = {:.6f} s: {}. {} halvings of the step did not help. {}", state.time_s,
                                 trouble, most_halvings, remedy);
    return report;
  }
  double residual = energy_residual(stored, state);
  // Implicit Euler takes energy by itself; what it would make stays in the residual. The midpoint rule gives back what
  // it takes.
  if (model.integrator.kind == IntegratorKind::implicit_euler && residual < state.energy.last_residual) {
    state.energy.integrator += state.energy.last_residual - residual;
    residual = state.energy.last_residual;
  }
  state.energy.last_residual = residual;
  change_fields(model, state, ws);
  ++state.period;
  return report;
}

}  // namespace distal
