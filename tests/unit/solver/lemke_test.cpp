#include "distal/solver/lemke.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>

#include "support/lcp_problems.hpp"
#include "support/siconos_lcp.hpp"

namespace distal {
namespace {

constexpr std::array kKinds = {LcpKind::definite, LcpKind::skewed,         LcpKind::singular,
                               LcpKind::friction, LcpKind::sparse_integer, LcpKind::any};

// The conditions themselves, from M and q, in the problem's own units.
void expect_solution(const LcpProblem& p, const Lemke& lemke, const std::string& name) {
  const Eigen::VectorXd z = lemke.z(), w = p.m * z + p.q;
  const double w_scale = std::max(p.q.cwiseAbs().maxCoeff(), 1e-300), z_scale = std::max(z.maxCoeff(), 1e-300);
  EXPECT_GE(z.minCoeff(), 0.0) << name;
  EXPECT_GE(w.minCoeff(), -1e-9 * w_scale) << name;
  EXPECT_LE(std::abs(w.dot(z)), 1e-9 * w_scale * z_scale) << name;
  EXPECT_NEAR((w - lemke.w()).cwiseAbs().maxCoeff(), 0.0, 1e-11 * w_scale * static_cast<double>(w.size())) << name;
}

struct Count {
  int solved = 0, rays = 0, given_up = 0, missed = 0, siconos_missed = 0, compared = 0, pivots = 0;
  double worst_difference = 0.0, worst_residual = 0.0;
};

// One problem, against Siconos.
void compare(LcpKind kind, std::uint64_t number, Eigen::Index n, Lemke& lemke, SiconosLemke& siconos, Count& count) {
  const LcpProblem p = make_lcp(kind, random_key(number, "lcp"), n);
  const std::string name = fmt::format("kind {}, problem {}, n = {}", static_cast<int>(kind), number, p.q.size());
  const LemkeResult result = lemke.solve(p.m, p.q);
  count.pivots += result.pivots;
  // Siconos says "solved" also at the end of a ray: what it returns decides.
  const bool theirs = siconos.solve(p.m, p.q) && (p.m * siconos.z() + p.q).cwiseMin(siconos.z()).cwiseAbs().maxCoeff() <
                                                     1e-7 * p.q.cwiseAbs().maxCoeff();
  ASSERT_TRUE(kind == LcpKind::any || result.status == LemkeStatus::solved) << name;
  if (result.status == LemkeStatus::solved) {
    ++count.solved;
    expect_solution(p, lemke, name);
    count.worst_residual = std::max(count.worst_residual, result.residual);
  } else {
    // Only for matrices of no class (see above), whose path can be longer than anybody waits.
    ++(result.status == LemkeStatus::ray ? count.rays : count.given_up);
    EXPECT_GT(result.residual, 1e-6) << name;  // it says that something is missing
  }
  const bool ours = result.status == LemkeStatus::solved;
  count.siconos_missed += ours && !theirs;
  if (theirs && !ours) {
    ++count.missed;
    fmt::print("{}: Siconos solved it, we end with status {}, residual {:.1e}\n", name, static_cast<int>(result.status),
               result.residual);
  }
  // Positive definite: one solution, whoever finds it.
  const bool unique = kind == LcpKind::definite || kind == LcpKind::skewed || kind == LcpKind::sparse_integer;
  if (!unique || !theirs) return;
  ++count.compared;
  const double difference = (lemke.z() - siconos.z()).cwiseAbs().maxCoeff() / siconos.z().cwiseAbs().maxCoeff();
  count.worst_difference = std::max(count.worst_difference, difference);
  EXPECT_LT(difference, 1e-7) << name;
}

void compare_many(int problems, Eigen::Index most) {
  Lemke lemke(static_cast<int>(most));
  SiconosLemke siconos;
  Count count;
  for (int i = 0; i < problems; ++i) {
    const auto number = static_cast<std::uint64_t>(i);
    const Eigen::Index n =
        8 + static_cast<Eigen::Index>(random_bits(3, number, 0) % static_cast<std::uint64_t>(most - 7));
    compare(kKinds[number % kKinds.size()], number + static_cast<std::uint64_t>(most) * 100000, n, lemke, siconos,
            count);
    if (testing::Test::HasFatalFailure()) return;
  }
  fmt::print(
      "{} problems up to n = {}: {} solved, {} rays, {} given up; {} only by Siconos, {} only by us; {:.1f} pivots "
      "each, "
      "residual at most {:.1e}, difference to Siconos at most {:.1e}\n",
      problems, most, count.solved, count.rays, count.given_up, count.missed, count.siconos_missed,
      count.pivots / (1.0 * problems), count.worst_residual, count.worst_difference);
  EXPECT_EQ(count.missed, 0);
  EXPECT_GT(count.compared, problems * 48 / 100);  // half of the kinds have one solution
  EXPECT_GT(count.solved, problems * 4 / 5);
}

TEST(Lemke, RandomProblems) { compare_many(600, 60); }
TEST(LongLemke, TenThousandRandomProblemsUpTo120) { compare_many(10000, 120); }
TEST(LongLemke, HundredProblemsUpTo400) { compare_many(100, 400); }

TEST(Lemke, SolvesAProblemByHand) {
  // z1 + 2 z2 = 5, 2 z1 + 5 z2 = 12 has a positive solution, (1, 2).
  LcpProblem p{Eigen::MatrixXd(2, 2), Eigen::VectorXd(2)};
  p.m << 1.0, 2.0, 2.0, 5.0;
  p.q << -5.0, -12.0;
  Lemke lemke(2);
  const LemkeResult result = lemke.solve(p.m, p.q);
  EXPECT_EQ(result.status, LemkeStatus::solved);
  EXPECT_NEAR(lemke.z()[0], 1.0, 1e-12);
  EXPECT_NEAR(lemke.z()[1], 2.0, 1e-12);
  EXPECT_LT(result.residual, 1e-14);
  // Nothing to do where q is not negative.
  p.q << 0.0, 3.0;
  EXPECT_EQ(lemke.solve(p.m, p.q).pivots, 0);
  EXPECT_EQ(lemke.z().norm(), 0.0);
}

TEST(Lemke, SaysThatThereIsNoSolution) {
  Lemke lemke(3);
  for (const double diagonal : {-1.0, 0.0}) {
    const Eigen::MatrixXd m = diagonal * Eigen::MatrixXd::Identity(3, 3);
    const LemkeResult result = lemke.solve(m, Eigen::Vector3d(-1.0, -2.0, 0.5));
    EXPECT_EQ(result.status, LemkeStatus::ray);
    EXPECT_GT(result.residual, 0.4);
  }
}

// ---- degenerate problems, on which careless rules go round in circles ----

void expect_solved(const Eigen::MatrixXd& m, const Eigen::VectorXd& q, const std::string& name) {
  Lemke lemke(static_cast<int>(q.size()));
  const LemkeResult result = lemke.solve(m, q);
  EXPECT_EQ(result.status, LemkeStatus::solved) << name;
  expect_solution({m, q}, lemke, name);
}

// The optimality conditions of: minimise c x, A x >= b, x >= 0.
void expect_program_solved(const Eigen::MatrixXd& a, const Eigen::VectorXd& b, const Eigen::VectorXd& c, double cost) {
  const Eigen::Index n = c.size(), rows = b.size();
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(n + rows, n + rows);
  m.topRightCorner(n, rows) = -a.transpose();
  m.bottomLeftCorner(rows, n) = a;
  Eigen::VectorXd q(n + rows);
  q << c, -b;
  Lemke lemke(static_cast<int>(n + rows));
  EXPECT_EQ(lemke.solve(m, q).status, LemkeStatus::solved);
  expect_solution({m, q}, lemke, "linear program");
  EXPECT_NEAR(c.dot(lemke.z().head(n)), cost, 1e-9);
}

TEST(Lemke, DoesNotCycleOnBealesExample) {
  Eigen::MatrixXd a(3, 4);
  a << 0.25, -60.0, -1.0 / 25.0, 9.0, 0.5, -90.0, -1.0 / 50.0, 3.0, 0.0, 0.0, 1.0, 0.0;
  expect_program_solved(-a, Eigen::Vector3d(0.0, 0.0, -1.0), Eigen::Vector4d(-0.75, 150.0, -0.02, 6.0), -0.05);
}

TEST(Lemke, DoesNotCycleOnHoffmansAndKuhnsExample) {
  Eigen::MatrixXd a(3, 4);  // Kuhn: least cost -2
  a << -2.0, -9.0, 1.0, 9.0, 1.0 / 3.0, 1.0, -1.0 / 3.0, -2.0, 2.0, 3.0, -1.0, -12.0;
  expect_program_solved(-a, Eigen::Vector3d(0.0, 0.0, -2.0), Eigen::Vector4d(-2.0, -3.0, 1.0, 12.0), -2.0);
}

TEST(Lemke, DoesNotCycleOnKostrevasExample) {
  Eigen::MatrixXd m(3, 3);
  m << 1.0, 2.0, 0.0, 0.0, 1.0, 2.0, 2.0, 0.0, 1.0;
  expect_solved(m, -Eigen::VectorXd::Ones(3), "Kostreva 1979");
}

TEST(Lemke, SolvesHighlyDegenerateProblems) {
  for (const int n : {3, 10, 40, 100}) {
    expect_solved(Eigen::MatrixXd::Ones(n, n), -Eigen::VectorXd::Ones(n), "ones");
    Eigen::VectorXd one = Eigen::VectorXd::Zero(n);
    one[n / 2] = -1.0;
    expect_solved(Eigen::MatrixXd::Ones(n, n) + Eigen::MatrixXd::Identity(n, n), one, "a single one");
    Eigen::MatrixXd circle = Eigen::MatrixXd::Identity(n, n);
    for (int i = 0; i < n; ++i) circle(i, (i + 1) % n) += 2.0;
    if (n % 2 == 1) expect_solved(circle, -Eigen::VectorXd::Ones(n), "a circle of twos");
  }
  // Every contact twice: half of the rows repeat the others.
  const RandomContacts once = make_contacts(5, 4, 0.0);
  RandomContacts twice = once;
  twice.a = once.a.replicate(2, 2), twice.b = once.b.replicate(2, 1);
  twice.contacts.insert(twice.contacts.end(), once.contacts.begin(), once.contacts.end());
  LcpProblem p;
  build_friction_problem(twice.a, twice.b, twice.contacts, make_friction_cone(8, ConeFit::inscribed), p.m, p.q);
  expect_solved(p.m, p.q, "doubled contacts");
}

// Contacts whose first path ends in a nearly singular basis: another covering vector goes round it.
TEST(Lemke, GoesAnotherWayPastANearlySingularBasis) {
  for (const std::uint64_t seed : {225, 418, 1550, 1558}) {
    const RandomContacts contacts = make_contacts(random_key(seed, "way"), 5);
    LcpProblem p;
    build_friction_problem(contacts.a, contacts.b, contacts.contacts, small_cone(10), p.m, p.q);
    expect_solved(p.m, p.q, fmt::format("seed {}", seed));
  }
}

// Murty 1978: as many pivots as the method can need, 2^n; it ends all the same, or says that it gave up.
TEST(Lemke, EndsOnTheProblemsOfExponentialLength) {
  const int n = 8;
  Eigen::MatrixXd m = Eigen::MatrixXd::Identity(n, n);
  Eigen::VectorXd q(n);
  for (int i = 0; i < n; ++i) {
    m.row(i).head(i).setConstant(2.0);
    q[i] = -std::ldexp(1.0, n + 1) + std::ldexp(1.0, n - i);  // -(2^n + 2^(n-1) + ...), i + 1 terms
  }
  Lemke lemke(n);
  LemkeOptions options;
  const LemkeResult full = lemke.solve(m, q, options);
  EXPECT_EQ(full.status, LemkeStatus::solved);
  EXPECT_EQ(full.pivots, 256);
  expect_solution({m, q}, lemke, "Murty");
  options.pivots_per_variable = 0;
  const LcpProblem large = make_lcp(LcpKind::skewed, 9, 60);
  Lemke another(60);
  const LemkeResult cut = another.solve(large.m, large.q, options);
  EXPECT_EQ(cut.status, LemkeStatus::too_many_pivots);
  EXPECT_GT(cut.residual, 1e-3);
}

// ---- warm start ----

// Contacts whose geometry and velocities change a little from step to step.
RandomContacts moved_contacts(int step) {
  RandomContacts problem = make_contacts(21, 6);
  const RandomContacts other = make_contacts(22, 6);
  const double share = 0.5 + 0.5 * std::sin(0.01 * step);
  problem.a = (1.0 - 0.3 * share) * problem.a + 0.3 * share * other.a;
  problem.b = (1.0 - share) * problem.b + share * other.b;
  return problem;
}

TEST(Lemke, WarmStartHalvesThePivotsAlongAMotion) {
  const FrictionCone cone = make_friction_cone(8, ConeFit::balanced);
  Lemke cold(60), warm(60);
  int cold_pivots = 0, warm_pivots = 0, restored = 0, untouched = 0;
  for (int step = 0; step < 300; ++step) {
    const RandomContacts contacts = moved_contacts(step);
    LcpProblem p;
    build_friction_problem(contacts.a, contacts.b, contacts.contacts, cone, p.m, p.q);
    const LemkeResult from_cold = cold.solve(p.m, p.q);
    LemkeOptions options;
    options.warm = true;
    const LemkeResult from_warm = warm.solve(p.m, p.q, options);
    ASSERT_EQ(from_cold.status, LemkeStatus::solved);
    ASSERT_EQ(from_warm.status, LemkeStatus::solved);
    expect_solution(p, warm, fmt::format("step {}", step));
    cold_pivots += from_cold.pivots, warm_pivots += from_warm.pivots, restored += from_warm.restore_pivots;
    untouched += from_warm.warm && from_warm.pivots + from_warm.restore_pivots == 0;
  }
  fmt::print("300 steps: {} pivots cold, {} warm and {} to restore the basis; {} steps without any\n", cold_pivots,
             warm_pivots, restored, untouched);
  EXPECT_LE(2 * (warm_pivots + restored), cold_pivots);
  EXPECT_GT(untouched, 150);
}

TEST(Lemke, WarmStartFromAnUnrelatedBasisIsStillRight) {
  Lemke lemke(60);
  LemkeOptions options;
  options.warm = true;
  for (std::uint64_t i = 0; i < 60; ++i) {
    const LcpProblem p = make_lcp(kKinds[i % 5], random_key(i, "warm"), 40);
    EXPECT_EQ(lemke.solve(p.m, p.q, options).status, LemkeStatus::solved) << i;
    expect_solution(p, lemke, fmt::format("problem {}", i));
  }
}

}  // namespace
}  // namespace distal
