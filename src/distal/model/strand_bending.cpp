// A piece of five rings stands for the endless strand: forces on its middle ring come from these alone. A curvature
// moves the rings as a beam's sections, and beside that all rings alike, by what leaves the middle one without force.
// The forces that this needs on the two rings at an end are the bending moment. Twisting is found in the same way.
#include "distal/model/strand_bending.hpp"

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <vector>

#include "distal/geometry/strand_mesh.hpp"
#include "distal/model/tet_means.hpp"

namespace distal {
namespace {

constexpr int kPieceRings = 5, kMiddleRing = 2;

using SparseMatrix = Eigen::SparseMatrix<double>;
using Triplets = std::vector<Eigen::Triplet<double>>;

// What a mean gradient H adds to the stiffness at rest: linear |H|^2/2 + turned tr(H H)/2 + trace (tr H)^2/2.
struct MeanModuli {
  double linear, turned, trace;
};

void add_mean(const TetMean& mean, const MeanModuli& m, Triplets& to) {
  for (const auto& [i, gi] : mean.sum.entries)
    for (const auto& [j, gj] : mean.sum.entries) {
      const Mat3 k =
          (m.linear * gi.dot(gj) * Mat3::Identity() + m.turned * gj * gi.transpose() + m.trace * gi * gj.transpose()) /
          mean.volume;
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) to.emplace_back(3 * i + a, 3 * j + b, k(a, b));
    }
}

SparseMatrix assembled(const Triplets& triplets, Eigen::Index size) {
  SparseMatrix matrix(size, size);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

}  // namespace

struct StrandBending::Matrices {
  SparseMatrix without_share, by_share;  // the stiffness is their sum, the latter times the vertices' share
  std::vector<Vec3> place;
  int places = 0;

  int vertex(int p, int ring) const { return p * kPieceRings + ring; }

