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

void kick_body(const Model& model, std::size_t b, double h, Workspace& ws, State& state) {
  const RigidBody& body = model.rigid[b];
  RigidState& s = state.rigid[b];
  const Wrench w = total_wrench(model, b, ws);
  if (body.mount == Mount::driven)  // the drive balances everything else
    state.energy.control_work -= h * (w.force.dot(s.velocity) + w.torque.dot(s.angular_velocity));
  if (!body.moves_freely()) return;
  const Vec3 old_velocity = s.velocity, old_angular = s.angular_velocity;
  s.velocity += h / body.mass_kg * w.force;
  s.angular_velocity = angular_velocity_from(body, s.q, angular_momentum(body, s) + h * w.torque);
  state.energy.control_work +=
      0.5 * h *
      (ws.applied[b].force.dot(old_velocity + s.velocity) + ws.applied[b].torque.dot(old_angular + s.angular_velocity));
}

void kick_rigid(const Model& model, double h, Workspace& ws, State& state) {
  for (std::size_t b = 0; b < model.rigid.size(); ++b) kick_body(model, b, h, ws, state);
}

void drift_driven(const RigidBody& body, double h, RigidState& s) {
  const Twist twist = end_twist(body, s);
  Pose end = end_pose(body, s);
  end.position += h * twist.linear;
  end.q = (rotation_from_vector(h * twist.angular) * end.q).normalized();
  set_end(body, end, twist, s);
}

void drift_body(const RigidBody& body, double h, RigidState& s) {
  if (body.mount == Mount::fixed) return;
  if (body.mount == Mount::driven) return drift_driven(body, h, s);
  const Vec3 momentum = angular_momentum(body, s);
  s.centre_of_mass += h * s.velocity;
  s.q = (rotation_from_vector(h * s.angular_velocity) * s.q).normalized();
  s.angular_velocity = angular_velocity_from(body, s.q, momentum);
}

void drift_rigid(const Model& model, double h, State& state) {
  for (std::size_t b = 0; b < model.rigid.size(); ++b) drift_body(model.rigid[b], h, state.rigid[b]);
}

void turn_freely(const RigidBody& body, double h, RigidState& s) {
  const Vec3 momentum = angular_momentum(body, s);
  using Coefficients = Eigen::Vector4d;
  const auto rate = [&](const Coefficients& q) {
    const Quat turned = Quat(q).normalized();
    const Vec3 w = angular_velocity_from(body, turned, momentum);
    return Coefficients(0.5 * (Quat(0.0, w.x(), w.y(), w.z()) * turned).coeffs());
  };
  // Runge and Kutta's classical four.
  const Coefficients q = s.q.coeffs(), k1 = rate(q), k2 = rate(q + 0.5 * h * k1), k3 = rate(q + 0.5 * h * k2),
                     k4 = rate(q + h * k3);
  s.q = Quat(Coefficients(q + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4))).normalized();
  s.angular_velocity = angular_velocity_from(body, s.q, momentum);
}

double largest_rigid_speed(const Model& model, const State& state) {
  double fastest = 0.0;
  for (std::size_t b = 0; b < model.rigid.size(); ++b) {
    if (!model.rigid[b].shape) continue;
    const double reach = turning_reach(*model.rigid[b].shape) + model.rigid[b].centre_of_mass_m.norm();
    fastest = std::max(fastest, state.rigid[b].velocity.norm() + reach * state.rigid[b].angular_velocity.norm());
  }
  return fastest;
}

}  // namespace distal
