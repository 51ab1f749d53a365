// A fingerprint of every bit of a feedback: cheap enough for every period, and wrenches sum over all particles, so that
// a state that differs shows at once.
#pragma once
#include <span>

#include "distal/state/exchange.hpp"
#include "distal/state/hasher.hpp"

namespace distal {

inline std::uint64_t hash_feedback(std::span<const BodyFeedback> feedback) {
  Hasher hasher;
  for (const BodyFeedback& f : feedback) {
    hasher.add(f.time_s);
    hasher.add(f.pose.position);
    hasher.add(f.pose.q);
    hasher.add(f.twist.linear);
    hasher.add(f.twist.angular);
    for (const Wrench* wrench : {&f.contact, &f.tip, &f.sensor}) {
      hasher.add(wrench->force);
      hasher.add(wrench->torque);
    }
  }
  return hasher.value();
}

}  // namespace distal
