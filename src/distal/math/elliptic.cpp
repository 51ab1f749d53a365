#include "distal/math/elliptic.hpp"

#include <cmath>
#include <numbers>

#include "distal/core/error.hpp"

namespace distal {

// The arithmetic-geometric mean (Abramowitz and Stegun 17.6). The sum is that of 2^(n-1) c_n^2 / e^2 with
// c_n = c_(n-1)^2 / (4 a_n): nothing is subtracted that is nearly equal.
EllipticIntegrals find_elliptic_integrals(double axis_ratio) {
  DISTAL_ASSERT(axis_ratio > 0.0 && axis_ratio <= 1.0);
  double a = 0.5 * (1.0 + axis_ratio), g = std::sqrt(axis_ratio), c = 0.5 * (1.0 - axis_ratio);
  double term = (1.0 - axis_ratio) / (4.0 * (1.0 + axis_ratio));
  double sum = 0.5 + term, weight = 1.0;
  while (c > 1e-17 * a) {
    const double mean = 0.5 * (a + g);
    g = std::sqrt(a * g), a = mean;
    const double next = c * c / (4.0 * a);
    term *= c * c / (16.0 * a * a), weight *= 2.0;
    sum += weight * term;
    c = next;
  }
  EllipticIntegrals result;
  result.k = std::numbers::pi / (2.0 * a);
  result.d = result.k * sum;
  result.e = result.k - (1.0 - axis_ratio) * (1.0 + axis_ratio) * result.d;
  return result;
}

}  // namespace distal
