#include "distal/remote/safe_action.hpp"

namespace distal {
namespace {

// Each period takes half of the velocity: as fast as one period's delay lets it come to rest without swinging back.
constexpr double kShareOfVelocity = 0.5;

Vec3 limited(const Vec3& value, double limit) {
  const double norm = value.norm();
  return norm > limit ? Vec3(value * (limit / norm)) : value;
}

BodyCommand brake(const ServeDescription& limits, const ServedBody& body, const BodyFeedback& feedback,
                  double period_s) {
  BodyCommand command;
  if (body.driven) return command;  // without a command it stands still
  const Quat to_end = feedback.pose.q.conjugate();
  const Vec3 spin = to_end * feedback.twist.angular;
  const Vec3 centre_velocity = to_end * feedback.twist.linear + spin.cross(body.centre_m);
  const double per_s = kShareOfVelocity / period_s;
  const Vec3 stop = -per_s * body.mass_kg * centre_velocity, carry = -(to_end * body.weight_n);
  const Vec3 torque =
      -per_s * (body.inertia_kg_m2 * spin) + body.centre_m.cross(stop) + body.weight_centre_m.cross(carry);
  command.wrench = {limited(stop + carry, limits.max_force_n), limited(torque, limits.max_torque_n_m)};
  return command;
}

}  // namespace

void update_safe_commands(const ServeDescription& description, const ServedPlant& plant,
                          std::span<BodyCommand> commands) {
  if (description.safe_action == SafeAction::hold) return;
  for (std::size_t b = 0; b < commands.size(); ++b)
    commands[b] = description.safe_action == SafeAction::zero
                      ? BodyCommand{}
                      : brake(description, plant.bodies()[b], plant.feedback()[b], plant.period_s());
}

void update_safe_joints(const ServeDescription& description, const ServedPlant& plant,
                        std::span<JointCommand> commands) {
  for (std::size_t j = 0; j < commands.size(); ++j) {
    JointCommand& command = commands[j];
    if (command.mode == JointMode::own) continue;
    const bool stay = description.safe_action == SafeAction::brake && plant.joints()[j].motor;
    if (description.safe_action == SafeAction::hold)
      command.rate = 0.0;
    else if (stay)
      command = {JointMode::position, plant.joint_feedback()[j].position, 0.0};
    else
      command = {JointMode::torque, 0.0, 0.0};
  }
}

}  // namespace distal
