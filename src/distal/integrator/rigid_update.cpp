#include "distal/integrator/rigid_update.hpp"

#include <algorithm>

namespace distal {
namespace {

Wrench total_wrench(const Model& model, std::size_t b, const Workspace& ws) {
  Wrench w = ws.rigid_force[b] + ws.applied[b];
  w.force += model.rigid[b].mass_kg * model.gravity_m_s2;
  return model.rigid[b].allowed(w);
}

}  // namespace

void compute_rigid_acceleration(const Model& model, const State& state, Workspace& ws) {
  for (std::size_t b = 0; b < model.rigid.size(); ++b) {
    if (!model.rigid[b].moves_freely()) continue;
    const RigidState& body = state.rigid[b];
    const Wrench w = total_wrench(model, b, ws);
    const Vec3 gyroscopic = body.angular_velocity.cross(angular_momentum(model.rigid[b], body));
    ws.rigid_acceleration[b] = {w.force / model.rigid[b].mass_kg,
                                angular_velocity_from(model.rigid[b], body.q, w.torque - gyroscopic)};
  }
}

void kick_rigid(const Model& model, double h, Workspace& ws, State& state) {
  for (std::size_t b = 0; b < model.rigid.size(); ++b) {
    const RigidBody& body = model.rigid[b];
    RigidState& s = state.rigid[b];
    const Wrench w = total_wrench(model, b, ws);
    if (body.mount == Mount::driven)  // the drive balances everything else
      state.energy.control_work -= h * (w.force.dot(s.velocity) + w.torque.dot(s.angular_velocity));
    if (!body.moves_freely()) continue;
    const Vec3 old_velocity = s.velocity, old_angular = s.angular_velocity;
    s.velocity += h / body.mass_kg * w.force;
    s.angular_velocity = angular_velocity_from(body, s.q, angular_momentum(body, s) + h * w.torque);
    state.energy.control_work += 0.5 * h *
                                 (ws.applied[b].force.dot(old_velocity + s.velocity) +
                                  ws.applied[b].torque.dot(old_angular + s.angular_velocity));
  }
}

void drift_rigid(const Model& model, double h, State& state) {
  for (std::size_t b = 0; b < model.rigid.size(); ++b) {
    const RigidBody& body = model.rigid[b];
    RigidState& s = state.rigid[b];
    if (body.mount == Mount::fixed) continue;
    if (body.mount == Mount::driven) {
      const Twist twist = end_twist(body, s);
      Pose end = end_pose(body, s);
      end.position += h * twist.linear;
      end.q = (rotation_from_vector(h * twist.angular) * end.q).normalized();
      set_end(body, end, twist, s);
      continue;
    }
    const Vec3 momentum = angular_momentum(body, s);
    s.centre_of_mass += h * s.velocity;
    s.q = (rotation_from_vector(h * s.angular_velocity) * s.q).normalized();
    s.angular_velocity = angular_velocity_from(body, s.q, momentum);
  }
}

double largest_rigid_speed(const Model& model, const State& state) {
  double fastest = 0.0;
  for (std::size_t b = 0; b < model.rigid.size(); ++b) {
    if (!model.rigid[b].shape) continue;
    double reach = 0.0;
    if (const auto* box = std::get_if<BoxShape>(&*model.rigid[b].shape)) reach = box->half_size_m.norm();
    if (const auto* capsule = std::get_if<CapsuleShape>(&*model.rigid[b].shape))
      reach = capsule->half_length_m + capsule->radius_m;
    fastest = std::max(fastest, state.rigid[b].velocity.norm() + reach * state.rigid[b].angular_velocity.norm());
  }
  return fastest;
}

}  // namespace distal
