// Preconditioned conjugate gradients for A x = b, as a recipe over a System that holds the vectors and does the work:
//   Sums begin()            x = 0, r = b, z = P r, p = z;  returns r.r and r.z
//   double multiply()       q = A p;  returns p.q
//   Sums advance(alpha)     x += alpha p, r -= alpha q, z = P r;  returns r.r and r.z
//   void turn(beta)         p = z + beta p
// so that a system may fuse what belongs together in memory. A need not be positive: where a direction shows no
// positive curvature the recipe stops and says so; x is then the best point so far.
#pragma once
#include <cmath>

namespace distal {

struct CgSums {
  double rr = 0.0, rz = 0.0;
};

struct CgResult {
  int iterations = 0;
  double residual = 0.0;  // |r| at the end
  bool converged = false;
  bool negative_curvature = false;
};

template <class System>
CgResult conjugate_gradients(System& system, double target, int most_iterations) {
  CgResult result;
  CgSums sums = system.begin();
  result.residual = std::sqrt(sums.rr);
  while (!(result.residual <= target) && result.iterations < most_iterations) {
    const double curvature = system.multiply();
    if (!(curvature > 0.0)) {
      result.negative_curvature = true;
      // Nothing yet: the preconditioned residual is still a way down.
      if (result.iterations == 0) system.advance(1.0);
      return result;
    }
    const double before = sums.rz;
    sums = system.advance(before / curvature);
    ++result.iterations;
    result.residual = std::sqrt(sums.rr);
    if (!std::isfinite(result.residual)) return result;
    if (!(sums.rz > 0.0)) break;
    system.turn(sums.rz / before);
  }
  result.converged = result.residual <= target;
  return result;
}

}  // namespace distal
