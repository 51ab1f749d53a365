// Commands become wrenches on free bodies and imposed twists of driven ones.
#pragma once
#include "distal/state/workspace.hpp"

namespace distal {

// Once per period: twists of driven bodies; a pose is reached at the end of the period. Books the energy of the change
// and stores the mean acceleration for the sensor.
void impose_motion_commands(const Model& model, const Control& control, State& state, Workspace& ws);

// At every step: command wrenches, given at E along E's axes, about each centre of mass in the world.
void apply_wrench_commands(const Model& model, const Control& control, const State& state, Workspace& ws);

}  // namespace distal
