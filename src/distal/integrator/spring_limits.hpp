// Paper 2, eqs 13 to 17: after a step, springs that are too long or too short are brought back by moving their ends.
#pragma once
#include "distal/state/workspace.hpp"

namespace distal {

bool has_spring_limits(const Model& model);

// What the projection takes from kinetic, elastic and gravity energy is booked to the integrator.
void apply_spring_limits(const Model& model, double h, State& state, Workspace& ws);

}  // namespace distal
