// Vector loops of the implicit solver over spans of particles, compiled once per instruction set (Highway). Nothing
// outside the spans is touched, so that threads may work side by side; sums are over the spans.
#pragma once
#include <cstddef>

#include "distal/math/vec3_array.hpp"
#include "distal/model/node_spans.hpp"
#include "distal/solver/conjugate_gradients.hpp"

namespace distal {

// Of a right side b and of the part q of it that a guess takes up.
struct RightSideSums {
  double bb = 0.0, bq = 0.0, qq = 0.0;
  RightSideSums operator+(const RightSideSums& o) const { return {bb + o.bb, bq + o.bq, qq + o.qq}; }
};

// Rows of a grid around one of a grid twice as coarse, and what they count there.
struct WeighedRows {
  const float* row[9];
  float weight[9];
  int count;
};

// All in single precision.
namespace solve {

using Array = BasicVec3Array<float>;
using Spans = std::span<const NodeSpan>;

// Diagonal blocks become their inverses: straight = xx, yy, zz (with the mass added here), mixed = xy, xz, yz.
// Particles with mass 0 get zeros.
void invert_blocks(const float* mass, Array& straight, Array& mixed, Spans spans);
// q = m p - q: q comes in as minus the product with the stiffness. Returns p.q.
double add_mass_product(const float* mass, const Array& p, Array& q, Spans spans);
// Of particles with a mass, b = q + r.
RightSideSums sum_right_side(const float* mass, const Array& q, const Array& r, Spans spans);
// x += alpha p, r -= alpha q, z = P r with the inverse blocks; sums of the new r.
CgSums advance(double alpha, const Array& p, const Array& q, const Array& straight, const Array& mixed, Array& x,
               Array& r, Array& z, Spans spans);
// Of r at places: its sum and moment.
Wrench sum_whole(const Array& place, const Array& r, Spans spans);
// p = z + beta p
void turn(double beta, const Array& z, Array& p, Spans spans);
// p += rigid motion about the origin of the places, for particles with a mass.
void add_rigid(const Twist& rigid, const float* mass, const Array& place, Array& p, Spans spans);

// Between a row of `fine` nodes and one of `coarse` nodes, at every second of them and beyond; rows are read up to a
// vector past their end, and scratch memory has room for one more than that.
// out = at each coarse node the sum of what lies under its hat function.
void restrict_row(const WeighedRows& rows, std::size_t fine, std::size_t coarse, float* scratch, float* out);
// out += the mean of four coarse rows, interpolated; where there is a mass, if masses are given.
void add_interpolated_row(const float* const* rows, const float* mass, std::size_t fine, float* out);

}  // namespace solve
}  // namespace distal
