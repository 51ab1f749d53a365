#include "distal/contact/contacts.hpp"
#include "distal/force/forces.hpp"
#include "distal/force/touch_force.hpp"
#include "distal/integrator/integrators.hpp"
#include "distal/integrator/particle_update.hpp"
#include "distal/integrator/rigid_update.hpp"

namespace distal {

Advance advance_semi_implicit_euler(const Model& model, double h, State& state, Workspace& ws) {
  compute_forces(model, state, ws);
  commit_contacts(model, ws, state);
  compute_rigid_acceleration(model, state, ws);
  state.energy.dissipated += h * dissipation_power(model, state, ws);
  add_touch_forces(model, h, state, ws);
  kick_particles(model, h, ws, state.v);
  kick_rigid(model, h, ws, state);
  drift_particles(h, ws, state.v, state.x);
  drift_rigid(model, h, state);
  note_motion(model, h, state, ws);
  return {h, 0, false, {}};
}

}  // namespace distal
