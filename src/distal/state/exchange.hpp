// What crosses the virtual control interface (paper 1, Fig. 3): one command and one feedback per commanded body.
// The same types serve an in-process controller, the plant protocol and a real finger.
#pragma once
#include <cstdint>

#include "distal/math/spatial.hpp"

namespace distal {

enum class CommandMode { wrench, twist, pose };

// Held for one control period. Only the field that `mode` names is read.
struct BodyCommand {
  CommandMode mode = CommandMode::wrench;
  Wrench wrench;  // on the finger at E, along E's axes [N, N m]
  Twist twist;    // of E, in the world [m/s, rad/s] (mount = driven)
  Pose pose;      // of E, in the world, to be reached at the end of the period (mount = driven)
};

// Measured at the end of a control period. Rod end E: z = -rod_length of the tip frame, same axes.
// For a plain rigid object E is its centre.
struct BodyFeedback {
  double time_s = 0.0;
  Pose pose;    // of E in the world
  Twist twist;  // of E in the world
  // All three act on the finger, at E, along E's axes.
  Wrench contact;  // the environment on the tip
  Wrench tip;      // the ligaments on the rod (paper 1)
  Wrench sensor;   // contact + weight - inertia of everything beyond the flange
};

}  // namespace distal
