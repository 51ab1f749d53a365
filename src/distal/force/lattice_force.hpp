// Forces of the neo-Hookean lattice (docs/models/neo_hookean_lattice.md). Two implementations of one equation: a plain
// one that reads like it, and a vector one that is used. Both write the force on every node of the body.
#pragma once
#include "distal/state/workspace.hpp"

namespace distal {

// Vector kernel, split over planes of cells; the same bits for any number of threads.
void compute_lattice_force(const Model& model, std::size_t soft_index, const State& state, Workspace& ws);

// The reference: one cell after another, one thread, double.
void compute_lattice_force_plain(const Model& model, std::size_t soft_index, const State& state, Workspace& ws);

// Adds the sums of the planes in their order.
void sum_planes(SoftWorkspace& ws);

}  // namespace distal
