#include "distal/solver/lanczos.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace distal {
namespace {

template <typename Real>
double dot(const std::vector<Real>& a, const std::vector<Real>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

}  // namespace

double largest_tridiagonal_eigenvalue(std::span<const double> alpha, std::span<const double> beta) {
  double low = alpha[0], high = alpha[0];  // Gershgorin's interval
  for (std::size_t i = 0; i < alpha.size(); ++i) {
    const double reach = (i > 0 ? std::abs(beta[i - 1]) : 0.0) + (i + 1 < alpha.size() ? std::abs(beta[i]) : 0.0);
    low = std::min(low, alpha[i] - reach), high = std::max(high, alpha[i] + reach);
  }
  // The Sturm sequence has no positive member exactly when all eigenvalues lie below the shift.
  const auto all_below = [&](double shift) {
    double pivot = 1.0;
    for (std::size_t i = 0; i < alpha.size(); ++i) {
      pivot = alpha[i] - shift - (i > 0 ? beta[i - 1] * beta[i - 1] / pivot : 0.0);
      if (pivot > 0.0) return false;
      if (pivot == 0.0) pivot = -1e-300;
    }
    return true;
  };
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (all_below(middle) ? high : low) = middle;
  }
  return high;
}

static double smallest_tridiagonal_eigenvalue(std::span<const double> alpha, std::span<const double> beta) {
  std::vector<double> minus_alpha(alpha.begin(), alpha.end());
  for (double& a : minus_alpha) a = -a;
  return -largest_tridiagonal_eigenvalue(minus_alpha, beta);
}

SpectrumEnds find_spectrum_ends(const std::function<void(const std::vector<double>&, std::vector<double>&)>& apply,
                                const std::vector<double>& start, int most_products, double tolerance,
                                bool need_smallest, bool need_vector) {
  const std::size_t n = start.size();
  std::vector<double> previous(n, 0.0), current = start, next(n, 0.0), alpha, beta;
  std::vector<std::vector<double>> basis;
  const double start_norm = std::sqrt(dot(current, current));
  for (double& c : current) c /= start_norm;
  SpectrumEnds ends;
  while (ends.products < most_products) {
    if (need_vector) basis.push_back(current);
    apply(current, next);
    ++ends.products;
    alpha.push_back(dot(current, next));
    const double back = beta.empty() ? 0.0 : beta.back();
    for (std::size_t i = 0; i < n; ++i) next[i] -= alpha.back() * current[i] + back * previous[i];
    const double norm = std::sqrt(dot(next, next));
    const bool exhausted = norm <= 1e-12 * std::abs(alpha.front());
    if (ends.products % 5 == 0 || exhausted || ends.products == most_products) {
      const double low = smallest_tridiagonal_eigenvalue(alpha, beta),
                   high = largest_tridiagonal_eigenvalue(alpha, beta);
      const bool settled = std::abs(high - ends.largest) <= tolerance * std::abs(high) &&
                           (!need_smallest || std::abs(low - ends.smallest) <= tolerance * std::abs(low));
      ends.smallest = low, ends.largest = high;
      if (exhausted || (settled && ends.products > 5)) break;
    }
    beta.push_back(norm);
    previous.swap(current);
    for (std::size_t i = 0; i < n; ++i) current[i] = next[i] / norm;
  }
  if (need_vector) {
    const auto m = static_cast<Eigen::Index>(alpha.size());
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
    solver.computeFromTridiagonal(Eigen::Map<Eigen::VectorXd>(alpha.data(), m),
                                  Eigen::Map<Eigen::VectorXd>(beta.data(), m - 1), Eigen::ComputeEigenvectors);
    ends.largest_vector.assign(n, 0.0);
    for (Eigen::Index k = 0; k < m; ++k)
      for (std::size_t i = 0; i < n; ++i)
        ends.largest_vector[i] += solver.eigenvectors()(k, m - 1) * basis[static_cast<std::size_t>(k)][i];
  }
  return ends;
}

LargestEigenvalue::LargestEigenvalue(std::size_t size, int products)
    : products_(products), previous_(size), current_(size), next_(size) {
  alpha_.reserve(static_cast<std::size_t>(products)), beta_.reserve(static_cast<std::size_t>(products));
}

double LargestEigenvalue::find(const std::function<void(const std::vector<float>&, std::vector<float>&)>& apply) {
  const auto scale = [](std::vector<float>& v, double by) {
    for (float& x : v) x = static_cast<float>(by * x);
  };
  scale(current_, 1.0 / std::sqrt(dot(current_, current_)));
  std::fill(previous_.begin(), previous_.end(), 0.0F);
  alpha_.clear(), beta_.clear();
  for (int n = 0; n < products_; ++n) {
    apply(current_, next_);
    alpha_.push_back(dot(current_, next_));
    const double back = beta_.empty() ? 0.0 : beta_.back();
    for (std::size_t i = 0; i < next_.size(); ++i)
      next_[i] = static_cast<float>(next_[i] - alpha_.back() * current_[i] - back * previous_[i]);
    const double norm = std::sqrt(dot(next_, next_));
    if (n + 1 == products_ || norm <= 1e-6 * std::abs(alpha_.front())) break;
    beta_.push_back(norm);
    scale(next_, 1.0 / norm);
    previous_.swap(current_);
    current_.swap(next_);
  }
  return largest_tridiagonal_eigenvalue(alpha_, beta_);
}

}  // namespace distal
