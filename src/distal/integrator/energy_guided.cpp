#include <algorithm>
#include <cmath>

#include "distal/contact/contacts.hpp"
#include "distal/force/forces.hpp"
#include "distal/integrator/integrators.hpp"
#include "distal/integrator/particle_update.hpp"
#include "distal/integrator/rigid_update.hpp"

namespace distal {
namespace {

constexpr double kGrow = 1.25, kShrink = 0.5;

// Half a kick, a drift, forces at the new place, half a kick.
void take_verlet_step(const Model& model, double h, State& state, Workspace& ws) {
  const double power_before = dissipation_power(model, state, ws);
  kick_particles(model, 0.5 * h, ws, state.v);
  kick_rigid(model, 0.5 * h, ws, state);
  drift_particles(h, ws, state.v, state.x);
  drift_rigid(model, h, state);
  note_motion(model, h, state, ws);
  find_contacts(model, state, ws);
  compute_forces(model, state, ws);
  commit_contacts(model, ws, state);
  kick_particles(model, 0.5 * h, ws, state.v);
  kick_rigid(model, 0.5 * h, ws, state);
  state.energy.dissipated += 0.5 * h * (power_before + dissipation_power(model, state, ws));
}

double turnover(const StoredEnergy& a, const StoredEnergy& b, double work, double dissipated) {
  return std::abs(a.kinetic - b.kinetic) + std::abs(a.elastic - b.elastic) + std::abs(a.ligament - b.ligament) +
         std::abs(a.contact - b.contact) + std::abs(a.gravity - b.gravity) + std::abs(work) + dissipated;
}

}  // namespace

Advance advance_energy_guided(const Model& model, double most_s, State& state, Workspace& ws) {
  Advance result;
  ws.want_energy = true;
  compute_forces(model, state, ws);
  compute_rigid_acceleration(model, state, ws);
  const StoredEnergy before = stored_energy(model, state, ws);
  ws.step_start = state;
  const double smallest = kSmallestShare * model.stable_step_s;
  if (!(state.adaptive_step_s > 0.0)) state.adaptive_step_s = 0.5 * model.stable_step_s;
  double h = std::min({state.adaptive_step_s, 0.9 * model.stable_step_s, most_s});
  while (true) {
    take_verlet_step(model, h, state, ws);
    const StoredEnergy after = stored_energy(model, state, ws);
    const double work = state.energy.control_work - ws.step_start.energy.control_work;
    const double dissipated = state.energy.dissipated - ws.step_start.energy.dissipated;
    const double spurious = after.total() - before.total() + dissipated - work;
    // Half of everything that changed place, plus a trifle of what is there: a body at rest may not ask for no error at
    // all.
    const double scale = 0.5 * turnover(before, after, work, dissipated) +
                         1e-9 * (after.kinetic + after.elastic + after.contact + after.ligament);
    const double ratio = std::abs(spurious) / (model.integrator.energy_tolerance * scale + 1e-30);
    const bool good = ratio <= 1.0, last = h <= smallest;
    if (good || last) {
      result.taken_s = h;
      result.spurious_energy = !good;
      // A step cut short by the end of the period says nothing about growing.
      const double next = ratio < 0.5 ? kGrow * h : h;
      state.adaptive_step_s = h < most_s || ratio >= 0.5 ? next : std::max(state.adaptive_step_s, next);
      return result;
    }
    const double tried = h;
    state = ws.step_start;
    ws.travel_left_m = -1.0;
    find_contacts(model, state, ws);
    compute_forces(model, state, ws);
    ++result.rejected;
    h = std::max(kShrink * tried, smallest);
  }
}

}  // namespace distal
