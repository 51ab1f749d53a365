// Bodies on joints: their poses and twists follow from those of the bodies that carry them.
#pragma once
#include "distal/state/state.hpp"

namespace distal {

// Follows mimics, then places every child of a joint, from the carrying bodies outwards.
void place_links(const Model& model, State& state);

}  // namespace distal
