#include "distal/simulation/command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "distal/core/error.hpp"
#include "distal/state/embedding.hpp"

namespace distal {
namespace {

double kinetic_energy(const RigidBody& body, const RigidState& s) {
  return 0.5 * body.mass_kg * s.velocity.squaredNorm() + 0.5 * s.angular_velocity.dot(angular_momentum(body, s));
}

}  // namespace

void impose_motion_commands(const Model& model, const Control& control, State& state, Workspace& ws) {
  for (std::size_t b = 0; b < model.rigid.size(); ++b) {
    const RigidBody& body = model.rigid[b];
    if (body.mount != Mount::driven) continue;
    RigidState& s = state.rigid[b];
    const BodyCommand command = b < control.commands.size() ? control.commands[b] : BodyCommand{};
    const Pose end = end_pose(body, s);
    Twist twist;  // a wrench does not move a driven body
    if (command.mode == CommandMode::twist) twist = command.twist;
    if (command.mode == CommandMode::pose) {
      twist.linear = (command.pose.position - end.position) / model.control_period_s;
      twist.angular = vector_from_rotation(command.pose.q * end.q.conjugate()) / model.control_period_s;
    }
    const double before = kinetic_energy(body, s);
    const Vec3 old_velocity = s.velocity, old_angular = s.angular_velocity;
    set_end(body, end, twist, s);
    state.energy.control_work += kinetic_energy(body, s) - before;
    ws.rigid_acceleration[b] = {(s.velocity - old_velocity) / model.control_period_s,
                                (s.angular_velocity - old_angular) / model.control_period_s};
  }
}

void apply_wrench_commands(const Model& model, const Control& control, const State& state, Workspace& ws) {
  for (std::size_t b = 0; b < model.rigid.size(); ++b) {
    ws.applied[b] = Wrench{};
    const RigidBody& body = model.rigid[b];
    const bool yields = body.moves_freely() || body.mount == Mount::jointed;
    if (!yields || b >= control.commands.size() || control.commands[b].mode != CommandMode::wrench) continue;
    const Quat& q = state.rigid[b].q;
    ws.applied[b] = moved(rotated(q, control.commands[b].wrench), q * (body.end_m - body.centre_of_mass_m));
  }
}

void set_joint_commands(const Model& model, const Control& control, Workspace& ws) {
  ws.joint_commands.assign(control.joints.begin(), control.joints.end());
  ws.joint_commands.resize(model.joints.size());
}

void set_touch_commands(const Model& model, const Control& control, Workspace& ws) {
  ws.touches.resize(control.touches.size());
  for (std::size_t t = 0; t < control.touches.size(); ++t) {
    TouchWork& work = ws.touches[t];
    work.command = control.touches[t];
    work.carriers.clear();
    if (work.command.soft < 0) continue;
    const SoftBody& body = model.soft[static_cast<std::size_t>(work.command.soft)];
    const auto& corners = body.skin_triangles[static_cast<std::size_t>(work.command.triangle)];
    for (std::size_t a = 0; a < 3; ++a)
      visit_carriers(body, static_cast<std::size_t>(corners[a]), [&](std::size_t particle, double weight) {
        const double share = weight * work.command.weight[static_cast<Eigen::Index>(a)];
        const auto same = std::find_if(work.carriers.begin(), work.carriers.end(),
                                       [&](const auto& carrier) { return carrier.first == particle; });
        if (same != work.carriers.end())
          same->second += share;
        else if (share != 0.0)
          work.carriers.emplace_back(particle, share);
      });
  }
}

void check_joint_command(const Model& model, const Joint& joint, const JointCommand& command) {
  if (command.mode == JointMode::own) return;
  if (joint.mimic >= 0)
    throw InputError(fmt::format("joint '{}' follows '{}' and takes no command", joint.name,
                                 model.joints[static_cast<std::size_t>(joint.mimic)].name));
  if (!joint.has_freedom()) throw InputError(fmt::format("joint '{}' is fixed and takes no command", joint.name));
  if (!std::isfinite(command.value) || !std::isfinite(command.rate))
    throw InputError(fmt::format("joint '{}': a command with a number that is none", joint.name));
  if (command.mode == JointMode::position && !joint.has_motor())
    throw InputError(fmt::format(
        "joint '{}' has no motor to go to a position: its motor_stiffness is 0; command a torque", joint.name));
}

void check_touch_command(const Model& model, const TouchCommand& command) {
  if (command.soft < 0) return;
  if (model.integrator.kind != IntegratorKind::semi_implicit_euler)
    throw InputError("a touch moves points of a skin, which needs integrator.kind = \"semi_implicit_euler\"");
  const auto soft = static_cast<std::size_t>(command.soft);
  if (soft >= model.soft.size()) throw InputError(fmt::format("a touch of soft body {}: there is none", soft));
  const SoftBody& body = model.soft[soft];
  if (command.triangle < 0 || static_cast<std::size_t>(command.triangle) >= body.skin_triangles.size())
    throw InputError(fmt::format("a touch of triangle {} of body '{}', whose skin has {}", command.triangle, body.name,
                                 body.skin_triangles.size()));
  if (!command.weight.allFinite() || !command.velocity_m_s.allFinite() || !command.normal.allFinite() ||
      !(command.friction >= 0.0))
    throw InputError(fmt::format("a touch of body '{}' with a number that is none", body.name));
}

}  // namespace distal
