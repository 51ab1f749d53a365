// The inside of the lattice's tangent (lattice_tangent.hpp): one plane of cells, for one precision.
#pragma once
#include "distal/force/lattice_kernel.hpp"

namespace distal {

// Per cell, after linearising: G^-1 by columns (9) and V (mu - lambda ln J). Value k of lane l of tile t stands at
// (t * kTangentValues + k) * lanes + l.
inline constexpr int kTangentValues = 10;

template <typename T>
struct TangentJob {
  const Lattice* lattice;
  int plane;
  const T* in_low[3];                   // nodes below and above the plane of cells: positions when linearising,
  const T* in_high[3];                  // a direction when multiplying
  NodeForces<T> low, high;              // minus the product; linearising: xx, yy, zz of the diagonal blocks ...
  NodeForces<T> low_mixed, high_mixed;  // ... and xy, xz, yz
  T* cells;                             // of the whole body
  T stiffness, damping;                 // s and d of s K + d C
  bool convex;                          // linearising: leave out what makes the tangent indefinite ...
  bool keep;                            // ... and write the numbers of the cells
};

void linearise_plane(const TangentJob<double>& job);
void linearise_plane(const TangentJob<float>& job);
void multiply_plane(const TangentJob<double>& job);
void multiply_plane(const TangentJob<float>& job);

// Nodes of a plane that begins with the node `first`.
struct PlaneNodes {
  std::span<const NodeSpan> spans;
  std::size_t first;
};

// out = below + above, as take_forces() but without leaving the precision.
void take_product(const NodeForces<double>& above, const NodeForces<double>* below, int c, double* out,
                  const PlaneNodes& nodes);
void take_product(const NodeForces<float>& above, const NodeForces<float>* below, int c, float* out,
                  const PlaneNodes& nodes);

}  // namespace distal
