#include "distal/integrator/integrators.hpp"

#include "distal/contact/contacts.hpp"
#include "distal/core/error.hpp"
#include "distal/integrator/rigid_update.hpp"

namespace distal {

void note_motion(const Model& model, double h, const State& state, Workspace& ws) {
  note_travel(h * (ws.largest_speed_m_s + largest_rigid_speed(model, state)), ws);
}

Advance advance(const Model& model, double most_s, State& state, Workspace& ws) {
  switch (model.integrator.kind) {
    case IntegratorKind::forward_euler:
      return advance_forward_euler(model, most_s, state, ws);
    case IntegratorKind::semi_implicit_euler:
      return advance_semi_implicit_euler(model, most_s, state, ws);
    case IntegratorKind::runge_kutta:
      return advance_runge_kutta(model, most_s, state, ws);
    case IntegratorKind::energy_guided:
      return advance_energy_guided(model, most_s, state, ws);
    case IntegratorKind::implicit_euler:
      return advance_implicit_euler(model, most_s, state, ws);
    case IntegratorKind::implicit_midpoint:
      return advance_implicit_midpoint(model, most_s, state, ws);
    case IntegratorKind::complementarity:
      return advance_complementarity(model, most_s, state, ws);
    case IntegratorKind::automatic:
      break;  // resolved before the first step
  }
  DISTAL_ASSERT(false);
  return {};
}

}  // namespace distal
