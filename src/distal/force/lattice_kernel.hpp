// The inside of compute_lattice_force: one plane of cells, for one precision.
#pragma once
#include "distal/state/workspace.hpp"

namespace distal {

template <typename T>
struct PlaneJob {
  const Lattice* lattice;
  int plane;
  const T* x[3];       // node positions of the body (any common shift) [m]
  const T* v[3];       // node velocities [m/s]
  T* low[3];           // adds forces to the nodes below the plane of cells ...
  T* high[3];          // ... and above
  T* row;              // scratch: 12 rows of nx + kPadding
  bool energy;
};

void add_plane_force(const PlaneJob<double>& job, PlaneSums& sums);
void add_plane_force(const PlaneJob<float>& job, PlaneSums& sums);

// out = a + b as double; b may be null.
void combine_planes(const double* a, const double* b, double* out, std::size_t count);
void combine_planes(const float* a, const float* b, double* out, std::size_t count);
// out = in - shift in single precision.
void narrow(const double* in, double shift, float* out, std::size_t count);

}  // namespace distal
