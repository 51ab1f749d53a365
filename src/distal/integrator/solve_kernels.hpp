// Vector loops of the implicit solver over a range of particles, compiled once per instruction set (Highway). Nothing
// outside the range is touched, so that threads may work side by side; sums are over the range.
#pragma once
#include <cstddef>

#include "distal/math/vec3_array.hpp"

namespace distal {

// A rigid motion of particles around a centre: v + w x (x - centre).
struct RigidMotion {
  Vec3 velocity = Vec3::Zero(), angular = Vec3::Zero();
};

struct ResidualSums {
  double rr = 0.0, rz = 0.0;
  Vec3 sum = Vec3::Zero(), moment = Vec3::Zero();  // of r, and of x cross r
};

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

// Diagonal blocks become their inverses: straight = xx, yy, zz (with the mass added here), mixed = xy, xz, yz.
// Particles with mass 0 get zeros.
void invert_blocks(const float* mass, Array& straight, Array& mixed, std::size_t begin, std::size_t end);
// q = m p - q: q comes in as minus the product with the stiffness.
void add_mass_product(const float* mass, const Array& p, Array& q, std::size_t begin, std::size_t end);
// Of particles with a mass, b = q + r.
RightSideSums sum_right_side(const float* mass, const Array& q, const Array& r, std::size_t begin, std::size_t end);
double dot(const Array& a, const Array& b, std::size_t begin, std::size_t end);
// x += alpha p, r -= alpha q, z = P r with the inverse blocks; sums of the new r. `place` is where particles are.
ResidualSums advance(double alpha, const Array& p, const Array& q, const Array& straight, const Array& mixed,
                     const Array& place, Array& x, Array& r, Array& z, std::size_t begin, std::size_t end);
// p = z + beta p + rigid motion, for particles with a mass.
void turn(double beta, const RigidMotion& rigid, const float* mass, const Array& place, const Array& z, Array& p,
          std::size_t begin, std::size_t end);

// Between a row of `fine` nodes and one of `coarse` nodes, at every second of them and beyond; rows are read up to a
// vector past their end, and scratch memory has room for one more than that.
// out = at each coarse node the sum of what lies under its hat function.
void restrict_row(const WeighedRows& rows, std::size_t fine, std::size_t coarse, float* scratch, float* out);
// out += the mean of four coarse rows, interpolated; where there is a mass, if masses are given.
void add_interpolated_row(const float* const* rows, std::size_t coarse, const float* mass, std::size_t fine,
                          float* scratch, float* out);

}  // namespace solve
}  // namespace distal
