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

enum class JointMode { own, torque, position };

// What a joint's motor does for one control period: what the scene says (its own path), give a torque, or go to a
// position. Radians and newton metres, or metres and newtons.
struct JointCommand {
  JointMode mode = JointMode::own;
  double value = 0.0;  // torque or force, at most what the motor can give; or the position at the end of the period
  double rate = 0.0;   // position: how fast the target moves
};

struct JointFeedback {
  double position = 0.0, velocity = 0.0;
  double effort = 0.0;   // of the motor, in the last step
  bool limited = false;  // it gave all that it can
};

// A point of a soft body's skin that a hand moves for one control period (paper 4, 4.3).
struct TouchCommand {
  std::int32_t soft = -1;            // index into Model::soft; -1: nothing is touched
  std::int32_t triangle = 0;         // of its skin
  Vec3 weight = Vec3::UnitX();       // of the triangle's corners
  Vec3 velocity_m_s = Vec3::Zero();  // that the point is to have, as far as pushing and friction can give it
  Vec3 normal = Vec3::UnitZ();       // out of the body
  double friction = 0.3;             // infinity: it never slips
};

struct TouchFeedback {
  Vec3 force_n = Vec3::Zero();  // of the hand on the skin, mean over the period
  bool slides = false;          // at some time in it
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
