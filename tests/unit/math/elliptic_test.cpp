#include "distal/math/elliptic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace distal {
namespace {

TEST(Elliptic, EqualsTheStandardLibraryWhereThatIsAccurate) {
  for (const double ratio : {0.9, 0.5, 1.0 / 3.0, 0.1, 0.01}) {
    const double modulus = std::sqrt(1.0 - ratio * ratio);
    const EllipticIntegrals integrals = find_elliptic_integrals(ratio);
    EXPECT_NEAR(integrals.k / std::comp_ellint_1(modulus), 1.0, 1e-11);
    EXPECT_NEAR(integrals.e / std::comp_ellint_2(modulus), 1.0, 1e-11);
    EXPECT_NEAR(integrals.d * modulus * modulus / (integrals.k - integrals.e), 1.0, 1e-12);
  }
}

TEST(Elliptic, KeepsItsDigitsNearACircleAndNearALine) {
  // Series in e^2 = 2e-10: D = pi/4 (1 + 3/8 e^2).
  EXPECT_NEAR(find_elliptic_integrals(1.0 - 1e-10).d, std::numbers::pi / 4.0 * (1.0 + 0.75e-10), 1e-15);
  EXPECT_NEAR(find_elliptic_integrals(1.0).d, std::numbers::pi / 4.0, 1e-15);
  // K = log(4/ratio) and E = 1, both up to terms of ratio^2 log(ratio).
  const EllipticIntegrals line = find_elliptic_integrals(1e-9);
  EXPECT_NEAR(line.k, std::log(4e9), 1e-13);
  EXPECT_NEAR(line.e, 1.0, 1e-14);
}

// Legendre: E K' + E' K - K K' = pi/2.
TEST(Elliptic, ObeysLegendresRelation) {
  for (const double ratio : {0.1, 0.3, 0.6, 0.8}) {
    const EllipticIntegrals one = find_elliptic_integrals(ratio);
    const EllipticIntegrals other = find_elliptic_integrals(std::sqrt(1.0 - ratio * ratio));
    EXPECT_NEAR(one.e * other.k + other.e * one.k - one.k * other.k, std::numbers::pi / 2.0, 1e-14);
  }
}

}  // namespace
}  // namespace distal
