// Forces of paper 2's tetrahedra: springs and dampers along edges, cells that keep their volume
// (docs/models/paper2.md).
#pragma once
#include "distal/state/workspace.hpp"

namespace distal {

// Writes the force on every vertex of the body; the same bits for any number of threads.
void compute_paper2_force(const Model& model, std::size_t soft_index, const State& state, Workspace& ws);

// Derivatives of a cell's volume by its four corners [m^2].
std::array<Vec3, 4> volume_gradient(const std::array<Vec3, 4>& corners);
double volume_of(const std::array<Vec3, 4>& corners);

}  // namespace distal
