#include "distal/study/fit_statistics.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

#include "distal/core/error.hpp"

namespace distal {

double student_quantile_975(int degrees_of_freedom) {
  DISTAL_ASSERT(degrees_of_freedom > 0);
  return boost::math::quantile(boost::math::students_t(degrees_of_freedom), 0.975);
}

FitUncertainty compute_uncertainty(const Eigen::VectorXd& residuals, const Eigen::MatrixXd& jacobian,
                                   const Eigen::VectorXd& weights) {
  constexpr double kSmallestRatio = 1e-6;  // of singular values: below it differences are rounding
  const Eigen::Index count = jacobian.cols();
  FitUncertainty result;
  int& freedom = result.degrees_of_freedom;
  freedom = -static_cast<int>(count);
  for (Eigen::Index row = 0; row < jacobian.rows(); ++row)  // a point that is held tells nothing
    freedom += residuals[row] != 0.0 || !jacobian.row(row).isZero(0.0) ? 1 : 0;
  result.half_width = Eigen::VectorXd::Constant(count, std::numeric_limits<double>::infinity());
  result.correlation = Eigen::MatrixXd::Identity(count, count);
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(jacobian, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Eigen::VectorXd& singular = svd.singularValues();
  if (!(singular[0] > 0.0) || freedom < 1) return result;
  // The pseudoinverse of J. A direction that changes nothing leaves its parameters undetermined.
  Eigen::MatrixXd inverse = Eigen::MatrixXd::Zero(count, count);  // times U^T
  Eigen::VectorXd undetermined = Eigen::VectorXd::Zero(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Eigen::VectorXd direction = svd.matrixV().col(i);
    if (singular[i] < kSmallestRatio * singular[0])
      undetermined += direction.cwiseAbs2();
    else
      inverse.col(i) = direction / singular[i];
  }
  // What noise that is as large in all residuals before they are weighted makes of the parameters. Its size is seen in
  // what of them no parameters could take away. With equal weights this is the inverse of J^T J, and the residuals.
  const Eigen::MatrixXd& u = svd.matrixU();
  const Eigen::MatrixXd covariance = inverse * (u.transpose() * weights.asDiagonal() * u) * inverse.transpose();
  const Eigen::VectorXd roots = weights.cwiseSqrt();
  const Eigen::VectorXd plain = residuals.cwiseQuotient(roots);
  const Eigen::MatrixXd plain_jacobian = roots.cwiseInverse().asDiagonal() * jacobian;
  const Eigen::VectorXd noise = plain - plain_jacobian * plain_jacobian.colPivHouseholderQr().solve(plain);
  const double factor = student_quantile_975(freedom) * std::sqrt(noise.squaredNorm() / freedom);
  for (Eigen::Index i = 0; i < count; ++i) {
    if (undetermined[i] > 1e-6) continue;
    result.half_width[i] = factor * std::sqrt(covariance(i, i));
    for (Eigen::Index j = 0; j < count; ++j)
      if (i != j && undetermined[j] <= 1e-6)
        result.correlation(i, j) = covariance(i, j) / std::sqrt(covariance(i, i) * covariance(j, j));
  }
  return result;
}

ResidualPattern find_pattern(const std::vector<Observation>& observations, const Eigen::VectorXd& residuals,
                             const std::string& name) {
  constexpr std::size_t kFewest = 8;  // fewer say nothing
  constexpr double kOneInAHundred = 2.326;
  std::vector<std::pair<double, double>> ordered;
  for (std::size_t i = 0; i < observations.size(); ++i)
    if (observations[i].name == name && observations[i].point < 0)
      ordered.emplace_back(observations[i].abscissa, residuals[static_cast<Eigen::Index>(i)]);
  if (ordered.size() < kFewest) return {};
  std::stable_sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  double squares = 0.0, steps = 0.0;
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    squares += ordered[i].second * ordered[i].second;
    if (i > 0) steps += std::pow(ordered[i].second - ordered[i - 1].second, 2);
  }
  if (!(squares > 0.0)) return {};
  const auto n = static_cast<double>(ordered.size());
  const double ratio = steps / squares;
  // For independent normal residuals the ratio has mean 2 and variance 4 (n - 2) / (n^2 - 1) (von Neumann 1941).
  const double spread = 2.0 * std::sqrt((n - 2.0) / (n * n - 1.0));
  return {ratio, ratio < 2.0 - kOneInAHundred * spread};
}

}  // namespace distal
