// Between deformation and the touch loop of a run in real time: the newest whole states, one writer and one reader
// each.
#pragma once
#include "distal/core/newest.hpp"
#include "distal/haptic/device_side.hpp"
#include "distal/haptic/skin_index.hpp"

namespace distal {

// A body and the hand at one moment, as far as touching needs. Body and hand belong together: the newest hand on an
// older body would be ahead of what it sticks to, and creep.
struct SkinMoment {
  HandState hand;
  Vec3Array x;  // of all particles
  double travelled_m = 0.0;
  Vec3 force_n = Vec3::Zero();  // of the hand on the skin in the last period
};

// What the hand touches.
struct SkinFound {
  std::int64_t joins = 0;  // of the hand it was found for: one that left meanwhile does not touch what it touched
  SkinPoint point;         // triangle -1: nothing
};

struct TouchLink {
  Newest<SkinMoment> to_touch;
  Newest<SkinFound> to_simulation;
};

}  // namespace distal
