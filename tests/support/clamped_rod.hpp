// Bending of a round rod with a clamped end in linear elasticity, by finite elements that share nothing with the
// program: displacements go as cos or sin of the angle about the axis, so that the rod is a rectangle in (r, x).
#pragma once
#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace distal::test {

class ClampedRod {
 public:
  // Of radius 1, length 8 and E = 1; quadratic elements, so many along the radius.
  ClampedRod(double nu, int along_radius) : across_(along_radius), along_(kLength * along_radius) {
    const double mu = 0.5 / (1.0 + nu), lambda = nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
    law_.diagonal() << 2.0 * mu, 2.0 * mu, 2.0 * mu, mu, mu, mu;
    law_.topLeftCorner<3, 3>().array() += lambda;
  }

  // Length that the clamp takes: under a moment M the free end turns by M (length - taken) / (E I).
  double find_taken_length() {
    const int size = 3 * node(2 * across_, 2 * along_) + 3;
    load_ = Eigen::VectorXd::Zero(size);
    for (int i = 0; i < across_; ++i)
      for (int j = 0; j < along_; ++j) add_element(i, j);
    Eigen::SparseMatrix<double> matrix(size, size);
    matrix.setFromTriplets(entries_.begin(), entries_.end());
    const Eigen::VectorXd moves = Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>(matrix).solve(load_);
    // The load is that of a unit moment; what it does is the turn.
    return kLength - load_.dot(moves) * 0.25 * std::numbers::pi;
  }

 private:
  static constexpr int kLength = 8;
  using Shape = Eigen::Matrix<double, 9, 3>;  // value, d/dr, d/dx

  int node(int i, int j) const { return j * (2 * across_ + 1) + i; }
  static std::array<double, 3> quadratic(double s) { return {0.5 * s * (s - 1.0), 1.0 - s * s, 0.5 * s * (s + 1.0)}; }
  static std::array<double, 3> slope(double s) { return {s - 0.5, -2.0 * s, s + 0.5}; }
  Shape shape(double s, double t) const {
    Shape all;
    const auto a = quadratic(s), b = quadratic(t), da = slope(s), db = slope(t);
    const double per_length = 2.0 * across_;
    for (int k = 0; k < 9; ++k) {
      const auto p = static_cast<std::size_t>(k % 3), q = static_cast<std::size_t>(k / 3);
      all.row(k) << a[p] * b[q], per_length * da[p] * b[q], per_length * a[p] * db[q];
    }
    return all;
  }

  // Strains rr, tt, xx, rt, rx, xt of u_r = U cos, u_t = V sin, u_x = W cos.
  void add_element(int i, int j) {
    const double half = 0.5 / across_, g = std::sqrt(0.6);
    Eigen::Matrix<double, 27, 27> stiffness = Eigen::Matrix<double, 27, 27>::Zero();
    for (const auto& [s, ws] : {std::pair{-g, 5.0 / 9.0}, {0.0, 8.0 / 9.0}, {g, 5.0 / 9.0}}) {
      const double r = (2 * i + 1 + s) * half;
      for (const auto& [t, wt] : {std::pair{-g, 5.0 / 9.0}, {0.0, 8.0 / 9.0}, {g, 5.0 / 9.0}}) {
        Eigen::Matrix<double, 6, 27> strain = Eigen::Matrix<double, 6, 27>::Zero();
        const Shape n = shape(s, t);
        for (int k = 0; k < 9; ++k) {
          const double value = n(k, 0), by_r = n(k, 1), by_x = n(k, 2);
          strain.col(3 * k) << by_r, value / r, 0.0, -value / r, by_x, 0.0;
          strain.col(3 * k + 1) << 0.0, value / r, 0.0, by_r - value / r, 0.0, by_x;
          strain.col(3 * k + 2) << 0.0, 0.0, by_x, 0.0, by_r, -value / r;
        }
        stiffness += std::numbers::pi * r * half * half * ws * wt * strain.transpose() * law_ * strain;
      }
      // The stress of pure bending by a unit moment, r cos / I, at the free end.
      if (j + 1 == along_) {
        const Shape n = shape(s, 1.0);
        for (int k = 0; k < 9; ++k)
          load_[3 * at(i, j, k) + 2] += std::numbers::pi * r * half * ws * n(k, 0) * r * kPerI;
      }
    }
    for (int a = 0; a < 27; ++a) {
      const int row = 3 * at(i, j, a / 3) + a % 3;
      if (j == 0 && a / 9 == 0) entries_.emplace_back(row, row, 1e6);  // clamped
      for (int b = 0; b < 27; ++b) entries_.emplace_back(row, 3 * at(i, j, b / 3) + b % 3, stiffness(a, b));
    }
  }
  int at(int i, int j, int k) const { return node(2 * i + k % 3, 2 * j + k / 3); }

  static constexpr double kPerI = 4.0 / std::numbers::pi;
  int across_, along_;
  Eigen::Matrix<double, 6, 6> law_ = Eigen::Matrix<double, 6, 6>::Zero();
  Eigen::VectorXd load_;
  std::vector<Eigen::Triplet<double>> entries_;
};

// In radii.
inline double find_clamped_length(double nu, int along_radius) {
  return ClampedRod(nu, along_radius).find_taken_length();
}

}  // namespace distal::test
