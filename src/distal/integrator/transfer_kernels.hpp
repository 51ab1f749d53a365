// Vector loops between the vertices in one cell of a coarse grid and its eight corners, compiled once per instruction
// set (Highway). A field in a cell is a + b u + c v + d uv + w (e + f u + g v + h uv), u, v, w being the place in it.
#pragma once
#include "distal/integrator/solve_kernels.hpp"

namespace distal {

// Of one cell. The arrays have room for whole vectors behind them, with indices that may be read.
struct CellVertices {
  const std::int32_t* particle;
  const float *u, *v, *w;  // 0 to 1
  std::size_t count;
};

// Per component, in the order of a to h.
using CellField = std::array<std::array<float, 8>, 3>;

namespace solve {

// Sums over the vertices of r times 1, u, v, uv, w, wu, wv, wuv.
void sum_moments(const CellVertices& vertices, const Array& r, CellField& moments);
// z += the field at the vertices that have a mass.
void add_field(const CellVertices& vertices, const CellField& field, const float* mass, Array& z);

}  // namespace solve
}  // namespace distal
