// The neo-Hookean solid in closed form, for homogeneous deformations:
// W = mu/2 (I1 - 3) - mu ln J + lambda/2 ln^2 J, P = mu (F - F^-T) + lambda ln J F^-T.
#pragma once
#include <cmath>
#include <vector>

#include "support/scenes.hpp"

namespace distal::test {

struct ClosedForm {
  double mu, lambda;

  Mat3 stress(const Mat3& f) const {
    const Mat3 inverse_transposed = f.inverse().transpose();
    return mu * (f - inverse_transposed) + lambda * std::log(f.determinant()) * inverse_transposed;
  }
  double energy(const Mat3& f) const {
    const double log_j = std::log(f.determinant());
    return 0.5 * mu * (f.squaredNorm() - 3.0) - mu * log_j + 0.5 * lambda * log_j * log_j;
  }
  // Stretch of the free sides of a bar: mu (b - 1/b) + lambda ln(a b^2) / b = 0, by bisection.
  double lateral_stretch(double a) const {
    double low = 0.2, high = 3.0;
    for (int i = 0; i < 200; ++i) {
      const double b = 0.5 * (low + high);
      (mu * (b * b - 1.0) + lambda * std::log(a * b * b) > 0.0 ? high : low) = b;
    }
    return 0.5 * (low + high);
  }
};

inline ClosedForm closed_form(double nu, double e = kRubber_pa) {
  return {0.5 * e / (1.0 + nu), e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu))};
}

// Stretch, shear and both at once, from -30 % to +30 %.
inline std::vector<Mat3> deformations() {
  std::vector<Mat3> list;
  for (const double s : {-0.3, -0.1, 0.01, 0.1, 0.3}) {
    Mat3 stretch = Mat3::Identity(), shear = Mat3::Identity(), mixed = Mat3::Identity();
    stretch(0, 0) += s;
    shear(0, 2) += s;
    mixed(0, 1) += s, mixed(2, 2) -= 0.5 * s, mixed(1, 1) += 0.3 * s;
    list.insert(list.end(), {stretch, shear, mixed});
  }
  return list;
}

}  // namespace distal::test
