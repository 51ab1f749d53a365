// Forces of strands: the springs of paper 4, and its geometric model (docs/models/strand.md).
#pragma once
#include "distal/state/workspace.hpp"

namespace distal {

// model = "paper4": springs, their dampers, and the damping of every node's velocity. Sets the body's forces.
void compute_strand_force(const Model& model, std::size_t soft, const State& state, Workspace& ws);
// The same, spring by spring as the equations read: what the vector loop is tested against. Without sums.
void compute_strand_force_plainly(const Model& model, std::size_t soft, const State& state, Workspace& ws);

// model = "gaussian", once all forces from outside are there: springs between rings, the touch spread along them, and
// all of a ring's force on the ring as a whole.
void spread_gaussian_force(const Model& model, std::size_t soft, const State& state, Workspace& ws);

}  // namespace distal
