// Samples of one soft body against the skin of another: the nearest triangle of the partner's skin is what a sample
// touches; forces go to both bodies through the points that carry them. Stiff normal law with stick and slip.
#pragma once
#include "distal/state/workspace.hpp"

namespace distal {

void list_near_soft(const Model& model, std::size_t soft_pair, const State& state, Workspace& ws);
void add_soft_soft_forces(const Model& model, std::size_t soft_pair, const State& state, Workspace& ws);

// Contact spring of a sample on the other body [N/m]: the softer of the two.
double soft_pair_stiffness(const SoftBody& sampled, const SoftBody& partner, double factor, std::size_t sample);

}  // namespace distal
