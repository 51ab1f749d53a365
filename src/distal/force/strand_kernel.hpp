// The vector loop of a strand's springs, compiled once per instruction set (Highway). Families of springs run along the
// rings, so that both ends, their velocities and forces are plain rows.
#pragma once
#include "distal/state/workspace.hpp"

namespace distal::strand {

// Rows of every place: positions, velocities, forces, and the factor of the stiffness.
inline constexpr std::size_t kForceRow = 6, kFactorRow = 9;

struct BlockJob {
  const SpringFamily* families;
  std::size_t family_count, stride;
  const double *stiffness, *rest;  // at the slot that belongs to the first ring of the rows, of the first family
  double* rows;                    // kStrandRows rows for every place
  int rings;                       // of the block itself
  double damping_s;                // alpha
  bool has_factor;
};

// Adds the forces of all springs at the rings of the block to its force rows.
void add_block_forces(const BlockJob& job, PlaneSums& sums);

}  // namespace distal::strand
