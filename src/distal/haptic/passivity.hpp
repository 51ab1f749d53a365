// Passivity observer and controller in the time domain (Hannaford and Ryu 2002), at the hand: force and way are
// sampled, the force is held in between, so that what it gives to the hand is known exactly.
// docs/models/haptics.md.
#pragma once
#include "distal/math/spatial.hpp"

namespace distal {

struct PassivityMemory {
  bool started = false;
  Vec3 place = Vec3::Zero();  // of the hand at the last sample
  Vec3 force = Vec3::Zero();  // shown to it since then
  double energy_j = 0.0;      // that the hand has put in and not got back
  double least_j = 0.0;       // the lowest of that
  double damped_j = 0.0;      // what the controller took
};

// Books the work of the last force over the way since.
void observe_work(const Vec3& place, PassivityMemory& memory);

// The force, damped along the velocity so far that the period to come does not give more than was put in. What it
// takes beyond the force itself is a damper of at most `most_damping`.
Vec3 make_passive(const Vec3& force, const Vec3& velocity, double period_s, double most_damping,
                  PassivityMemory& memory);

}  // namespace distal
