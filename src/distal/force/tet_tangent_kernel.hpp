// Vector loops of the tetrahedra's tangent, compiled once per instruction set (Highway).
#pragma once
#include <cstddef>
#include <cstdint>

namespace distal::tet {

// Sparse rows: entries of row i stand at begin[i] to begin[i + 1].
struct Rows {
  const std::int32_t* begin;
  const std::int32_t* neighbour;
};

// What is linear in the mean gradient D of p around a vertex: with F, its cofactor A and coefficients per vertex,
//   S = linear D + a (A : D) A + b dA/dF[D] + viscous sym(D F^-1) F^-T.
// Matrices are stored by component, component k at k * stride.
struct StressJob {
  const float *f, *area, *linear, *a, *b, *viscous;
  const float* gradient;
  float* stress;  // by vertex: three columns of four
  std::size_t stride;
};

// gradient (by component) of rows [begin, end) from p (four floats a vertex) and the means (four floats an entry).
void sum_gradients(const Rows& rows, const float* mean, const float* p, float* gradient, std::size_t stride,
                   std::size_t begin, std::size_t end);
void find_stress(const StressJob& job, std::size_t begin, std::size_t end);
// out (four floats) of one row: minus sum of stress times given, minus share times springs.
void give_rows(const Rows& nodal, const float* given, const float* stress, const Rows& springs, const float* stiffness,
               float share, const float* p, float* x, float* y, float* z, std::size_t begin, std::size_t end);

}  // namespace distal::tet
