// Vector loops of the tetrahedra's forces, compiled once per instruction set (Highway).
#pragma once
#include "distal/force/tet_lanes.hpp"
#include "distal/state/workspace.hpp"

namespace distal::tet {

// A body's constants (see TetBody), and the arrays of its vertices in the layout of tet_lanes.hpp.
struct ForceJob {
  LaneView nodal, springs;
  const double *mean, *given, *stiffness;  // by slot and lane
  const double* volume;                    // of every vertex; 0 behind the last
  double mu, lambda, viscosity;            // [Pa], [Pa], [Pa s]
  double vertex_share;
  const double *place, *speed;
  double* stress;  // P_n
  std::size_t stride;
  bool energy;
};

// The stress of the vertices [begin, end) times their volume, from the mean gradients around them.
void find_vertex_stress(const ForceJob& job, std::size_t begin, std::size_t end, PlaneSums& sums);
// Their forces, and zeros for the rest of their last group, once all stresses are known.
void gather_forces(const ForceJob& job, std::size_t begin, std::size_t end, double* x, double* y, double* z,
                   PlaneSums& sums);

}  // namespace distal::tet
