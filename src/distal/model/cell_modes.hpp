// The eight corners of a cubic cell as eight modes. Corner a has the signs sx, sy, sz = -1 or +1 from its bits 0, 1, 2.
// Mode b (bits likewise) has the corner pattern h_b(a) = product of the signs whose bit is set in b: modes 1, 2, 4 are
// the linear ones (stretch along x, y, z), 3, 5, 6, 7 the hourglass ones, 0 the mean. With xi in [-1, 1]^3
//   amplitude  m_b = sum_a h_b(a) x_a,      field  x(xi) = 1/8 sum_b phi_b(xi) m_b,   phi_3 = xi_x xi_y and so on.
// The trilinear stiffness is nearly diagonal in these modes (exactly, for a full cell), which is why forces are
// computed in them.
#pragma once
#include <array>

#include "distal/math/spatial.hpp"

namespace distal {

inline constexpr int kCorners = 8;
inline constexpr int kModes = 7;  // without the mean, which feels no force
inline constexpr std::array<int, 4> kHourglassModes = {3, 5, 6, 7};

constexpr int corner_sign(int corner, int axis) { return (corner >> axis) & 1 ? 1 : -1; }

constexpr int mode_sign(int mode, int corner) {
  int sign = 1;
  for (int axis = 0; axis < 3; ++axis)
    if ((mode >> axis) & 1) sign *= corner_sign(corner, axis);
  return sign;
}

// d phi_b / d xi at a point of the cell.
Vec3 mode_gradient(int mode, const Vec3& xi);

// Trilinear shape functions N_a at a point; outside the cell they extrapolate.
template <typename Point>
inline std::array<double, kCorners> corner_weights(const Point& xi) {
  // By hand: it is computed wherever a point is looked at.
  const double left = 0.125 * (1.0 - xi[0]), right = 0.125 * (1.0 + xi[0]);
  const double front = 1.0 - xi[1], back = 1.0 + xi[1], low = 1.0 - xi[2], high = 1.0 + xi[2];
  const double a = left * front, b = right * front, c = left * back, d = right * back;
  return {a * low, b * low, c * low, d * low, a * high, b * high, c * high, d * high};
}

// Row-wise index of the entry (b, c), b >= c, both from 0 to 6, of a symmetric 7x7 matrix.
constexpr int packed_index(int b, int c) { return b >= c ? b * (b + 1) / 2 + c : c * (c + 1) / 2 + b; }
inline constexpr int kPackedSize = kModes * (kModes + 1) / 2;  // 28

}  // namespace distal
