#include "distal/remote/command_check.hpp"

#include <fmt/format.h>

#include <cmath>
#include <distal_client.hpp>

namespace distal {
namespace {

constexpr double kUnitLength = 1e-6;      // how far a quaternion may be from length 1
constexpr double kRounding = 1.0 + 1e-9;  // of a command that was limited to exactly the limit

CommandFault not_finite(const char* what) { return {distal_client::kRefused | distal_client::kNotFinite, what}; }
CommandFault wrong_mode(const char* what) { return {distal_client::kRefused | distal_client::kWrongMode, what}; }
CommandFault over_limit(const char* what, double value, const char* key, double limit) {
  return {distal_client::kRefused | distal_client::kOverLimit, what, value, limit, key};
}

CommandFault check_wrench(const Wrench& wrench, const ServedBody& body, const ServeDescription& limits) {
  if (!wrench.all_finite()) return not_finite("wrench");
  const double force = wrench.force.norm(), torque = wrench.torque.norm();
  // No wrench at all is no command: any body may be left alone.
  if (body.driven && (force > 0.0 || torque > 0.0)) return wrong_mode("wrench");
  if (force > limits.max_force_n * kRounding) return over_limit("force", force, "max_force_n", limits.max_force_n);
  if (torque > limits.max_torque_n_m * kRounding)
    return over_limit("torque", torque, "max_torque_n_m", limits.max_torque_n_m);
  return {};
}

CommandFault check_twist(const Twist& twist, const ServedBody& body, const ServeDescription& limits) {
  if (!twist.linear.allFinite() || !twist.angular.allFinite()) return not_finite("twist");
  if (!body.driven) return wrong_mode("twist");
  const double speed = twist.linear.norm(), angular = twist.angular.norm();
  if (speed > limits.max_speed_m_s * kRounding)
    return over_limit("speed", speed, "max_speed_m_s", limits.max_speed_m_s);
  if (angular > limits.max_angular_speed_rad_s * kRounding)
    return over_limit("angular speed", angular, "max_angular_speed_rad_s", limits.max_angular_speed_rad_s);
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

std::string describe(const CommandFault& fault, const ServedBody& body) {
  if (fault.status & distal_client::kNotFinite)
    return fmt::format("{}: a {} with a number that is none", body.name, fault.what);
  if (fault.status & distal_client::kOverLimit)
    return fmt::format("{}: a {} of {:.6g}, allowed: at most serve.{} = {:.6g}", body.name, fault.what, fault.value,
                       fault.key, fault.limit);
  return fmt::format(
      "{}: a {}, allowed: {}", body.name, fault.what,
      body.driven ? "twist or pose, since its mount is \"driven\"" : "wrench; mount = \"driven\" takes twist and pose");
}

}  // namespace distal
