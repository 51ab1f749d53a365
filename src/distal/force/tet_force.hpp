// Forces of a body of neo-Hookean tetrahedra (docs/models/tetrahedra.md): springs over edges, pressure and viscosity at
// vertices.
#pragma once
#include "distal/state/workspace.hpp"

namespace distal {

// A smooth stand-in for the logarithm that goes on below a crushed cell's kLeastVolume with the same slope and
// curvature, so that a cell turned inside out is pushed back by a finite force.
struct VolumeLog {
  double value, slope, curvature;
};
inline constexpr double kLeastVolume = 0.05;  // of the volume at rest
VolumeLog volume_log(double j);

// The cofactor of F: its columns are the cross products of the columns of F.
Mat3 cofactor(const Mat3& f);

// Writes the force on every vertex of the body; the same bits for any number of threads.
void compute_tet_force(const Model& model, std::size_t soft_index, const State& state, Workspace& ws);

}  // namespace distal
