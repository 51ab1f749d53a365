#include "distal/math/counter_random.hpp"

#include <gtest/gtest.h>

#include <array>

namespace distal {
namespace {

constexpr int kCount = 100000;

// Tolerances are five standard deviations of each estimate.
TEST(CounterRandom, normal_numbers_have_the_moments_of_the_normal_distribution) {
  const std::uint64_t key = random_key(1, "a");
  std::array<double, 5> moment = {};
  for (std::uint64_t n = 0; n < kCount; ++n) {
    const double x = random_normal(key, n, 0);
    for (int power = 1; power <= 4; ++power) moment[power] += std::pow(x, power) / kCount;
  }
  EXPECT_NEAR(moment[1], 0.0, 5.0 / std::sqrt(kCount));
  EXPECT_NEAR(moment[2], 1.0, 5.0 * std::sqrt(2.0 / kCount));
  EXPECT_NEAR(moment[3], 0.0, 5.0 * std::sqrt(15.0 / kCount));
  EXPECT_NEAR(moment[4], 3.0, 5.0 * std::sqrt(96.0 / kCount));
}

TEST(CounterRandom, shares_are_uniform) {
  std::array<int, 10> bins = {};
  for (std::uint64_t n = 0; n < kCount; ++n) {
    const double x = random_share(random_key(7, "b"), n, 3);
    ASSERT_GE(x, 0.0);
    ASSERT_LT(x, 1.0);
    ++bins[static_cast<std::size_t>(10.0 * x)];
  }
  for (const int bin : bins) EXPECT_NEAR(bin, kCount / 10, 5.0 * std::sqrt(0.09 * kCount));
}

// Neighbours in count, draw, seed and name: a correlation would show as a mean product other than zero.
TEST(CounterRandom, neighbours_are_independent) {
  const std::uint64_t key = random_key(1, "a");
  std::array<double, 4> product = {};
  for (std::uint64_t n = 0; n < kCount; ++n) {
    const double x = random_normal(key, n, 0);
    product[0] += x * random_normal(key, n + 1, 0) / kCount;
    product[1] += x * random_normal(key, n, 1) / kCount;
    product[2] += x * random_normal(random_key(2, "a"), n, 0) / kCount;
    product[3] += x * random_normal(random_key(1, "b"), n, 0) / kCount;
  }
  for (const double p : product) EXPECT_NEAR(p, 0.0, 5.0 / std::sqrt(kCount));
}

}  // namespace
}  // namespace distal
