// The one abstract device: pose, velocity and buttons in; force and torque out. A vendor's device is a class of this
// kind: docs/guide/haptics.md, examples/own_device.cpp.
#pragma once
#include <cstdint>
#include <vector>

#include "distal/math/spatial.hpp"

namespace distal {

// Of the hand at one moment, in the device's frame. What a device that is unplugged says beyond that does not matter.
struct HandSample {
  bool connected = true;
  Pose pose;
  Twist twist;
  std::uint32_t buttons = 0;
};

class Device {
 public:
  virtual ~Device() = default;

  // Where the hand is now. `time_s` is the run's: simulated in lock-step, of the clock in real time; never falls.
  // Called once a period, from one thread, and must not wait.
  virtual HandSample read(double time_s) = 0;
  // What the hand is to feel from now on, in the device's frame: the force on the hand, and the torque about its point.
  // Already within the limits of the description.
  virtual void write(const Wrench& on_hand) = 0;

  // What it remembers, for checkpoints of runs in lock-step; nothing where the hand is a person's.
  virtual std::vector<double> save() const { return {}; }
  virtual void restore(const std::vector<double>&) {}
};

}  // namespace distal
