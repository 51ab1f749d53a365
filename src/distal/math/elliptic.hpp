// Complete elliptic integrals of an ellipse, by the ratio of its axes (the complementary modulus): near a circle and
// near a line they keep all their digits, which the usual modulus does not.
#pragma once

namespace distal {

// With e^2 = 1 - axis_ratio^2:
struct EllipticIntegrals {
  double k = 0.0;  // first kind, K(e)
  double e = 0.0;  // second kind, E(e)
  double d = 0.0;  // (K - E) / e^2, pi/4 for a circle
};

// `axis_ratio` is short axis over long axis, above 0 and at most 1.
EllipticIntegrals find_elliptic_integrals(double axis_ratio);

}  // namespace distal
