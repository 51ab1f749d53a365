#include "distal/force/touch_force.hpp"

namespace distal {

void add_touch_forces(const Model& model, double h, State& state, Workspace& ws) {
  for (TouchWork& touch : ws.touches) {
    const TouchCommand& command = touch.command;
    if (command.soft < 0) continue;
    Vec3 before = Vec3::Zero(), unpushed = Vec3::Zero();
    double mobility = 0.0;  // of the point [1/kg]
    for (const auto& [particle, weight] : touch.carriers) {
      const double inverse_mass = model.inverse_mass_per_kg[particle];
      before += weight * state.v.get(particle);
      unpushed += weight * state.v.get(particle);
      if (inverse_mass == 0.0) continue;
      unpushed += weight * h * (inverse_mass * ws.force.get(particle) + model.gravity_m_s2);
      mobility += weight * weight * inverse_mass;
    }
    if (mobility == 0.0) continue;  // held by the scene: nothing that a hand could move
    const Vec3 needed = (command.velocity_m_s - unpushed) / (h * mobility);
    const double push = -needed.dot(command.normal);
    if (push <= 0.0) continue;
    Vec3 along = needed + push * command.normal;
    if (const double size = along.norm(), most = command.friction * push; size > most) {
      along *= most / size;
      touch.slides = true;
    }
    const Vec3 force = along - push * command.normal;
    for (const auto& [particle, weight] : touch.carriers) ws.force.add(particle, weight * force);
    touch.impulse += h * force;
    state.energy.control_work += 0.5 * h * force.dot(before + unpushed + h * mobility * force);
  }
}

}  // namespace distal
