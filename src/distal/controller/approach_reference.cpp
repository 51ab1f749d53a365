#include "distal/controller/approach_reference.hpp"

#include <algorithm>

namespace distal {
namespace {

double smooth_step(double s) {
  s = std::clamp(s, 0.0, 1.0);
  return s * s * (3.0 - 2.0 * s);
}

double speed_of_start(const ApproachPlan& plan, const ApproachReference& reference, double time_s) {
  const double share = smooth_step(time_s / ApproachReference::kRampTime);
  return reference.first_speed_m_s + (plan.speed_m_s - reference.first_speed_m_s) * share;
}

void begin_stop(const ApproachPlan& plan, double acceleration_m_s2, ApproachReference& r) {
  const double remaining = r.end_travel_m - r.travel_m;
  // At this time the path is the plain slow-down v (1 - smooth_step), which passes the end at no moment.
  const double plain = 2.0 * remaining / std::max(r.speed_m_s, 0.1 * plan.speed_m_s);
  r.stop_time_s = std::clamp(plain, ApproachReference::kShortestStopTime, 4.0 * ApproachReference::kRampTime);
  r.stop_travel_m = r.travel_m;
  r.stop_speed_m_s = r.speed_m_s;
  r.stop_acceleration_m_s2 = acceleration_m_s2;
  r.clock_s = 0.0;
  r.phase = ApproachPhase::stop;
}

// The one fifth-order path that meets position, speed and acceleration at both ends (at rest at the end).
void follow_stop(double time_s, ApproachReference& r) {
  const double d = r.stop_time_s, s = std::min(time_s / d, 1.0);
  const double h = r.end_travel_m - r.stop_travel_m, v = r.stop_speed_m_s * d, a = r.stop_acceleration_m_s2 * d * d;
  const double c3 = 10.0 * h - 6.0 * v - 1.5 * a;
  const double c4 = -15.0 * h + 8.0 * v + 1.5 * a;
  const double c5 = 6.0 * h - 3.0 * v - 0.5 * a;
  r.travel_m = r.stop_travel_m + s * (v + s * (0.5 * a + s * (c3 + s * (c4 + s * c5))));
  r.speed_m_s = (v + s * (a + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)))) / d;
}

}  // namespace

ApproachReference make_approach_reference(double first_speed_m_s) {
  ApproachReference reference;
  reference.first_speed_m_s = reference.speed_m_s = first_speed_m_s;
  return reference;
}

void mark_contact(const ApproachPlan& plan, double touch_travel_m, ApproachReference& reference) {
  if (reference.phase != ApproachPhase::approach) return;
  reference.phase = ApproachPhase::press;
  reference.end_travel_m = touch_travel_m + plan.depth_m;
}

double advance_reference(const ApproachPlan& plan, double period_s, ApproachReference& r) {
  const double speed_before = r.speed_m_s;
  if (r.phase == ApproachPhase::approach || r.phase == ApproachPhase::press) {
    const double next_speed = speed_of_start(plan, r, r.clock_s + period_s);
    const double stopping_travel = 0.5 * plan.speed_m_s * ApproachReference::kRampTime;
    if (r.phase == ApproachPhase::press && r.end_travel_m - r.travel_m <= stopping_travel) {
      begin_stop(plan, (next_speed - speed_before) / period_s, r);
    } else {
      r.clock_s += period_s;
      r.travel_m += 0.5 * period_s * (speed_before + next_speed);
      r.speed_m_s = next_speed;
    }
  }
  if (r.phase == ApproachPhase::stop) {
    r.clock_s += period_s;
    follow_stop(r.clock_s, r);
    if (r.clock_s >= r.stop_time_s) {
      r.phase = ApproachPhase::hold;
      r.travel_m = r.end_travel_m;
      r.speed_m_s = 0.0;
    }
  }
  return (r.speed_m_s - speed_before) / period_s;
}

}  // namespace distal
