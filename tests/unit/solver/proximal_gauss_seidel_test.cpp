#include "distal/solver/proximal_gauss_seidel.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "distal/solver/lemke.hpp"
#include "friction_law.hpp"

namespace distal {
namespace {

using test::expect_law;

TEST(ProximalGaussSeidel, SolvesRandomContacts) {
  ProximalGaussSeidel solver(8);
  for (std::uint64_t i = 0; i < 50; ++i) {
    const RandomContacts p = make_contacts(random_key(i, "contacts"), 1 + static_cast<int>(i % 4), 0.1);
    Eigen::VectorXd r = Eigen::VectorXd::Zero(p.b.size());
    const ProximalResult result = solver.solve(p.a, p.b, p.contacts, r);
    EXPECT_TRUE(result.converged) << i;
    EXPECT_LE(result.residual, 1e-9);
    expect_law(p, r, 1e-6);
    // From the solution there is nothing to do.
    EXPECT_LE(solver.solve(p.a, p.b, p.contacts, r).sweeps, 2);
  }
}

// A body of mass 1 that slides and spins under its weight at one contact.
RandomContacts make_slider(double eccentricity, const Eigen::Vector4d& velocity) {
  RandomContacts p{Eigen::Vector4d(1.0, 1.0, 1.0, 1e5).asDiagonal(), velocity, {{0.5, eccentricity}}};
  return p;
}

TEST(ProximalGaussSeidel, SlidesAndSpinsAgainstTheEllipsoid) {
  ProximalGaussSeidel solver(1);
  const double e = 0.002;
  // Fast: friction at its limit, in the direction of (v_x, v_y, e w) after the step.
  const RandomContacts p = make_slider(e, Eigen::Vector4d(-1.0, 30.0, 0.0, 20000.0));
  Eigen::VectorXd r = Eigen::VectorXd::Zero(4);
  EXPECT_TRUE(solver.solve(p.a, p.b, p.contacts, r).converged);
  EXPECT_NEAR(r[0], 1.0, 1e-9);
  EXPECT_NEAR(r[1] * r[1] + r[3] * r[3] / (e * e), 0.25, 1e-9);
  expect_law(p, r, 1e-6);
  // Slow: it sticks.
  const RandomContacts slow = make_slider(e, Eigen::Vector4d(-1.0, 0.2, 0.1, 10.0));
  r.setZero();
  EXPECT_TRUE(solver.solve(slow.a, slow.b, slow.contacts, r).converged);
  EXPECT_NEAR((slow.a * r + slow.b).norm(), 0.0, 1e-6);
}

TEST(ProximalGaussSeidel, PointContactBearsNoMoment) {
  ProximalGaussSeidel solver(1);
  const RandomContacts p = make_slider(0.0, Eigen::Vector4d(-1.0, 3.0, 0.0, 50.0));
  Eigen::VectorXd r = Eigen::VectorXd::Zero(4);
  EXPECT_TRUE(solver.solve(p.a, p.b, p.contacts, r).converged);
  EXPECT_EQ(r[3], 0.0);
  EXPECT_NEAR(r[1], -0.5, 1e-9);
}

// The complementarity problem with many vertices, balanced about the ellipsoid, has nearly the same solution.
TEST(ProximalGaussSeidel, AgreesWithTheLinearisedCone) {
  const FrictionCone cone = make_friction_cone(80, ConeFit::balanced);
  Lemke lemke(82 * 2);
  ProximalGaussSeidel solver(2);
  for (std::uint64_t i = 0; i < 5; ++i) {
    const RandomContacts p = make_contacts(random_key(i, "agree"), 2, 0.1);
    LcpProblem lcp;
    build_friction_problem(p.a, p.b, p.contacts, cone, lcp.m, lcp.q);
    ASSERT_EQ(lemke.solve(lcp.m, lcp.q).status, LemkeStatus::solved);
    Eigen::VectorXd linear, r = Eigen::VectorXd::Zero(8);
    read_friction_forces(lemke.z(), p.contacts, cone, linear);
    ASSERT_TRUE(solver.solve(p.a, p.b, p.contacts, r).converged);
    // 2 % of the limit and as much of direction for slip along a facet's edge.
    EXPECT_LT((linear - r).norm(), 0.2 * r.norm()) << i;
    EXPECT_NEAR(linear[0], r[0], 0.05 * r.norm());
  }
}

TEST(ProximalGaussSeidel, SaysWhereItIsNotDone) {
  const RandomContacts p = make_contacts(3, 4, 1e-6);
  ProximalGaussSeidel solver(4);
  Eigen::VectorXd r = Eigen::VectorXd::Zero(16);
  ProximalOptions options;
  options.most_sweeps = 2;
  const ProximalResult result = solver.solve(p.a, p.b, p.contacts, r, options);
  EXPECT_FALSE(result.converged);
  EXPECT_GT(result.residual, 1e-9);
  EXPECT_GE(result.worst_contact, 0);
  EXPECT_EQ(result.sweeps, 2);
}

}  // namespace
}  // namespace distal
