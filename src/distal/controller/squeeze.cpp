#include "distal/controller/squeeze.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "distal/controller/pole_placement.hpp"
#include "distal/controller/rigid_rod.hpp"

namespace distal {
namespace {

// A damping force that is held for a period must not turn the velocity round within it.
constexpr double kMostDampedPerPeriod = 0.5;

struct StepPoint {
  double value, rate, acceleration;  // of a fifth-order step from 0 to 1 that begins and ends at rest
};

StepPoint step_at(double time_s, double length_s) {
  if (time_s <= 0.0) return {0.0, 0.0, 0.0};
  if (time_s >= length_s) return {1.0, 0.0, 0.0};
  const double s = time_s / length_s;
  return {s * s * s * (10.0 + s * (-15.0 + 6.0 * s)), 30.0 * s * s * (1.0 - s) * (1.0 - s) / length_s,
          60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / (length_s * length_s)};
}

void cut_length(Vec3& value, double limit) {
  if (const double size = value.norm(); size > limit) value *= limit / size;
}

bool is_finite(const SqueezeMemory& m) {
  return m.command.wrench.all_finite() && m.integral_m_s2.allFinite() && m.angular_integral_rad_s2.allFinite();
}

}  // namespace

Squeeze::Squeeze(const SqueezeDescription& description) : description_(description) {
  validate(description);
  direction_ = description.direction.normalized();
  const Vec3 lift = description.lift_direction.normalized();
  lift_direction_ = (lift - lift.dot(direction_) * direction_).normalized();
}

BodyCommand Squeeze::update(const BodyFeedback& feedback, double period_s) {
  SqueezeMemory next = memory_;
  const bool good = is_usable(feedback) && std::isfinite(feedback.time_s) && std::isfinite(period_s) && period_s > 0.0;
  if (good) {
    if (!next.started) {
      next.started = true;
      next.first_pose = feedback.pose;
      next.first_s = feedback.time_s;
    }
    look_for_contact(feedback, period_s, next);
    const Goal goal = advance_goal(feedback, period_s, next);
    next.command.wrench = compute_wrench(feedback, period_s, goal, next);
  }
  if (good && is_finite(next))
    memory_ = next;
  else
    ++memory_.refused_feedbacks;
  return memory_.command;
}

void Squeeze::look_for_contact(const BodyFeedback& feedback, double period_s, SqueezeMemory& memory) const {
  if (!memory.touched && feedback.contact.force.norm() > description_.contact_threshold_n) {
    memory.touched = true;
    memory.touched_s = feedback.time_s;
  }
  const double from_s = std::max(description_.lift_start_s, memory.touched_s + description_.ramp_s);
  if (!memory.touched || memory.keeps_place || !description_.holds_place || feedback.time_s < from_s) return;
  memory.keeps_place = true;
  memory.travel_m = (feedback.pose.position - memory.first_pose.position).dot(direction_);
  // It begins with the force that it had.
  const double had_m_s2 = push_n(feedback, period_s, memory) / description_.moving_mass_kg;
  memory.integral_m_s2 += (had_m_s2 - memory.integral_m_s2.dot(direction_)) * direction_;
}

Squeeze::Goal Squeeze::advance_goal(const BodyFeedback& feedback, double period_s, SqueezeMemory& memory) const {
  const StepPoint lift = step_at(feedback.time_s - description_.lift_start_s, description_.lift_time_s);
  const Vec3 path = description_.lift_m * lift_direction_;
  Goal goal{memory.first_pose.position + lift.value * path, lift.rate * path, lift.acceleration * path};
  goal.position_m += memory.travel_m * direction_;
  if (memory.touched) return goal;
  // To speed within this time, so that the start does not jerk.
  constexpr double kStart_s = 0.05;
  const double share = std::min((feedback.time_s - memory.first_s) / kStart_s, 1.0);
  const double speed = share * description_.approach_speed_m_s;
  goal.velocity_m_s += speed * direction_;
  if (share < 1.0) goal.acceleration_m_s2 += description_.approach_speed_m_s / kStart_s * direction_;
  memory.travel_m += period_s * speed;
  return goal;
}

// Along the direction, on the finger.
double Squeeze::push_n(const BodyFeedback& feedback, double period_s, const SqueezeMemory& memory) const {
  const double share = step_at(feedback.time_s - memory.touched_s, description_.ramp_s).value;
  const double damping =
      std::min(description_.damping_n_s_m, kMostDampedPerPeriod * description_.moving_mass_kg / period_s);
  return share * description_.force_n - damping * feedback.twist.linear.dot(direction_);
}

Wrench Squeeze::compute_wrench(const BodyFeedback& feedback, double period_s, const Goal& goal,
                               SqueezeMemory& memory) const {
  constexpr double kTwoPi = 2.0 * std::numbers::pi;
  const SqueezeDescription& d = description_;
  const PidGains linear = critically_damped_gains(kTwoPi * d.bandwidth_hz, d.integral_time_s, period_s);
  const PidGains angular = critically_damped_gains(kTwoPi * d.angular_bandwidth_hz, d.integral_time_s, period_s);
  Vec3 error = goal.position_m - feedback.pose.position;
  const Vec3 rate = goal.velocity_m_s - feedback.twist.linear;
  const Vec3 tilt = vector_from_rotation(memory.first_pose.q * feedback.pose.q.conjugate());
  Vec3 wanted = goal.acceleration_m_s2 + linear.kp * error + linear.kd * rate + memory.integral_m_s2;
  if (is_open(memory)) {
    wanted -= wanted.dot(direction_) * direction_;
    error -= error.dot(direction_) * direction_;
  }
  const Vec3 turn = angular.kp * tilt - angular.kd * feedback.twist.angular + memory.angular_integral_rad_s2;
  const RigidRod rod{d.moving_mass_kg, d.centre_of_mass_m, d.gyration_radii_m, d.gravity_m_s2};
  Wrench wrench = rigid_rod_wrench(rod, feedback, wanted, turn);
  if (is_open(memory)) wrench.force += feedback.pose.q.conjugate() * (push_n(feedback, period_s, memory) * direction_);
  // At a limit the integral does not wind up.
  if (wrench.force.norm() <= d.force_limit_n) memory.integral_m_s2 += linear.ki * period_s * error;
  if (wrench.torque.norm() <= d.torque_limit_n_m) memory.angular_integral_rad_s2 += angular.ki * period_s * tilt;
  cut_length(wrench.force, d.force_limit_n);
  cut_length(wrench.torque, d.torque_limit_n_m);
  return wrench;
}

}  // namespace distal
