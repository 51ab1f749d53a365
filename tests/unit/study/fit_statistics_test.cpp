#include "distal/study/fit_statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "distal/math/counter_random.hpp"

namespace distal {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(FitStatistics, student_quantiles_of_the_tables) {
  EXPECT_NEAR(student_quantile_975(1), 12.706, 5e-4);
  EXPECT_NEAR(student_quantile_975(10), 2.228, 5e-4);
  EXPECT_NEAR(student_quantile_975(1000), 1.962, 5e-4);
}

TEST(FitStatistics, what_is_zero_whatever_the_parameters_tells_nothing) {
  MatrixXd jacobian(4, 1);
  jacobian << 1.0, 1.0, 1.0, 0.0;
  const FitUncertainty all = compute_uncertainty(VectorXd{{0.1, -0.1, 0.0, 0.0}}, jacobian, VectorXd::Ones(4));
  EXPECT_EQ(all.degrees_of_freedom, 2);
  EXPECT_EQ(all.half_width[0],
            compute_uncertainty(VectorXd{{0.1, -0.1, 0.0}}, jacobian.topRows(3), VectorXd::Ones(3)).half_width[0]);
  EXPECT_EQ(compute_uncertainty(VectorXd{{0.1, -0.1, 0.0, 0.1}}, jacobian, VectorXd::Ones(4)).degrees_of_freedom, 3);
  MatrixXd one(2, 1);
  one << 1.0, 0.0;
  EXPECT_TRUE(std::isinf(compute_uncertainty(VectorXd{{0.1, 0.0}}, one, VectorXd::Ones(2)).half_width[0]))
      << "as many as parameters";
}

// A line through noisy points, again and again: 95 % of the intervals hold the truth. With unequal weights the noise
// that is seen goes along with the error that it makes, and they hold it a little more often.
TEST(FitStatistics, intervals_hold_the_truth_as_often_as_they_say) {
  constexpr int kPoints = 13, kTrials = 4000;
  MatrixXd line(kPoints, 2);
  for (int i = 0; i < kPoints; ++i) line.row(i) << 1.0, i;
  const std::uint64_t key = random_key(1, "coverage");
  for (const double first : {1.0, 0.1, 12.0}) {
    VectorXd weights = VectorXd::Ones(kPoints);
    weights[0] = first;
    const VectorXd roots = weights.cwiseSqrt();
    const MatrixXd jacobian = roots.asDiagonal() * line;
    int held[2] = {0, 0};
    for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
      VectorXd noise(kPoints);
      for (int i = 0; i < kPoints; ++i) noise[i] = roots[i] * random_normal(key, trial, static_cast<std::uint64_t>(i));
      const VectorXd error = jacobian.colPivHouseholderQr().solve(noise);  // of the estimate
      const FitUncertainty uncertainty = compute_uncertainty(noise - jacobian * error, jacobian, weights);
      for (int p = 0; p < 2; ++p) held[p] += std::abs(error[p]) <= uncertainty.half_width[p];
    }
    // Three standard deviations of a count of 4000 with chance 0.95.
    const double spread = 3.0 * std::sqrt(kTrials * 0.95 * 0.05);
    for (const int count : held) {
      EXPECT_GT(count, 0.95 * kTrials - spread) << first;
      EXPECT_LT(count, (first == 1.0 ? 0.95 : 0.97) * kTrials + spread) << first;
    }
  }
}

TEST(FitStatistics, the_size_of_all_weights_does_not_matter) {
  const MatrixXd jacobian{{1.0, 0.0}, {1.0, 1.0}, {1.0, 2.0}, {1.0, 4.0}};
  const VectorXd residuals{{0.1, -0.2, 0.1, 0.0}}, weights{{1.0, 2.0, 3.0, 4.0}};
  const VectorXd small = compute_uncertainty(residuals, jacobian, weights).half_width;
  const VectorXd large = compute_uncertainty(10.0 * residuals, 10.0 * jacobian, 100.0 * weights).half_width;
  EXPECT_LT((large - small).norm(), 1e-12 * small.norm());
}

TEST(FitStatistics, correlation_of_a_line_far_from_its_origin) {
  MatrixXd jacobian(4, 2);
  for (int i = 0; i < 4; ++i) jacobian.row(i) << 1.0, 10.0 + i;
  const FitUncertainty uncertainty = compute_uncertainty(VectorXd::Constant(4, 0.1), jacobian, VectorXd::Ones(4));
  const MatrixXd inverse = (jacobian.transpose() * jacobian).inverse();
  EXPECT_NEAR(uncertainty.correlation(0, 1), inverse(0, 1) / std::sqrt(inverse(0, 0) * inverse(1, 1)), 1e-9);
  EXPECT_LT(uncertainty.correlation(0, 1), -0.99);
}

TEST(FitStatistics, a_parameter_without_effect_is_not_determined_and_spoils_no_other) {
  MatrixXd jacobian(5, 2);
  for (int i = 0; i < 5; ++i) jacobian.row(i) << 1.0 + i, 0.0;
  const FitUncertainty uncertainty = compute_uncertainty(VectorXd::Constant(5, 0.1), jacobian, VectorXd::Ones(5));
  EXPECT_TRUE(std::isfinite(uncertainty.half_width[0]));
  EXPECT_TRUE(std::isinf(uncertainty.half_width[1]));
  jacobian.col(1) = 2.0 * jacobian.col(0);
  EXPECT_TRUE(
      compute_uncertainty(VectorXd::Constant(5, 0.1), jacobian, VectorXd::Ones(5)).half_width.array().isInf().all());
}

TEST(FitStatistics, residuals_that_follow_each_other_are_suspicious) {
  std::vector<Observation> observations(20, Observation{"force_n", "depth_m"});
  VectorXd wave(20), noise(20);
  const std::uint64_t key = random_key(2, "pattern");
  for (int i = 0; i < 20; ++i) {
    observations[static_cast<std::size_t>(i)].abscissa = 20 - i;  // the order of the file does not matter
    wave[i] = std::sin(0.3 * i);
    noise[i] = random_normal(key, 0, static_cast<std::uint64_t>(i));
  }
  EXPECT_TRUE(find_pattern(observations, wave, "force_n").suspicious);
  EXPECT_FALSE(find_pattern(observations, noise, "force_n").suspicious);
  EXPECT_FALSE(find_pattern(observations, wave, "torque_n_m").suspicious);
}

// Of random residuals one in a hundred is suspected.
TEST(FitStatistics, random_residuals_are_rarely_suspected) {
  std::vector<Observation> observations(12, Observation{"force_n", "depth_m"});
  for (int i = 0; i < 12; ++i) observations[static_cast<std::size_t>(i)].abscissa = i;
  const std::uint64_t key = random_key(3, "rare");
  int suspected = 0;
  for (std::uint64_t trial = 0; trial < 4000; ++trial) {
    VectorXd noise(12);
    for (int i = 0; i < 12; ++i) noise[i] = random_normal(key, trial, static_cast<std::uint64_t>(i));
    suspected += find_pattern(observations, noise, "force_n").suspicious;
  }
  EXPECT_GT(suspected, 10);
  EXPECT_LT(suspected, 70);
}

}  // namespace
}  // namespace distal
