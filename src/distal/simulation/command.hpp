// Commands become wrenches on free bodies, imposed twists of driven ones, and what the motors of joints do.
#pragma once
#include "distal/state/workspace.hpp"

namespace distal {

// Once per period: twists of driven bodies; a pose is reached at the end of the period. Books the energy of the change
// and stores the mean acceleration for the sensor.
void impose_motion_commands(const Model& model, const Control& control, State& state, Workspace& ws);

// At every step: command wrenches, given at E along E's axes, about each centre of mass in the world.
void apply_wrench_commands(const Model& model, const Control& control, const State& state, Workspace& ws);

// Once per period: what the motors of joints are told. Without joint commands they follow their own paths.
void set_joint_commands(const Model& model, const Control& control, Workspace& ws);

// Once per period: what carries the touched points.
void set_touch_commands(const Model& model, const Control& control, Workspace& ws);

// Throws InputError with the joint's name for a command that it cannot follow: of a joint that follows another one or
// is fixed, with a number that is none, or for a position where there is no motor to go there.
void check_joint_command(const Model& model, const Joint& joint, const JointCommand& command);
// The same for a touch of a skin or triangle that is not there, with a number that is none, or for an integrator that
// cannot move points.
void check_touch_command(const Model& model, const TouchCommand& command);

}  // namespace distal
