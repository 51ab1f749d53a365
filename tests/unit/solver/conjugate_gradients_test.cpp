#include "distal/solver/conjugate_gradients.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

namespace distal {
namespace {

// A dense system with the diagonal as preconditioner.
struct DenseSystem {
  Eigen::MatrixXd a;
  Eigen::VectorXd b, x, r, z, p, q;

  CgSums sums() {
    z = r.cwiseQuotient(a.diagonal().cwiseAbs());
    return {r.squaredNorm(), r.dot(z)};
  }
  CgSums begin() {
    x = Eigen::VectorXd::Zero(b.size()), r = b;
    const CgSums s = sums();
    p = z;
    return s;
  }
  double multiply() { return p.dot(q = a * p); }
  CgSums advance(double alpha) {
    x += alpha * p, r -= alpha * q;
    return sums();
  }
  void turn(double beta) { p = z + beta * p; }
};

DenseSystem make_system(int n, double shift) {
  std::srand(3);
  const Eigen::MatrixXd m = Eigen::MatrixXd::Random(n, n);
  return {m.transpose() * m + shift * Eigen::MatrixXd::Identity(n, n), Eigen::VectorXd::Random(n), {}, {}, {}, {}, {}};
}

TEST(ConjugateGradients, SolvesWithinAsManyIterationsAsUnknowns) {
  DenseSystem system = make_system(12, 0.5);
  const CgResult result = conjugate_gradients(system, 1e-10, 14);
  EXPECT_TRUE(result.converged);
  EXPECT_FALSE(result.negative_curvature);
  EXPECT_LT((system.a * system.x - system.b).norm(), 2e-10);
  EXPECT_NEAR(result.residual, (system.a * system.x - system.b).norm(), 1e-11);
}

TEST(ConjugateGradients, StopsAtTheTargetAndSaysWhenItDidNotGetThere) {
  DenseSystem system = make_system(40, 0.05);
  const CgResult rough = conjugate_gradients(system, 0.1, 100);
  EXPECT_TRUE(rough.converged);
  const CgResult fine = conjugate_gradients(system, 1e-6, 200);
  EXPECT_GT(fine.iterations, rough.iterations);
  const CgResult cut = conjugate_gradients(system, 1e-12, 3);
  EXPECT_FALSE(cut.converged);
  EXPECT_EQ(cut.iterations, 3);
}

TEST(ConjugateGradients, ReportsNegativeCurvatureAndKeepsAUsefulPoint) {
  DenseSystem system = make_system(20, 0.5);
  system.a -= 6.0 * Eigen::MatrixXd::Identity(20, 20);
  const CgResult result = conjugate_gradients(system, 1e-10, 100);
  EXPECT_TRUE(result.negative_curvature);
  EXPECT_FALSE(result.converged);
  EXPECT_TRUE(system.x.allFinite());
  EXPECT_GT(system.x.dot(system.b), 0.0) << "a way along the right side, not against it";
}

}  // namespace
}  // namespace distal
