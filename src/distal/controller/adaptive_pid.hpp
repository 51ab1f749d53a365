// The controller of paper 1, section III: it moves a rod that carries a soft tip toward a surface and into it, at
// constant speed and orientation, by a wrench at the rod's end E. Equations and limits: docs/models/adaptive_pid.md.
#pragma once
#include <cstdint>

#include "distal/controller/approach_reference.hpp"
#include "distal/controller/bounded_regression.hpp"
#include "distal/controller/controller.hpp"
#include "distal/controller/description.hpp"

namespace distal {

// All that the controller remembers from one period to the next. Copy it, and both copies go on with equal bits.
struct AdaptivePidMemory {
  bool started = false;
  Pose first_pose;              // of E: where the travel starts and the orientation that is held
  ApproachReference reference;  // along the direction of approach
  // The integral parts, as accelerations, so that adapting gains do not make them jump.
  Vec3 integral_m_s2 = Vec3::Zero(), angular_integral_rad_s2 = Vec3::Zero();
  Wrench measured;                      // the tip's wrench on the rod, low-passed; at E, along E's axes
  BoundedRegression mobility;           // acceleration change over force change: 1 / mass [1/kg]
  BoundedRegression contact_stiffness;  // contact force change over travel change [N/m]
  // The period before: what was commanded and what was seen.
  BodyCommand command;
  double held_period_s = 0.0;
  Vec3 rod_force_n = Vec3::Zero();  // mean over the period before: command and tip, world
  Vec3 rod_acceleration_m_s2 = Vec3::Zero();
  Vec3 tip_force_n = Vec3::Zero();          // at the last update, world
  Vec3 centre_velocity_m_s = Vec3::Zero();  // of the rod's centre, at the last update
  double travel_m = 0.0, push_n = 0.0;      // of E along the approach, and the contact force against it
  double contact_force_n = 0.0;
  bool force_saturated = false, torque_saturated = false;
  bool feedback_good = true;  // false: the last feedback was refused and the command before it was held
  std::uint64_t refused_feedbacks = 0;
};

class AdaptivePid : public Controller {
 public:
  explicit AdaptivePid(const AdaptivePidDescription& description);  // throws InputError

  // A feedback that is not finite, or too large to compute with, holds the last command and counts as refused.
  BodyCommand update(const BodyFeedback& feedback, double period_s) override;

  AdaptivePidMemory save() const { return memory_; }
  void restore(const AdaptivePidMemory& memory) { memory_ = memory; }

  ApproachPhase phase() const { return memory_.reference.phase; }
  double reference_speed_m_s() const { return memory_.reference.speed_m_s; }
  double moving_mass_kg() const { return mass_kg(memory_); }
  double contact_stiffness_n_m() const;
  bool saturated() const { return memory_.force_saturated || memory_.torque_saturated; }
  bool feedback_good() const { return memory_.feedback_good; }

 private:
  struct Accelerations {
    Vec3 linear, angular;  // of E in the world, wanted over the coming period
  };

  void begin(const BodyFeedback& feedback, AdaptivePidMemory& memory) const;
  void observe(const BodyFeedback& feedback, double period_s, AdaptivePidMemory& memory) const;
  void adapt_mass(const BodyFeedback& feedback, AdaptivePidMemory& memory) const;
  void look_for_contact(const BodyFeedback& feedback, AdaptivePidMemory& memory) const;
  Wrench compute_wrench(const BodyFeedback& feedback, double period_s, AdaptivePidMemory& memory) const;
  bool limit(Vec3& value, double limit) const;

  double mass_kg(const AdaptivePidMemory& memory) const;
  double feed_forward_share(double period_s, const AdaptivePidMemory& memory) const;
  double adapted_bandwidth_rad_s(double share, const AdaptivePidMemory& memory) const;
  double filter_time_s() const;

  AdaptivePidDescription description_;
  Vec3 direction_;
  ApproachPlan plan_;
  AdaptivePidMemory memory_;
};

}  // namespace distal
