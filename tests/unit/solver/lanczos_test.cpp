#include "distal/solver/lanczos.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace distal {
namespace {

constexpr std::size_t kSize = 200;

// A chain of equal springs between walls: eigenvalues 2 - 2 cos(pi k / (n + 1)).
void chain(const std::vector<double>& in, std::vector<double>& out) {
  for (std::size_t i = 0; i < kSize; ++i)
    out[i] = 2.0 * in[i] - (i > 0 ? in[i - 1] : 0.0) - (i + 1 < kSize ? in[i + 1] : 0.0);
}

double exact(int k) { return 2.0 - 2.0 * std::cos(std::numbers::pi * k / (kSize + 1.0)); }

std::vector<double> start() {
  std::vector<double> v(kSize);
  for (std::size_t i = 0; i < kSize; ++i) v[i] = std::sin(1.0 + 7.0 * static_cast<double>(i * i % 101));
  return v;
}

TEST(Lanczos, FindsBothEndsAndTheHighestVector) {
  const SpectrumEnds ends = find_spectrum_ends(chain, start(), 400, 1e-10, true, true);
  EXPECT_NEAR(ends.largest, exact(kSize), 1e-8);
  EXPECT_NEAR(ends.smallest, exact(1), 1e-8);
  std::vector<double> product(kSize);
  chain(ends.largest_vector, product);
  double error = 0.0, norm = 0.0;
  for (std::size_t i = 0; i < kSize; ++i) {
    error += std::pow(product[i] - ends.largest * ends.largest_vector[i], 2);
    norm += std::pow(ends.largest_vector[i], 2);
  }
  EXPECT_LT(std::sqrt(error / norm), 1e-3);
}

TEST(Lanczos, AFewProductsGiveTheUpperEndToAPercent) {
  LargestEigenvalue largest(kSize, 40);
  const auto find = [&] {
    const std::vector<double> from = start();
    largest.start().assign(from.begin(), from.end());
    return largest.find([](const std::vector<float>& in, std::vector<float>& out) {
      std::vector<double> product(kSize);
      chain({in.begin(), in.end()}, product);
      std::transform(product.begin(), product.end(), out.begin(), [](double x) { return static_cast<float>(x); });
    });
  };
  const double found = find();
  EXPECT_LE(found, exact(kSize) * (1.0 + 1e-6));  // single precision
  EXPECT_GT(found, 0.99 * exact(kSize));
  EXPECT_EQ(found, find());  // nothing is remembered
}

TEST(Lanczos, TridiagonalBisectionMeetsAClosedForm) {
  const std::vector<double> alpha(5, 2.0), beta(4, -1.0);
  EXPECT_NEAR(largest_tridiagonal_eigenvalue(alpha, beta), 2.0 + 2.0 * std::cos(std::numbers::pi / 6.0), 1e-13);
}

}  // namespace
}  // namespace distal
