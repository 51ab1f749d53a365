#include "distal/solver/friction_newton.hpp"

#include <gtest/gtest.h>

#include "friction_law.hpp"

namespace distal {
namespace {

using test::expect_law;

// Steps in which nothing else changes: what gives from step to step has then given.
FrictionNewtonResult solve_again(FrictionNewton& solver, const RandomContacts& p, Eigen::VectorXd& r) {
  FrictionNewtonResult result;
  for (int step = 0; step < 4; ++step) {
    const Eigen::VectorXd last = r;
    result = solver.solve(p.a, p.b, p.contacts, last, r, 1e-10);
    if (!result.converged) break;
  }
  return result;
}

TEST(FrictionNewton, KeepsTheLawAndSaysWhereItDoesNotConverge) {
  FrictionNewton solver;
  int converged = 0;
  for (std::uint64_t i = 0; i < 50; ++i) {
    const RandomContacts p = make_contacts(random_key(i, "newton"), 1 + static_cast<int>(i % 4), 0.1);
    Eigen::VectorXd r = Eigen::VectorXd::Zero(p.b.size());
    const FrictionNewtonResult result = solve_again(solver, p, r);
    if (!result.converged) continue;
    ++converged;
    expect_law(p, r, 1e-6);
    EXPECT_LE(solver.solve(p.a, p.b, p.contacts, r, r, 1e-9).rounds, 1);
  }
  EXPECT_GE(converged, 40);
}

TEST(FrictionNewton, LeavesTheGuessWhereItDoesNotConverge) {
  FrictionNewton solver;
  const RandomContacts p = make_contacts(random_key(3, "newton"), 4, 0.1);
  const Eigen::VectorXd guess = Eigen::VectorXd::Constant(p.b.size(), 0.5);
  Eigen::VectorXd r = guess;
  EXPECT_FALSE(solver.solve(p.a, p.b, p.contacts, guess, r, 0.0).converged);  // nothing is that exact
  EXPECT_EQ(r, guess);
}

// One block between two fingers that cannot move: twice as many constraints as motions.
TEST(FrictionNewton, HoldsWhatIsJammed) {
  Eigen::MatrixXd rows(4, 8);
  rows.leftCols<4>() = Eigen::Vector4d(1.0, 1.0, 1.0, 1.0).asDiagonal();
  rows.rightCols<4>() = Eigen::Vector4d(-1.0, 1.0, 1.0, -1.0).asDiagonal();
  RandomContacts p{rows.transpose() * rows, Eigen::VectorXd::Zero(8), {{0.5, 0.003}, {0.5, 0.003}}};
  // A little squeeze from the fingers, weight, and a slip between them that no force can change.
  p.b << -1e-3, 0.02, 0.0, 0.0, -1e-3, 0.02, 1e-7, 0.0;
  p.a.diagonal() += 1e-3 * Eigen::VectorXd::Unit(8, 0) + 1e-3 * Eigen::VectorXd::Unit(8, 4);  // the fingers give
  FrictionNewton solver;
  Eigen::VectorXd r = 0.9 * (Eigen::VectorXd::Unit(8, 0) + Eigen::VectorXd::Unit(8, 4));
  const FrictionNewtonResult result = solve_again(solver, p, r);
  EXPECT_TRUE(result.converged) << result.residual;
  EXPECT_NEAR(r[0], 1.0, 1e-3);
  EXPECT_NEAR(r[0], r[4], 1e-6);
  EXPECT_NEAR(r[1] + r[5], -0.02, 1e-4);
}

// Joints leave a finger one motion, along the normal.
TEST(FrictionNewton, ContactsThatCannotMoveAcrossAreNoTrouble) {
  RandomContacts p{
      Eigen::Vector4d(2.0, 0.0, 0.0, 0.0).asDiagonal(), Eigen::Vector4d(-1.0, 0.0, 0.0, 0.0), {{0.5, 0.003}}};
  FrictionNewton solver;
  Eigen::VectorXd r = Eigen::VectorXd::Zero(4);
  EXPECT_TRUE(solve_again(solver, p, r).converged);
  EXPECT_NEAR(r[0], 0.5, 1e-9);
  EXPECT_EQ(r.tail<3>(), Vec3::Zero());
}

}  // namespace
}  // namespace distal
