// One finger of a grip: it approaches, pushes with a force, and lifts. Two of them on opposite sides hold an object.
// Equations and limits: docs/models/squeeze.md.
#pragma once
#include <cstdint>

#include "distal/controller/controller.hpp"
#include "distal/controller/description.hpp"

namespace distal {

// All that the controller remembers from one period to the next. Copy it, and both copies go on with equal bits.
struct SqueezeMemory {
  bool started = false, touched = false;
  bool keeps_place = false;               // holds_place, and the lift has begun
  Pose first_pose;                        // of E: where the approach starts and the orientation that is held
  double first_s = 0.0, touched_s = 0.0;  // of the feedback
  double travel_m = 0.0;                  // asked, along the direction; as far as E got when it keeps its place
  // The integral parts, as accelerations.
  Vec3 integral_m_s2 = Vec3::Zero(), angular_integral_rad_s2 = Vec3::Zero();
  BodyCommand command;
  std::uint64_t refused_feedbacks = 0;
};

class Squeeze : public Controller {
 public:
  explicit Squeeze(const SqueezeDescription& description);  // throws InputError

  // A feedback that is not finite, or too large to compute with, holds the last command and counts as refused.
  BodyCommand update(const BodyFeedback& feedback, double period_s) override;

  SqueezeMemory save() const { return memory_; }
  void restore(const SqueezeMemory& memory) { memory_ = memory; }

  bool touched() const { return memory_.touched; }

 private:
  // Where E should be, and how fast it should go.
  struct Goal {
    Vec3 position_m, velocity_m_s, acceleration_m_s2;
  };

  void look_for_contact(const BodyFeedback& feedback, double period_s, SqueezeMemory& memory) const;
  Goal advance_goal(const BodyFeedback& feedback, double period_s, SqueezeMemory& memory) const;
  Wrench compute_wrench(const BodyFeedback& feedback, double period_s, const Goal& goal, SqueezeMemory& memory) const;
  bool is_open(const SqueezeMemory& memory) const { return memory.touched && !memory.keeps_place; }
  double push_n(const BodyFeedback& feedback, double period_s, const SqueezeMemory& memory) const;

  SqueezeDescription description_;
  Vec3 direction_, lift_direction_;
  SqueezeMemory memory_;
};

}  // namespace distal
