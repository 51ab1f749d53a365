// Steps that let a rigid body pass through a soft one.
#pragma once
#include <string>

#include "distal/state/workspace.hpp"

namespace distal {

// What touched at the start of the control period and lies on the far side of its partner at its end, or went straight
// through it without ever touching, in words; empty if nothing does. A long implicit step has such solutions too: all
// forces balance, without the contact.
std::string find_passage(const Model& model, const State& state, const Workspace& ws);

}  // namespace distal
