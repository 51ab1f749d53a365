#include "distal/haptic/device_guard.hpp"

#include <algorithm>
#include <cmath>

namespace distal {
namespace {

bool is_good(const HandSample& s) {
  return s.pose.position.allFinite() && std::abs(s.pose.q.norm() - 1.0) < 1e-3 && s.twist.linear.allFinite() &&
         s.twist.angular.allFinite() && s.pose.position.cwiseAbs().maxCoeff() < 1e6;
}

Vec3 at_most(const Vec3& v, double most) {
  const double size = v.norm();
  return size > most ? Vec3(v * (most / size)) : v;
}

}  // namespace

GuardedHand DeviceGuard::lose(GuardMemory& memory) const {
  memory.unplugged += memory.joined ? 1 : 0;
  memory.joined = false;
  return {};
}

// The hand stands still where it was last seen, until that is too long ago.
GuardedHand DeviceGuard::hold(double period_s, GuardMemory& memory) const {
  memory.refused_s += period_s;
  if (!memory.joined || memory.refused_s > description_.watchdog_s) return lose(memory);
  return {true, false, memory.pose, {}, memory.buttons};
}

GuardedHand DeviceGuard::check(const HandSample& sample, double period_s, GuardMemory& memory) const {
  if (!sample.connected) return lose(memory);
  if (!is_good(sample)) {
    ++memory.not_numbers;
    return hold(period_s, memory);
  }
  const Quat& turn = description_.q_xyzw;
  const Pose pose{description_.position_m + turn * (description_.scale * sample.pose.position),
                  (turn * sample.pose.q).normalized()};
  // Limits are the device's, whatever the scale.
  const double most_m_s = description_.scale * description_.fastest_m_s;
  const bool far = (pose.position - memory.pose.position).norm() > most_m_s * (memory.refused_s + period_s);
  const bool calm = (pose.position - memory.raw.position).norm() <= most_m_s * period_s;
  memory.raw = pose;
  GuardedHand hand{true, !memory.joined, pose, {}, sample.buttons};
  if (memory.joined && far) {
    ++memory.jumps;
    // Where it has been for so long is where it is.
    if (!calm || memory.refused_s + period_s <= description_.watchdog_s) return hold(period_s, memory);
    hand.joins = true;
  }
  hand.twist.linear = turn * at_most(description_.scale * sample.twist.linear, most_m_s);
  hand.twist.angular = turn * at_most(sample.twist.angular, 100.0);
  memory.joined = true;
  memory.pose = pose;
  memory.buttons = sample.buttons;
  memory.refused_s = 0.0;
  return hand;
}

}  // namespace distal
