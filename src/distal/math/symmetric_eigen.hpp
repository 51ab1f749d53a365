// Eigenvalues and eigenvectors of small symmetric matrices by Jacobi's rotations (Golub and Van Loan, Matrix
// Computations, 8.5). Plain loops: Eigen's own solver takes the compiler ten seconds and more for each size.
#pragma once
#include <Eigen/Core>
#include <cmath>

namespace distal {

template <int N>
struct SymmetricEigen {
  Eigen::Matrix<double, N, 1> values;   // in no order
  Eigen::Matrix<double, N, N> vectors;  // columns, orthonormal
};

// Turns rows, columns and vectors p and q so that a(p, q) vanishes.
template <int N>
void rotate_away(Eigen::Matrix<double, N, N>& a, Eigen::Matrix<double, N, N>& vectors, int p, int q) {
  const double theta = 0.5 * (a(q, q) - a(p, p)) / a(p, q);
  const double t = (theta < 0.0 ? -1.0 : 1.0) / (std::abs(theta) + std::hypot(theta, 1.0));
  const double c = 1.0 / std::hypot(t, 1.0), s = t * c;
  const auto turn = [c, s](double& one, double& other) {
    const double before = one;
    one = c * before - s * other;
    other = s * before + c * other;
  };
  for (int k = 0; k < N; ++k) turn(a(k, p), a(k, q));
  for (int k = 0; k < N; ++k) turn(a(p, k), a(q, k));
  for (int k = 0; k < N; ++k) turn(vectors(k, p), vectors(k, q));
  a(p, q) = a(q, p) = 0.0;
}

// Of a finite matrix, to rounding of its largest entry. Each sweep squares what is left beside the diagonal, so that
// few are taken.
template <int N>
SymmetricEigen<N> find_symmetric_eigen(Eigen::Matrix<double, N, N> a) {
  constexpr int kSweeps = 20;
  const double rounding = 1e-16 * a.cwiseAbs().maxCoeff();
  SymmetricEigen<N> result;
  result.vectors.setIdentity();
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    bool turned = false;
    for (int p = 0; p + 1 < N; ++p)
      for (int q = p + 1; q < N; ++q)
        if (std::abs(a(p, q)) > rounding) {
          rotate_away<N>(a, result.vectors, p, q);
          turned = true;
        }
    if (!turned) break;
  }
  for (int k = 0; k < N; ++k) result.values[k] = a(k, k);
  return result;
}

}  // namespace distal
