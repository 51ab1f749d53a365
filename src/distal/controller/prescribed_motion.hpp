// Drives a rod (mount = driven) for measuring: down to each depth, then to each twist, then to each shift, and waits in
// every state until the contact wrench rests. Or pushes a body (mount = guided) with one dead force after the other,
// and waits until the body rests too. Equations and limits: docs/models/prescribed_motion.md.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "distal/controller/controller.hpp"
#include "distal/controller/description.hpp"
#include "distal/sensor/reading.hpp"

namespace distal {

// Plain data that tells how far the motion is; copy it and both copies go on with equal bits.
struct PrescribedMotionMemory {
  bool started = false;
  Pose first_pose;                                   // of E: travel, twist and shift count from here
  std::size_t stage = 0;                             // the target that is approached or settled
  double stage_time_s = 0.0;                         // since the stage began
  double window_time_s = 0.0;                        // since the present settling window began
  Wrench window_low, window_high;                    // extremes of the contact wrench in it (world axes, at E)
  double window_least_m = 0.0, window_most_m = 0.0;  // extremes of the travel in it
  std::size_t recorded_stage = 0;                    // of the last row
  bool last_settled = true;
  std::optional<CurveRow> row;
};

class PrescribedMotion : public Controller {
 public:
  // `gap_m`: travel along the direction until the undeformed body first touches. Throws InputError.
  PrescribedMotion(const MotionDescription& description, double gap_m);

  // A twist of E that ends the period on the path, or the force. A feedback that is not finite commands rest for this
  // period, or the force as before.
  BodyCommand update(const BodyFeedback& feedback, double period_s) override;

  bool finished() const { return memory_.stage == stages_.size(); }
  // True once a state is at rest (or its time is over) until take_row(). The row belongs to the feedback that the last
  // update() was given; contact area and radius are left to the caller. An untaken row is replaced by the next.
  bool settled() const { return memory_.row.has_value(); }
  std::optional<CurveRow> take_row();

  bool last_settled() const { return memory_.last_settled; }
  std::string message() const;  // why not; empty when it did

  double progress() const;             // [0, 1], by expected time
  double expected_duration_s() const;  // a state at rest is expected after ten windows
  double longest_duration_s() const;   // no state settles; and one period of rest per state

  PrescribedMotionMemory save() const { return memory_; }
  void restore(const PrescribedMotionMemory& memory) { memory_ = memory; }

 private:
  struct Place {
    double travel_m = 0.0, twist_rad = 0.0, shift_m = 0.0;
  };
  struct Stage {
    const char* phase;  // press, twist, shift, slide, load; nullptr: passed through without a row
    Place from, to;
    double depth_m;
    double moving_time_s;
    double from_n = 0.0, to_n = 0.0;  // load
  };

  void add_stage(const char* phase, const Place& to, double depth_m);
  Place place_at(const Stage& stage, double time_s) const;
  Twist twist_to(const Place& place, const BodyFeedback& feedback, double period_s) const;
  bool pushes() const { return !description_.forces_n.empty(); }
  BodyCommand push(const Stage& stage, double time_s) const;
  BodyCommand rest() const;
  double travel_of(const BodyFeedback& feedback) const;
  double depth_at(const Stage& stage, const BodyFeedback& feedback) const;
  bool watch_settling(const BodyFeedback& feedback, const Wrench& contact_world, double settling_s, double period_s);
  bool is_window_at_rest(const BodyFeedback& feedback, const Wrench& contact_world) const;
  CurveRow make_row(const Stage& stage, const BodyFeedback& feedback, const Wrench& contact_world) const;
  void add_stages(double gap_m);
  void refuse_endless() const;
  double expected_stage_s(const Stage& stage) const;

  MotionDescription description_;
  double gap_m_;
  Vec3 direction_, shift_direction_;
  std::vector<Stage> stages_;
  PrescribedMotionMemory memory_;
};

}  // namespace distal
