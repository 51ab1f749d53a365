// The solution that belongs to a basis: M restricted to it, factorised, with a step of refinement.
#include <algorithm>
#include <cmath>

#include "distal/solver/lemke.hpp"

namespace distal {

// True if z and w of this basis are nowhere negative, beyond the tolerance.
bool Lemke::solve_basis(const Eigen::Ref<const Eigen::MatrixXd>& m, const Eigen::Ref<const Eigen::VectorXd>& q) {
  members_.clear();
  for (int v = 0; v < n_; ++v)
    if (in_basis_[static_cast<std::size_t>(v)]) members_.push_back(v);
  const auto size = static_cast<Eigen::Index>(members_.size());
  z_.head(n_).setZero();
  w_.head(n_) = q;
  if (!factorise(m)) return false;
  for (int round = 0; round < 2; ++round) {
    for (Eigen::Index i = 0; i < size; ++i) rest_[i] = -w_[members_[static_cast<std::size_t>(i)]];
    substitute(rest_);
    for (Eigen::Index i = 0; i < size; ++i) z_[members_[static_cast<std::size_t>(i)]] += rest_[i];
    w_.head(n_) = q;
    for (const int v : members_) w_.head(n_) += z_[v] * m.col(v);
  }
  const bool feasible = m_scale_ * z_.head(n_).minCoeff() >= -tolerance_ && w_.head(n_).minCoeff() >= -tolerance_;
  if (z_.head(n_).minCoeff() < 0.0) {
    z_.head(n_) = z_.head(n_).cwiseMax(0.0);
    w_.head(n_) = q;
    for (const int v : members_) w_.head(n_) += z_[v] * m.col(v);
  }
  return feasible;
}

// Rows exchanged for the largest pivot. False if singular.
bool Lemke::factorise(const Eigen::Ref<const Eigen::MatrixXd>& m) {
  const auto size = static_cast<Eigen::Index>(members_.size());
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> factor(factor_.data(), size, size);
  for (Eigen::Index i = 0; i < size; ++i)
    for (Eigen::Index j = 0; j < size; ++j)
      factor(i, j) = m(members_[static_cast<std::size_t>(i)], members_[static_cast<std::size_t>(j)]);
  for (Eigen::Index k = 0; k < size; ++k) {
    Eigen::Index largest = k;
    factor.col(k).tail(size - k).cwiseAbs().maxCoeff(&largest);
    largest += k;
    order_[static_cast<std::size_t>(k)] = static_cast<int>(largest);
    if (!(std::abs(factor(largest, k)) > 1e-14 * m_scale_)) return false;
    if (largest != k) factor.row(k).swap(factor.row(largest));
    for (Eigen::Index i = k + 1; i < size; ++i) {
      const double share = factor(i, k) /= factor(k, k);
      if (share != 0.0) factor.row(i).tail(size - k - 1) -= share * factor.row(k).tail(size - k - 1);
    }
  }
  return true;
}

void Lemke::substitute(Eigen::VectorXd& x) const {
  const auto size = static_cast<Eigen::Index>(members_.size());
  Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> factor(factor_.data(), size,
                                                                                                  size);
  for (Eigen::Index k = 0; k < size; ++k) std::swap(x[k], x[order_[static_cast<std::size_t>(k)]]);
  for (Eigen::Index i = 1; i < size; ++i) x[i] -= factor.row(i).head(i).dot(x.head(i));
  for (Eigen::Index i = size; i-- > 0;) {
    x[i] -= factor.row(i).tail(size - i - 1).dot(x.segment(i + 1, size - i - 1));
    x[i] /= factor(i, i);
  }
}

}  // namespace distal
