// The inside of compute_lattice_force: one plane of cells, for one precision.
#pragma once
#include "distal/state/workspace.hpp"

namespace distal {

// Forces on a plane of nodes, in two parts that meet when the plane is written out: node n gets left[n] + right[n - 1],
// so that neighbouring cells of a vector never add to the same place. Zero between uses.
template <typename T>
struct NodeForces {
  T* left[3];
  T* right[3];  // readable from -1
};

template <typename T>
struct PlaneJob {
  const Lattice* lattice;
  int plane;
  // Positions (with any common shift) [m] and velocities [m/s] of the nodes below and above the plane of cells.
  const T* x_low[3];
  const T* x_high[3];
  const T* v_low[3];
  const T* v_high[3];
  NodeForces<T> low, high;  // added to
  const double* ahead[6];   // state of the nodes needed next ...
  const double* out[3];     // ... and where forces are about to go: fetched into the cache meanwhile
  bool energy;
};

void add_plane_force(const PlaneJob<double>& job, PlaneSums& sums);
void add_plane_force(const PlaneJob<float>& job, PlaneSums& sums);

// out = below + above for the nodes of a plane, component c, and clears what it has read. `below` may be null: then out
// is what `above` holds. Nothing is written beyond out[count - 1].
void take_forces(const NodeForces<double>& above, const NodeForces<double>* below, int c, double* out,
                 std::size_t count);
void take_forces(const NodeForces<float>& above, const NodeForces<float>* below, int c, double* out, std::size_t count);
// out = in - shift in single precision; may write up to kPadding beyond the end.
void narrow(const double* in, double shift, float* out, std::size_t count);

}  // namespace distal
