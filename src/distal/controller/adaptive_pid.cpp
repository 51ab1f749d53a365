#include "distal/controller/adaptive_pid.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "distal/controller/pole_placement.hpp"
#include "distal/controller/rigid_rod.hpp"

namespace distal {
namespace {

constexpr double kTwoPi = 2.0 * std::numbers::pi;
constexpr double kMassRange = 5.0;         // the adapted mass stays within this factor of the first guess
constexpr double kFirstGuessWeight = 0.5;  // [m/s^2] times mass: how large a force change outweighs the first guess
constexpr double kMassMemory = 15.0;       // [m/s^2] times mass: how much force change is remembered
constexpr double kStiffnessMemory = 5.0;   // periods of travel at speed
constexpr double kFilterOverBandwidth = 8.0;
constexpr double kLargestBandwidthRaise = 2.0;

bool finite(const AdaptivePidMemory& m) {
  return m.command.wrench.all_finite() && m.measured.all_finite() && m.integral_m_s2.allFinite() &&
         m.angular_integral_rad_s2.allFinite() && m.rod_acceleration_m_s2.allFinite() && m.rod_force_n.allFinite() &&
         std::isfinite(m.mobility.xx + m.mobility.xy + m.contact_stiffness.xx + m.contact_stiffness.xy) &&
         std::isfinite(m.travel_m + m.push_n + m.contact_force_n + m.reference.travel_m + m.reference.speed_m_s) &&
         m.centre_velocity_m_s.allFinite();
}

}  // namespace

AdaptivePid::AdaptivePid(const AdaptivePidDescription& description) : description_(description) {
  validate(description);
  direction_ = description.direction.normalized();
  plan_ = {description.speed_m_s, description.depth_m};
  const double weight = kFirstGuessWeight * description.moving_mass_kg;
  memory_.mobility = {weight * weight, weight * weight / description.moving_mass_kg};
}

BodyCommand AdaptivePid::update(const BodyFeedback& feedback, double period_s) {
  AdaptivePidMemory next = memory_;
  const bool good = is_usable(feedback) && std::isfinite(period_s) && period_s > 0.0;
  if (good) {
    if (!next.started) begin(feedback, next);
    observe(feedback, period_s, next);
    look_for_contact(feedback, next);
    next.command.wrench = compute_wrench(feedback, period_s, next);
    next.held_period_s = period_s;
    next.feedback_good = true;
  }
  if (good && finite(next)) {
    memory_ = next;
  } else {
    memory_.feedback_good = false;
    ++memory_.refused_feedbacks;
    memory_.held_period_s = 0.0;  // what happens meanwhile teaches nothing
  }
  return memory_.command;
}

void AdaptivePid::begin(const BodyFeedback& feedback, AdaptivePidMemory& memory) const {
  memory.started = true;
  memory.first_pose = feedback.pose;
  memory.reference = make_approach_reference(feedback.twist.linear.dot(direction_));
  memory.measured = feedback.tip;
  // Before the first command the rod was free: the first period then already tells the mass.
  memory.rod_acceleration_m_s2 = description_.gravity_m_s2;
}

void AdaptivePid::observe(const BodyFeedback& feedback, double period_s, AdaptivePidMemory& memory) const {
  const double share = -std::expm1(-period_s / filter_time_s());
  memory.measured.force += share * (feedback.tip.force - memory.measured.force);
  memory.measured.torque += share * (feedback.tip.torque - memory.measured.torque);

  const double travel = (feedback.pose.position - memory.first_pose.position).dot(direction_);
  const double push = -(feedback.pose.q * feedback.contact.force).dot(direction_);
  if (description_.adaptation_rate > 0.0 && memory.held_period_s > 0.0) {
    adapt_mass(feedback, memory);
    const double step = travel - memory.travel_m, remembered = plan_.speed_m_s * period_s;
    memory.contact_stiffness.add(step * step, step * (push - memory.push_n),
                                 kStiffnessMemory * remembered * remembered / description_.adaptation_rate);
  }
  memory.travel_m = travel;
  memory.push_n = push;
  memory.tip_force_n = feedback.pose.q * feedback.tip.force;
  memory.centre_velocity_m_s =
      feedback.twist.linear + feedback.twist.angular.cross(feedback.pose.q * description_.centre_of_mass_m);
}

// Newton for the rod's centre, as a difference of two periods: weight and whatever else is constant drops out.
void AdaptivePid::adapt_mass(const BodyFeedback& feedback, AdaptivePidMemory& memory) const {
  const Vec3 arm = feedback.pose.q * description_.centre_of_mass_m;
  const Vec3 velocity = feedback.twist.linear + feedback.twist.angular.cross(arm);
  const Vec3 acceleration = (velocity - memory.centre_velocity_m_s) / memory.held_period_s;
  const Vec3 force =
      feedback.pose.q * memory.command.wrench.force + 0.5 * (memory.tip_force_n + feedback.pose.q * feedback.tip.force);
  const Vec3 change = force - memory.rod_force_n;
  const double capacity = kMassMemory * description_.moving_mass_kg;
  memory.mobility.add(change.squaredNorm(), change.dot(acceleration - memory.rod_acceleration_m_s2),
                      capacity * capacity / description_.adaptation_rate);
  memory.rod_force_n = force;
  memory.rod_acceleration_m_s2 = acceleration;
}

void AdaptivePid::look_for_contact(const BodyFeedback& feedback, AdaptivePidMemory& memory) const {
  const double force = feedback.contact.force.norm();
  const double threshold = description_.contact_threshold_n;
  if (force > threshold && memory.reference.phase == ApproachPhase::approach) {
    // Where the force passed the threshold, between the last update and this one.
    const double step = feedback.twist.linear.dot(direction_) * memory.held_period_s;
    const double before = std::min(memory.contact_force_n, threshold);
    mark_contact(plan_, memory.travel_m - step * (force - threshold) / (force - before), memory.reference);
  }
  memory.contact_force_n = force;
}

Wrench AdaptivePid::compute_wrench(const BodyFeedback& feedback, double period_s, AdaptivePidMemory& memory) const {
  const double mass = mass_kg(memory), share = feed_forward_share(period_s, memory);
  const double integral_time = description_.integral_time_s;
  const PidGains linear = critically_damped_gains(adapted_bandwidth_rad_s(share, memory), integral_time, period_s);
  const PidGains angular = critically_damped_gains(kTwoPi * description_.angular_bandwidth_hz, integral_time, period_s);

  const Vec3 error = memory.first_pose.position + memory.reference.travel_m * direction_ - feedback.pose.position;
  const Vec3 rate = memory.reference.speed_m_s * direction_ - feedback.twist.linear;
  const Vec3 tilt = vector_from_rotation(memory.first_pose.q * feedback.pose.q.conjugate());
  ApproachReference ahead = memory.reference;
  const double planned = advance_reference(plan_, period_s, ahead);

  const Accelerations wanted{planned * direction_ + linear.kp * error + linear.kd * rate + memory.integral_m_s2,
                             angular.kp * tilt - angular.kd * feedback.twist.angular + memory.angular_integral_rad_s2};
  const RigidRod rod{mass, description_.centre_of_mass_m, description_.gyration_radii_m, description_.gravity_m_s2};
  Wrench wrench = rigid_rod_wrench(rod, feedback, wanted.linear, wanted.angular);
  wrench.force -= share * memory.measured.force;
  wrench.torque -= share * memory.measured.torque;

  // At a limit neither the integral nor the reference runs ahead of what the wrench can do.
  memory.force_saturated = limit(wrench.force, description_.force_limit_n);
  memory.torque_saturated = limit(wrench.torque, description_.torque_limit_n_m);
  if (!memory.force_saturated) {
    memory.integral_m_s2 += linear.ki * period_s * error;
    memory.reference = ahead;
  }
  if (!memory.force_saturated && !memory.torque_saturated)
    memory.angular_integral_rad_s2 += angular.ki * period_s * tilt;
  return wrench;
}

bool AdaptivePid::limit(Vec3& value, double limit) const {
  const double size = value.norm();
  if (!(size > limit)) return false;
  value *= limit / size;
  return true;
}

double AdaptivePid::mass_kg(const AdaptivePidMemory& memory) const {
  const double guess = description_.moving_mass_kg, mobility = memory.mobility.slope();
  return std::clamp(1.0 / std::max(mobility, 1e-3 / guess), guess / kMassRange, guess * kMassRange);
}

double AdaptivePid::contact_stiffness_n_m() const { return std::max(0.0, memory_.contact_stiffness.slope()); }

// A cancelled contact force arrives late by the period, half its hold and the filter. Against a spring k that adds
// damping while sqrt(2 k / m) * late < pi and takes it away beyond: well before that the feedback is left alone with
// it.
double AdaptivePid::feed_forward_share(double period_s, const AdaptivePidMemory& memory) const {
  if (!description_.feed_forward) return 0.0;
  const double late = 1.5 * period_s + filter_time_s();
  const double half = 3.0 * mass_kg(memory) / (late * late);  // [N/m] where half of the wrench is fed forward
  const double ratio = std::max(0.0, memory.contact_stiffness.slope()) / half;
  return 1.0 / (1.0 + ratio * ratio * ratio * ratio);
}

// Stiffness that the feed-forward does not cancel stands against the motion: the loop grows stiffer with it.
double AdaptivePid::adapted_bandwidth_rad_s(double share, const AdaptivePidMemory& memory) const {
  const double bandwidth = kTwoPi * description_.bandwidth_hz;
  const double stiffness = (1.0 - share) * std::max(0.0, memory.contact_stiffness.slope());
  const double raise = std::sqrt(1.0 + stiffness / (mass_kg(memory) * bandwidth * bandwidth));
  return bandwidth * std::min(raise, kLargestBandwidthRaise);
}

double AdaptivePid::filter_time_s() const { return 1.0 / (kTwoPi * kFilterOverBandwidth * description_.bandwidth_hz); }

}  // namespace distal
