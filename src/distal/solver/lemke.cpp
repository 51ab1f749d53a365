#include "distal/solver/lemke.hpp"

#include <algorithm>
#include <cmath>

#include "distal/core/error.hpp"
#include "distal/math/counter_random.hpp"

namespace distal {
namespace {

// In the tableau the largest entries of M and q are 1, so that rounding is known.
constexpr double kLeastPivot = 1e-10;  // also as a share of the column's largest entry
constexpr double kTie = 1e-11;         // ratios that differ by this share are equal
constexpr double kNoise = 1e-11;       // of an entry that would be 0
constexpr double kGoodResidual = 1e-10, kFairResidual = 1e-9;
constexpr int kAttempts = 4;

}  // namespace

Lemke::Lemke(int most_variables) {
  DISTAL_ASSERT(most_variables > 0);
  const auto n = static_cast<std::size_t>(most_variables);
  tableau_.resize(n * (n + 3));
  factor_.resize(n * n);
  basic_.resize(n), other_.resize(n + 1), place_.resize(2 * n + 1), ties_.reserve(n);
  in_basis_.resize(n), exchanged_.resize(n), members_.reserve(n), order_.resize(n);
  for (Eigen::VectorXd* vector : {&z_, &w_, &step_, &rest_}) vector->setZero(most_variables);
}

LemkeResult Lemke::solve(const Eigen::Ref<const Eigen::MatrixXd>& m, const Eigen::Ref<const Eigen::VectorXd>& q,
                         const LemkeOptions& options) {
  DISTAL_ASSERT(m.rows() == q.size() && m.cols() == q.size() && q.size() <= z_.size() && m.allFinite() &&
                q.allFinite());
  n_ = static_cast<int>(q.size());
  stride_ = n_ + 2 + n_ % 2;  // rows begin at multiples of two numbers
  most_pivots_ = options.pivots_per_variable * n_ + 10;
  q_scale_ = n_ > 0 ? q.cwiseAbs().maxCoeff() : 0.0;
  m_scale_ = n_ > 0 ? m.cwiseAbs().maxCoeff() : 0.0;
  tolerance_ = options.tolerance * q_scale_;
  LemkeResult result;
  z_.head(n_).setZero();
  w_.head(n_) = q;
  const bool warm = options.warm && has_basis_ && basis_size_ == n_;
  if (n_ == 0 || q.minCoeff() >= 0.0) {
    std::fill_n(in_basis_.begin(), n_, std::uint8_t{0});
  } else if (warm && solve_basis(m, q)) {
    result.warm = true;
  } else {
    result.warm = warm && try_run(m, q, true, 0, result);
    // Other covering vectors go other ways, past a basis that is nearly singular.
    for (int attempt = 0; !result.warm && attempt < kAttempts; ++attempt)
      if (try_run(m, q, false, attempt, result) || result.status == LemkeStatus::too_many_pivots) break;
  }
  result.residual = find_residual();
  has_basis_ = result.status == LemkeStatus::solved;
  basis_size_ = n_;
  return result;
}

// True if solved, to rounding.
bool Lemke::try_run(const Eigen::Ref<const Eigen::MatrixXd>& m, const Eigen::Ref<const Eigen::VectorXd>& q,
                    bool from_basis, int attempt, LemkeResult& result) {
  result.status = run(m, q, from_basis, attempt, result);
  // Rounding of many pivots: the basis that was found is a start for the rest.
  for (int again = 0; again < 2 && result.status == LemkeStatus::solved && find_residual() > kGoodResidual; ++again)
    result.status = run(m, q, true, attempt, result);
  if (result.status == LemkeStatus::solved && find_residual() > kFairResidual) result.status = LemkeStatus::ray;
  return result.status == LemkeStatus::solved;
}

LemkeStatus Lemke::run(const Eigen::Ref<const Eigen::MatrixXd>& m, const Eigen::Ref<const Eigen::VectorXd>& q,
                       bool from_basis, int attempt, LemkeResult& result) {
  fill(m, q);
  if (from_basis && !restore_basis(result)) return LemkeStatus::ray;
  if (!from_basis) std::fill_n(exchanged_.begin(), n_, std::uint8_t{0});
  const LemkeStatus status = pivot_to_end(attempt, result);
  if (status != LemkeStatus::solved) {
    read_tableau(m, q);
    return status;
  }
  read_basis();
  if (!solve_basis(m, q) && find_residual() > kGoodResidual) {
    const double of_basis = find_residual();
    step_.head(n_) = z_.head(n_);
    read_tableau(m, q);
    if (find_residual() > of_basis) {
      z_.head(n_) = step_.head(n_);
      w_.head(n_).noalias() = m * z_.head(n_);
      w_.head(n_) += q;
    }
  }
  return status;
}

void Lemke::fill(const Eigen::Ref<const Eigen::MatrixXd>& m, const Eigen::Ref<const Eigen::VectorXd>& q) {
  for (int i = 0; i < n_; ++i) {
    Row(row(i), n_) = m.row(i) / (m_scale_ > 0.0 ? m_scale_ : 1.0);
    at(i, n_) = 0.0, at(i, n_ + 1) = q[i] / q_scale_;
    if (stride_ > n_ + 2) at(i, n_ + 2) = 0.0;
    basic_[static_cast<std::size_t>(i)] = i, other_[static_cast<std::size_t>(i)] = n_ + i;
    place_[static_cast<std::size_t>(i)] = i, place_[static_cast<std::size_t>(n_ + i)] = -1 - i;
  }
  other_[static_cast<std::size_t>(n_)] = 2 * n_, place_[static_cast<std::size_t>(2 * n_)] = -1 - n_;
}

// Makes the z of the basis basic, by pivots on the largest entry that is left. False if the basis is singular now.
bool Lemke::restore_basis(LemkeResult& result) {
  for (;;) {
    int best_row = -1, best_column = -1;
    double best = kLeastPivot;
    bool any = false;
    for (int i = 0; i < n_; ++i) {
      const int leaving = basic_[static_cast<std::size_t>(i)];
      if (leaving >= n_ || !in_basis_[static_cast<std::size_t>(leaving)]) continue;
      any = true;
      for (int j = 0; j < n_; ++j) {
        const int entering = other_[static_cast<std::size_t>(j)] - n_;
        if (entering < 0 || !in_basis_[static_cast<std::size_t>(entering)]) continue;
        if (std::abs(at(i, j)) > best) best = std::abs(at(i, j)), best_row = i, best_column = j;
      }
    }
    if (!any) break;
    if (best_row < 0) return false;
    pivot(best_row, best_column);
    ++result.restore_pivots;
  }
  // From here on it is a problem of its own, whose w are the basic ones.
  std::copy_n(in_basis_.begin(), n_, exchanged_.begin());
  for (int v = 0; v < n_; ++v) {
    if (!exchanged_[static_cast<std::size_t>(v)]) continue;
    std::swap(place_[static_cast<std::size_t>(v)], place_[static_cast<std::size_t>(n_ + v)]);
  }
  for (int i = 0; i < 2 * n_; ++i) {
    const int p = place_[static_cast<std::size_t>(i)];
    (p >= 0 ? basic_[static_cast<std::size_t>(p)] : other_[static_cast<std::size_t>(-1 - p)]) = i;
  }
  return true;
}

LemkeStatus Lemke::pivot_to_end(int attempt, LemkeResult& result) {
  const auto key = static_cast<std::uint64_t>(attempt);
  for (int i = 0; i < n_; ++i)
    at(i, n_) = attempt == 0 ? 1.0 : 1.0 + random_share(key, static_cast<std::uint64_t>(i), 0);
  const int first = find_first_row();
  if (at(first, n_ + 1) >= -tolerance_ / q_scale_) return LemkeStatus::solved;
  int leaving = basic_[static_cast<std::size_t>(first)];
  pivot(first, n_);
  for (int count = 1; count < most_pivots_; ++count) {
    ++result.pivots;
    // What has left lets its partner in.
    const int entering = leaving < n_ ? leaving + n_ : leaving - n_;
    const int column = -1 - place_[static_cast<std::size_t>(entering)];
    const int r = find_leaving_row(column);
    if (r < 0) return LemkeStatus::ray;
    leaving = basic_[static_cast<std::size_t>(r)];
    pivot(r, column);
    if (leaving == 2 * n_) {
      ++result.pivots;
      return LemkeStatus::solved;
    }
  }
  return LemkeStatus::too_many_pivots;
}

// The most negative against its covering; of equal ones the last, whose perturbation is the smallest.
int Lemke::find_first_row() {
  int first = 0;
  for (int i = 1; i < n_; ++i)
    if (at(i, n_ + 1) * at(first, n_) <= at(first, n_ + 1) * at(i, n_)) first = i;
  return first;
}

// The row that the entering variable brings to zero first; -1 if none.
int Lemke::find_leaving_row(int column) {
  double largest = 1.0;
  for (int i = 0; i < n_; ++i) largest = std::max(largest, std::abs(at(i, column)));
  const double least_pivot = -kLeastPivot * largest;
  // An artificial variable that is zero but for rounding leaves at once, whichever way it would move.
  const int artificial = place_[static_cast<std::size_t>(2 * n_)];
  if (at(artificial, n_ + 1) <= kNoise && std::abs(at(artificial, column)) > kLeastPivot) return artificial;
  double best = HUGE_VAL;
  for (int i = 0; i < n_; ++i)
    if (at(i, column) < least_pivot) best = std::min(best, std::max(at(i, n_ + 1), 0.0) / -at(i, column));
  if (best == HUGE_VAL) return -1;
  ties_.clear();
  for (int i = 0; i < n_; ++i) {
    if (at(i, column) >= least_pivot) continue;
    if (std::max(at(i, n_ + 1), 0.0) + at(i, column) * best > kNoise) continue;
    if (basic_[static_cast<std::size_t>(i)] == 2 * n_) return i;  // the artificial one: done
    ties_.push_back(i);
  }
  if (ties_.size() > 1) thin_ties(column);
  return ties_.front();
}

// Lexicographic rule: w_i is thought to be larger by eps^(i+1), so that no two ratios are equal. In the tableau
// eps^(i+1) has the coefficient 1 in the row of a basic w_i, and minus the entry of its column otherwise.
void Lemke::thin_ties(int column) {
  const auto ratio = [&](int i, int place) {
    const double coefficient = place >= 0 ? (place == i ? 1.0 : 0.0) : -at(i, -1 - place);
    return coefficient / -at(i, column);
  };
  for (int v = 0; v < n_ && ties_.size() > 1; ++v) {
    const int place = place_[static_cast<std::size_t>(v)];
    double best = HUGE_VAL, size = 0.0;
    for (const int i : ties_) best = std::min(best, ratio(i, place)), size = std::max(size, std::abs(ratio(i, place)));
    std::erase_if(ties_, [&](int i) { return ratio(i, place) > best + kTie * size - kNoise / at(i, column); });
  }
  // Equal to rounding in all: the safest pivot.
  std::iter_swap(ties_.begin(), std::min_element(ties_.begin(), ties_.end(),
                                                 [&](int i, int j) { return at(i, column) < at(j, column); }));
}

void Lemke::pivot(int leaving_row, int entering_column) {
  double* p = row(leaving_row);
  const double inverse = 1.0 / p[entering_column];
  Row pivot_row(p, stride_);
  pivot_row *= -inverse;
  p[entering_column] = inverse;
  for (int i = 0; i < n_; ++i) {
    const double factor = at(i, entering_column);
    if (i == leaving_row || factor == 0.0) continue;
    at(i, entering_column) = 0.0;
    Row(row(i), stride_) += factor * pivot_row;
  }
  int& basic = basic_[static_cast<std::size_t>(leaving_row)];
  int& other = other_[static_cast<std::size_t>(entering_column)];
  std::swap(basic, other);
  place_[static_cast<std::size_t>(basic)] = leaving_row;
  place_[static_cast<std::size_t>(other)] = -1 - entering_column;
}

void Lemke::read_basis() {
  for (int v = 0; v < n_; ++v) {
    const bool second = place_[static_cast<std::size_t>(n_ + v)] >= 0;
    in_basis_[static_cast<std::size_t>(v)] = second != (exchanged_[static_cast<std::size_t>(v)] != 0);
  }
}

// The values as the tableau has them, the artificial variable left out.
void Lemke::read_tableau(const Eigen::Ref<const Eigen::MatrixXd>& m, const Eigen::Ref<const Eigen::VectorXd>& q) {
  for (int v = 0; v < n_; ++v) {
    const int variable = exchanged_[static_cast<std::size_t>(v)] ? v : n_ + v;
    const int place = place_[static_cast<std::size_t>(variable)];
    z_[v] = place >= 0 && m_scale_ > 0.0 ? std::max(at(place, n_ + 1), 0.0) * q_scale_ / m_scale_ : 0.0;
  }
  w_.head(n_).noalias() = m * z_.head(n_);
  w_.head(n_) += q;
}

double Lemke::find_residual() const {
  double worst = 0.0;
  for (int i = 0; i < n_; ++i) worst = std::max(worst, std::abs(std::min(m_scale_ * z_[i], w_[i])));
  return q_scale_ > 0.0 ? worst / q_scale_ : 0.0;
}

}  // namespace distal
