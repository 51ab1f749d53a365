#include "distal/math/symmetric_eigen.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "distal/math/counter_random.hpp"

namespace distal {
namespace {

using Square = Eigen::Matrix<double, 7, 7>;

Square random_symmetric(std::uint64_t seed) {
  Square a;
  for (int i = 0; i < 7; ++i)
    for (int k = 0; k < 7; ++k)
      a(i, k) = random_normal(seed, static_cast<std::uint64_t>(i), static_cast<std::uint32_t>(k));
  return a + a.transpose().eval();
}

// V is orthonormal and V diag V' is the matrix: that is all there is to be.
void expect_decomposed(const Square& a, const SymmetricEigen<7>& found) {
  const double size = a.cwiseAbs().maxCoeff();
  EXPECT_LT((found.vectors.transpose() * found.vectors - Square::Identity()).cwiseAbs().maxCoeff(), 1e-14);
  const Square back = found.vectors * found.values.asDiagonal() * found.vectors.transpose();
  EXPECT_LE((back - a).cwiseAbs().maxCoeff(), 2e-14 * size);
}

TEST(SymmetricEigen, DecomposesRandomMatrices) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Square a = random_symmetric(seed);
    expect_decomposed(a, find_symmetric_eigen<7>(a));
  }
}

TEST(SymmetricEigen, DecomposesWhatIsSingularRepeatedOrOfVeryDifferentSize) {
  const Square a = random_symmetric(5);
  Square thin = a * a;
  thin.row(6).setZero();
  thin.col(6).setZero();
  for (const Square& one : {Square(Square::Zero()), Square(3.0 * Square::Identity()), Square(Square::Ones()), thin})
    expect_decomposed(one, find_symmetric_eigen<7>(one));
  Eigen::Matrix<double, 7, 1> sizes;
  sizes << 1e-9, 1e-6, 1e-3, 1.0, 1.0, 1e3, 1e6;
  const Square scaled = sizes.asDiagonal() * a * sizes.asDiagonal();
  expect_decomposed(scaled, find_symmetric_eigen<7>(scaled));
}

// The second difference on seven points: 2 - 2 cos(k pi / 8).
TEST(SymmetricEigen, HasTheKnownValuesOfTheSecondDifference) {
  Square a = 2.0 * Square::Identity();
  for (int i = 0; i < 6; ++i) a(i, i + 1) = a(i + 1, i) = -1.0;
  Eigen::Matrix<double, 7, 1> values = find_symmetric_eigen<7>(a).values;
  std::sort(values.begin(), values.end());
  for (int k = 1; k <= 7; ++k) EXPECT_NEAR(values[k - 1], 2.0 - 2.0 * std::cos(k * EIGEN_PI / 8.0), 1e-14);
}

}  // namespace
}  // namespace distal
