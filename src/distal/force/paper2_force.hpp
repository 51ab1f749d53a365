// Forces of paper 2's tetrahedra: springs and dampers along edges, cells that keep their volume
// (docs/models/paper2.md).
#pragma once
#include "distal/state/workspace.hpp"

namespace distal {

// Writes the force on every vertex of the body; the same bits for any number of threads.
void compute_paper2_force(const Model& model, std::size_t soft_index, const State& state, Workspace& ws);

// What an edge pulls with at a length, and how that changes. `beyond_m` is how far the length is outside of the limits,
// negative where it is too short.
struct EdgePull {
  double force_n, slope_n_m, energy_j;
};
double beyond_m(const Paper2Description& limits, double length_m, double rest_m);
EdgePull edge_pull(const TetBody& body, std::size_t edge, double length_m);

// Energy of the body's volumes.
double find_volume_energy(const SoftBody& soft, const State& state);

// Derivatives of a cell's volume by its four corners [m^2].
std::array<Vec3, 4> volume_gradient(const std::array<Vec3, 4>& corners);
double volume_of(const std::array<Vec3, 4>& corners);

}  // namespace distal
