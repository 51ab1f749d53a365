// Vector loops of the tetrahedra's tangent, compiled once per instruction set (Highway).
#pragma once
#include "distal/force/tet_lanes.hpp"

namespace distal::tet {

// What is linear in the mean gradient D of p around a vertex: with F, its cofactor A and coefficients per vertex,
//   S = linear D + a (A : D) A + b dA/dF[D] + viscous (H + H^T) A,   H = D A^T.
// Three arrays of p, nine (row by row) of a matrix, in the layout of tet_lanes.hpp.
struct TangentJob {
  LaneView nodal, springs;
  const float *mean, *given, *stiffness;  // by slot and lane
  float share;                            // of the stiffness
  bool has_viscosity;
  const float* p;
  float *f, *area, *stress;
  float *linear, *a, *b, *viscous;
  std::size_t stride;
};

struct Block {
  float straight[3], mixed[3];  // xx, yy, zz; xy, xz, yz
};

// All of them for the vertices [begin, end) and the rest of their last group.
// F and its cofactor from p, the positions; j, from begin on, gets the determinant.
void find_gradients(const TangentJob& job, std::size_t begin, std::size_t end, float* j);
void find_stress(const TangentJob& job, std::size_t begin, std::size_t end);
// What the vertices give to the 3x3 blocks of the diagonal, without springs; blocks from begin on.
void sum_blocks(const TangentJob& job, std::size_t begin, std::size_t end, Block* blocks);
// Minus the sum of stress times given and of springs.
void give_rows(const TangentJob& job, std::size_t begin, std::size_t end, float* x, float* y, float* z);

}  // namespace distal::tet
