#include "distal/remote/command_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <distal_client.hpp>

namespace distal {
namespace {

constexpr double kUnitLength = 1e-6;      // how far a quaternion may be from length 1
constexpr double kPathRounding = 1e-9;    // of a target at the very end of its joint
constexpr double kRounding = 1.0 + 1e-9;  // of a command that was limited to exactly the limit

CommandFault not_finite(const char* what) { return {distal_client::kRefused | distal_client::kNotFinite, what}; }
CommandFault wrong_mode(const char* what) { return {distal_client::kRefused | distal_client::kWrongMode, what}; }
CommandFault over_limit(const char* what, double value, const char* key, double limit) {
  return {distal_client::kRefused | distal_client::kOverLimit, what, value, limit, key};
}

std::string describe_number(const CommandFault& fault, const std::string& name) {
  if (fault.status & distal_client::kNotFinite)
    return fmt::format("{}: a {} with a number that is none", name, fault.what);
  return fmt::format("{}: a {} of {:.6g}, allowed: at {} {} = {:.6g}", name, fault.what, fault.value,
                     fault.value < fault.limit ? "least" : "most", fault.key, fault.limit);
}

CommandFault check_wrench(const Wrench& wrench, const ServedBody& body, const ServeDescription& limits) {
  if (!wrench.all_finite()) return not_finite("wrench");
  const double force = wrench.force.norm(), torque = wrench.torque.norm();
  // No wrench at all is no command: any body may be left alone.
  if (body.driven && (force > 0.0 || torque > 0.0)) return wrong_mode("wrench");
  if (force > limits.max_force_n * kRounding)
    return over_limit("force", force, "serve.max_force_n", limits.max_force_n);
  if (torque > limits.max_torque_n_m * kRounding)
    return over_limit("torque", torque, "serve.max_torque_n_m", limits.max_torque_n_m);
  return {};
}

CommandFault check_twist(const Twist& twist, const ServedBody& body, const ServeDescription& limits) {
  if (!twist.linear.allFinite() || !twist.angular.allFinite()) return not_finite("twist");
  if (!body.driven) return wrong_mode("twist");
  const double speed = twist.linear.norm(), angular = twist.angular.norm();
  if (speed > limits.max_speed_m_s * kRounding)
    return over_limit("speed", speed, "serve.max_speed_m_s", limits.max_speed_m_s);
  if (angular > limits.max_angular_speed_rad_s * kRounding)
    return over_limit("angular speed", angular, "serve.max_angular_speed_rad_s", limits.max_angular_speed_rad_s);
  return {};
}

}  // namespace

CommandFault find_fault(const BodyCommand& command, const ServedBody& body, const BodyFeedback& feedback,
                        const ServeDescription& limits, double period_s) {
  if (command.mode == CommandMode::wrench) return check_wrench(command.wrench, body, limits);
  if (command.mode == CommandMode::twist) return check_twist(command.twist, body, limits);
  const Pose& pose = command.pose;
  if (!pose.position.allFinite() || !(std::abs(pose.q.norm() - 1.0) <= kUnitLength)) return not_finite("pose");
  if (!body.driven) return wrong_mode("pose");
  const Twist needed{(pose.position - feedback.pose.position) / period_s,
                     vector_from_rotation(pose.q * feedback.pose.q.conjugate()) / period_s};
  return check_twist(needed, body, limits);
}

CommandFault find_fault(const JointCommand& command, const ServedJoint& joint, const ServeDescription& limits) {
  if (command.mode == JointMode::own) return {};
  const bool is_torque = command.mode == JointMode::torque;
  const char* what = is_torque ? "joint_torque" : "joint_position";
  if (!std::isfinite(command.value) || !std::isfinite(command.rate)) return not_finite(what);
  if (joint.follows >= 0 || (!is_torque && !joint.motor)) return wrong_mode(what);
  if (is_torque) {
    const double most = joint.turns ? limits.max_torque_n_m : limits.max_force_n;
    if (std::abs(command.value) <= most * kRounding) return {};
    return over_limit(what, std::abs(command.value), joint.turns ? "serve.max_torque_n_m" : "serve.max_force_n", most);
  }
  const double slack = kPathRounding * std::max(1.0, std::abs(command.value));
  if (command.value < joint.lower - slack) return over_limit(what, command.value, "the joint's lower end", joint.lower);
  if (command.value > joint.upper + slack) return over_limit(what, command.value, "the joint's upper end", joint.upper);
  const double fastest = joint.turns ? limits.max_angular_speed_rad_s : limits.max_speed_m_s;
  if (std::abs(command.rate) <= fastest * kRounding) return {};
  return over_limit("joint_position with a rate", std::abs(command.rate),
                    joint.turns ? "serve.max_angular_speed_rad_s" : "serve.max_speed_m_s", fastest);
}

std::string describe(const CommandFault& fault, const ServedJoint& joint, std::span<const ServedJoint> all) {
  if (fault.status & distal_client::kNotFinite || fault.status & distal_client::kOverLimit)
    return describe_number(fault, joint.name);
  if (joint.follows >= 0)
    return fmt::format("{}: a {}, allowed: none, since it follows {}", joint.name, fault.what,
                       all[static_cast<std::size_t>(joint.follows)].name);
  return fmt::format("{}: a {}, allowed: joint_torque, since its motor_stiffness is 0", joint.name, fault.what);
}

std::string describe(const CommandFault& fault, const ServedBody& body) {
  if (fault.status & distal_client::kNotFinite || fault.status & distal_client::kOverLimit)
    return describe_number(fault, body.name);
  return fmt::format(
      "{}: a {}, allowed: {}", body.name, fault.what,
      body.driven ? "twist or pose, since its mount is \"driven\"" : "wrench; mount = \"driven\" takes twist and pose");
}

}  // namespace distal