  // The same motion in every ring, written for each place once.
  Eigen::VectorXd in_all_rings(const Eigen::VectorXd& ring) const {
    Eigen::VectorXd all(3 * places * kPieceRings);
    for (int p = 0; p < places; ++p)
      for (int r = 0; r < kPieceRings; ++r) all.segment<3>(3 * vertex(p, r)) = ring.segment<3>(3 * p);
    return all;
  }
  Eigen::VectorXd on_middle_ring(const Eigen::VectorXd& all) const {
    Eigen::VectorXd ring(3 * places);
    for (int p = 0; p < places; ++p) ring.segment<3>(3 * p) = all.segment<3>(3 * vertex(p, kMiddleRing));
    return ring;
  }
  // What moves of all rings alike do to the middle one.
  Eigen::MatrixXd ring_matrix(const SparseMatrix& all) const {
    Eigen::MatrixXd ring = Eigen::MatrixXd::Zero(3 * places, 3 * places);
    for (int column = 0; column < all.outerSize(); ++column)
      for (SparseMatrix::InnerIterator entry(all, column); entry; ++entry) {
        const auto row = static_cast<int>(entry.row());
        if (row / 3 % kPieceRings != kMiddleRing) continue;
        ring(3 * (row / 3 / kPieceRings) + row % 3, 3 * (column / 3 / kPieceRings) + column % 3) += entry.value();
      }
    return ring;
  }
  // Moves that cost nothing, along the axes and about the strand's, are given a price: they do not come up.
  void hold_whole(Eigen::MatrixXd& ring) const {
    Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(3 * places, 4);
    for (int p = 0; p < places; ++p) {
      whole.block<3, 3>(3 * p, 0).setIdentity();
      whole.block<3, 1>(3 * p, 3) = Vec3::UnitX().cross(place[static_cast<std::size_t>(vertex(p, 0))]);
    }
    whole.colwise().normalize();
    ring += ring.trace() / static_cast<double>(ring.rows()) * whole * whole.transpose();
  }
  SparseMatrix of_share(double vertex_share) const { return without_share + vertex_share * by_share; }
  Eigen::LDLT<Eigen::MatrixXd> ring_solver(const SparseMatrix& all) const {
    Eigen::MatrixXd ring = ring_matrix(all);
    hold_whole(ring);
    return Eigen::LDLT<Eigen::MatrixXd>(ring);
  }
  // In the plane of x and an axis across.
  double bend(const SparseMatrix& all, const Eigen::LDLT<Eigen::MatrixXd>& ring, int across) const {
    Eigen::VectorXd moves = Eigen::VectorXd::Zero(all.rows());
    for (int n = 0; n < places * kPieceRings; ++n) {
      const Vec3& at = place[static_cast<std::size_t>(n)];
      moves[3 * n] = at.x() * at[across];
      moves[3 * n + across] = -0.5 * at.x() * at.x();
    }
    moves -= in_all_rings(ring.solve(on_middle_ring(all * moves)));
    const Eigen::VectorXd force = all * moves;
    double moment = 0.0;
    for (int p = 0; p < places; ++p)
      for (int r = kMiddleRing + 1; r < kPieceRings; ++r) {
        const Vec3& at = place[static_cast<std::size_t>(vertex(p, r))];
        moment += at[across] * force[3 * vertex(p, r)] - at.x() * force[3 * vertex(p, r) + across];
      }
    return moment;
  }
  // About x: sections turn and warp.
  double twist(const SparseMatrix& all, const Eigen::LDLT<Eigen::MatrixXd>& ring) const {
    Eigen::VectorXd moves = Eigen::VectorXd::Zero(all.rows());
    for (int n = 0; n < places * kPieceRings; ++n) {
      const Vec3& at = place[static_cast<std::size_t>(n)];
      moves.segment<3>(3 * n) = at.x() * Vec3::UnitX().cross(at);
    }
    moves -= in_all_rings(ring.solve(on_middle_ring(all * moves)));
    const Eigen::VectorXd force = all * moves;
    double moment = 0.0;
    for (int p = 0; p < places; ++p)
      for (int r = kMiddleRing + 1; r < kPieceRings; ++r) {
        const int n = vertex(p, r);
        moment += place[static_cast<std::size_t>(n)].cross(Vec3(force.segment<3>(3 * n))).x();
      }
    return moment;
  }
};

StrandBending::StrandBending(const StrandSection& section, double spacing_m, const ElasticModuli& moduli)
    : matrices_(std::make_unique<Matrices>()) {
  std::vector<Vec3> line;
  for (int r = 0; r < kPieceRings; ++r) line.emplace_back((r - kMiddleRing) * spacing_m, 0.0, 0.0);
  const TetMesh mesh = make_strand_mesh(section, 0.0, line, "strand").mesh;
  const auto size = static_cast<Eigen::Index>(3 * mesh.vertices.size());
  const double mu = moduli.shear_pa;
  Triplets edges, vertices, rest;
  for (const auto& [ends, mean] : find_edge_means(mesh)) add_mean(mean, {mu, 0.0, 0.0}, edges);
  for (const TetMean& mean : find_vertex_means(mesh)) {
    add_mean(mean, {mu, 0.0, 0.0}, vertices);
    add_mean(mean, {0.0, mu, moduli.lame_lambda_pa}, rest);
  }
  Matrices& m = *matrices_;
  m.place = mesh.vertices;
  m.places = static_cast<int>(section.points.size());
  const SparseMatrix of_edges = assembled(edges, size);
  m.without_share = of_edges + assembled(rest, size);
  m.by_share = assembled(vertices, size) - of_edges;
}

StrandBending::~StrandBending() = default;

double StrandBending::stiffness_n_m2(double vertex_share) const {
  const Matrices& m = *matrices_;
  const SparseMatrix all = m.of_share(vertex_share);
  const Eigen::LDLT<Eigen::MatrixXd> ring = m.ring_solver(all);
  return 0.5 * (m.bend(all, ring, 1) + m.bend(all, ring, 2));
}

double StrandBending::torsion_n_m2(double vertex_share) const {
  const SparseMatrix all = matrices_->of_share(vertex_share);
  return matrices_->twist(all, matrices_->ring_solver(all));
}

// The stiffness falls as the share rises, since vertices are never stiffer than edges.
double StrandBending::find_vertex_share(double wanted) const {
  double low = kLeastVertexShare, high = kMostVertexShare;
  if (stiffness_n_m2(low) <= wanted) return low;
  if (stiffness_n_m2(high) >= wanted) return high;
  while (high - low > 1e-4) {
    const double middle = 0.5 * (low + high);
    (stiffness_n_m2(middle) > wanted ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace distal
