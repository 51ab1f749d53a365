// What a run tells about a hand on a device.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "distal/haptic/tremor.hpp"
#include "distal/record/thinned.hpp"

namespace distal {

// One of the loops of a run in real time: how often it ran, and its jitter: how late its periods began.
struct LoopReport {
  std::string name;  // touch, force, deformation, display
  double period_s = 0.0, rate_hz = 0.0;
  std::uint64_t periods = 0, late = 0;  // late: ended after the next one was due
  bool real_time_priority = false;      // granted by the system
  double start_delay_p50_s = 0.0, start_delay_p999_s = 0.0, start_delay_worst_s = 0.0;

  double on_time() const {  // [0, 1] of its periods
    return periods > 0 ? 1.0 - static_cast<double>(late) / static_cast<double>(periods) : 0.0;
  }
};

struct HandInstant {
  double time_s = 0.0;
  Vec3 place_m = Vec3::Zero(), force_n = Vec3::Zero();
};

struct DeviceReport {
  std::string name, type;
  Tremor tremor;
  double most_force_n = 0.0, most_jump_n = 0.0;  // shown to the hand; its largest change within a period
  double energy_j = 0.0, least_energy_j = 0.0;   // put in by the hand: at the end, and the least; negative: it got more
  double damped_j = 0.0;                         // taken by the passivity controller
  std::uint64_t periods = 0, connected = 0, not_numbers = 0, jumps = 0, unplugged = 0;
  std::vector<HandInstant> history;  // thinned
  std::vector<LoopReport> loops;     // of a run in real time
};

}  // namespace distal
