// Complementarity problems by recipe and number, the same on every machine.
#pragma once
#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "distal/math/counter_random.hpp"
#include "distal/solver/friction_cone.hpp"

namespace distal {

struct LcpProblem {
  Eigen::MatrixXd m;
  Eigen::VectorXd q;
};

enum class LcpKind { definite, skewed, singular, friction, sparse_integer, any };

// Normal random numbers.
inline Eigen::MatrixXd random_matrix(std::uint64_t key, Eigen::Index rows, Eigen::Index columns) {
  Eigen::MatrixXd m(rows, columns);
  for (Eigen::Index j = 0; j < columns; ++j)
    for (Eigen::Index i = 0; i < rows; ++i)
      m(i, j) = random_normal(key, static_cast<std::uint64_t>(j), static_cast<std::uint64_t>(i));
  return m;
}

// Contacts between a few rigid bodies: A = J J' with a little compliance, and velocities that close most of them.
struct RandomContacts {
  Eigen::MatrixXd a;
  Eigen::VectorXd b;
  std::vector<FrictionContact> contacts;
};
inline RandomContacts make_contacts(std::uint64_t key, int count, double compliance = 1e-6) {
  const Eigen::Index size = 4 * count;
  const Eigen::MatrixXd j = random_matrix(mixed(key + 1), size, 6 * (1 + count / 3));
  RandomContacts problem{j * j.transpose(), random_matrix(mixed(key + 2), size, 1), {}};
  problem.a.diagonal().array() += compliance * problem.a.trace() / static_cast<double>(size);
  for (int i = 0; i < count; ++i) {
    problem.b[4 * i] = -std::abs(problem.b[4 * i]);
    problem.contacts.push_back({0.2 + 0.6 * random_share(key, static_cast<std::uint64_t>(i), 3), 1.0});
  }
  return problem;
}

// 6, 8, 10 or 12 vertices.
inline const FrictionCone& small_cone(int vertices) {
  static const std::array<FrictionCone, 4> cones = {
      make_friction_cone(6, ConeFit::balanced), make_friction_cone(8, ConeFit::balanced),
      make_friction_cone(10, ConeFit::balanced), make_friction_cone(12, ConeFit::balanced)};
  return cones[static_cast<std::size_t>(vertices / 2 - 3)];
}

inline LcpProblem make_lcp(LcpKind kind, std::uint64_t key, Eigen::Index n) {
  const Eigen::MatrixXd r = random_matrix(key, n, n);
  LcpProblem p{r, random_matrix(mixed(key), n, 1)};
  switch (kind) {
    case LcpKind::definite:
      p.m = r * r.transpose() / n + 0.01 * Eigen::MatrixXd::Identity(n, n);
      break;
    case LcpKind::skewed:
      p.m = 0.1 * Eigen::MatrixXd::Identity(n, n) + r - r.transpose();
      break;
    case LcpKind::singular: {  // half the rank, q such that a solution exists
      const Eigen::MatrixXd half = r.leftCols((n + 1) / 2);
      p.m = half * half.transpose() / n;
      const Eigen::VectorXd z = p.q.cwiseMax(0.0), w = (-p.q).cwiseMax(0.0);
      p.q = w - p.m * z;
      break;
    }
    case LcpKind::friction: {
      const int u = 6 + 2 * static_cast<int>(random_bits(key, 0, 9) % 4);
      const int count = std::max(1, static_cast<int>(n) / (u + 2));
      const RandomContacts contacts = make_contacts(key, count);
      build_friction_problem(contacts.a, contacts.b, contacts.contacts, small_cone(u), p.m, p.q);
      break;
    }
    case LcpKind::sparse_integer: {  // few small integers: ties everywhere. B + B' dominated: it has a solution
      p.m = r.unaryExpr([](double x) { return std::abs(x) < 1.2 ? 0.0 : std::round(x); });
      p.m = (p.m * p.m.transpose()).eval();
      p.m.diagonal().array() += 1.0;
      p.q = p.q.unaryExpr([](double x) { return x < 0.3 ? -1.0 : 0.0; });
      break;
    }
    case LcpKind::any:
      break;
  }
  return p;
}

}  // namespace distal
