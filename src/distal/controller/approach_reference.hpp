// Where the rod end should be along the approach: start smoothly, keep the speed, touch, go on to a depth, stop, hold.
#pragma once

namespace distal {

struct ApproachPlan {
  double speed_m_s = 0.02;
  double depth_m = 0.003;  // past first contact
};

enum class ApproachPhase {
  approach,  // no contact yet; speed is reached within kRampTime
  press,     // in contact, still at speed
  stop,      // slowing down to end at the depth
  hold,
};

// Plain data: part of the controller's memory.
struct ApproachReference {
  static constexpr double kRampTime = 0.05;          // [s] from the first-seen speed to the asked one, and back to rest
  static constexpr double kShortestStopTime = 0.02;  // [s] also when the depth is (nearly) reached already

  ApproachPhase phase = ApproachPhase::approach;
  double travel_m = 0.0;         // along the direction, since the start
  double speed_m_s = 0.0;        // now
  double first_speed_m_s = 0.0;  // seen at the start
  double clock_s = 0.0;          // since the start, or since the stop began
  // The stop: a fifth-order path between these two.
  double stop_travel_m = 0.0, stop_speed_m_s = 0.0, stop_acceleration_m_s2 = 0.0;
  double stop_time_s = 0.0, end_travel_m = 0.0;
};

ApproachReference make_approach_reference(double first_speed_m_s);
// First contact was seen at this travel of the rod end; later contacts change nothing.
void mark_contact(const ApproachPlan& plan, double touch_travel_m, ApproachReference& reference);
// One period on. Returns the mean acceleration over it [m/s^2].
double advance_reference(const ApproachPlan& plan, double period_s, ApproachReference& reference);

}  // namespace distal
