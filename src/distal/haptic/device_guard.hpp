// Between a device and everything else: samples that are none, jumps and silence stop here. What a device does wrong is
// counted and never passed on.
#pragma once
#include <cstdint>

#include "distal/haptic/description.hpp"
#include "distal/haptic/device.hpp"

namespace distal {

struct GuardMemory {
  bool joined = false;     // the hand is followed
  Pose pose;               // the last good one, world
  Pose raw;                // the last finite one, world
  double refused_s = 0.0;  // since the last good sample
  std::uint32_t buttons = 0;
  std::uint64_t not_numbers = 0, jumps = 0, unplugged = 0;  // samples, samples, times
};

// A hand that can be trusted, in the world.
struct GuardedHand {
  bool connected = false;
  bool joins = false;  // with this sample: it was not connected before, or stays where it jumped to
  Pose pose;
  Twist twist;
  std::uint32_t buttons = 0;
};

class DeviceGuard {
 public:
  explicit DeviceGuard(const DeviceDescription& description) : description_(description) {}

  // One sample a period.
  GuardedHand check(const HandSample& sample, double period_s, GuardMemory& memory) const;

 private:
  GuardedHand lose(GuardMemory& memory) const;
  GuardedHand hold(double period_s, GuardMemory& memory) const;

  const DeviceDescription& description_;
};

}  // namespace distal
