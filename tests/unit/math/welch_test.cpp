#include "distal/math/welch.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

namespace distal {
namespace {

constexpr double kFullTurn = 2.0 * std::numbers::pi;

std::vector<double> sine(double hz, double amplitude, double phase, double seconds, double rate_hz) {
  std::vector<double> values;
  for (int i = 0; i < static_cast<int>(seconds * rate_hz); ++i)
    values.push_back(amplitude * std::sin(kFullTurn * hz * i / rate_hz + phase));
  return values;
}

TEST(Welch, TheFourierTransformIsThatOfTheDefinition) {
  std::vector<double> values;
  for (int i = 0; i < 16; ++i) values.push_back(std::cos(0.7 * i * i) + 0.1 * i);
  const std::vector<double> parts = compute_fourier(values);
  ASSERT_EQ(parts.size(), 18U);
  for (std::size_t bin = 0; bin <= 8; ++bin) {
    std::complex<double> sum;
    for (std::size_t i = 0; i < 16; ++i)
      sum += values[i] * std::polar(1.0, -kFullTurn * static_cast<double>(bin * i) / 16.0);
    EXPECT_NEAR(parts[2 * bin], sum.real(), 1e-12);
    EXPECT_NEAR(parts[2 * bin + 1], sum.imag(), 1e-12);
  }
}

// Parseval: the power of all frequencies is the mean square, of noise too.
TEST(Welch, AllPowerIsThere) {
  std::vector<double> values;
  std::uint64_t bits = 1;
  double square = 0.0;
  for (int i = 0; i < 1 << 16; ++i) {
    bits = bits * 6364136223846793005ULL + 1442695040888963407ULL;
    values.push_back(static_cast<double>(bits >> 11) * 0x1p-53 - 0.5);
    square += values.back() * values.back() / (1 << 16);
  }
  const Spectrum spectrum = compute_spectrum(values, 1000.0, 1.0);
  EXPECT_NEAR(spectrum.power(0.0, 501.0), square, 0.01 * square);
  // White: half of it in half of the band.
  EXPECT_NEAR(spectrum.power(0.0, 250.0), 0.5 * square, 0.02 * square);
}

TEST(Welch, FindsASineBetweenBins) {
  for (const double hz : {4.0, 5.1, 6.37, 9.0, 11.9})
    for (const double phase : {0.0, 1.0, 2.5}) {
      const Spectrum spectrum = compute_spectrum(sine(hz, 0.002, phase, 10.0, 1000.0), 1000.0, 4.0);
      EXPECT_NEAR(spectrum.peak_hz(3.0, 12.0), hz, 0.02);
      EXPECT_NEAR(std::sqrt(2.0 * spectrum.power(hz - 0.8, hz + 0.8)), 0.002, 2e-5);
    }
}

TEST(Welch, ATrendIsNoVibration) {
  std::vector<double> values = sine(5.0, 1e-3, 0.0, 8.0, 1000.0);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += 0.1 + 1e-4 * static_cast<double>(i);
  const Spectrum spectrum = compute_spectrum(values, 1000.0, 4.0);
  EXPECT_NEAR(spectrum.peak_hz(1.0, 12.0), 5.0, 0.02);
}

TEST(Welch, TooFewValuesHaveNone) {
  EXPECT_EQ(compute_spectrum(std::vector<double>(7, 1.0), 1000.0, 4.0).segments, 0U);
  EXPECT_EQ(compute_spectrum({}, 1000.0, 4.0).peak_hz(3.0, 12.0), 0.0);
}

}  // namespace
}  // namespace distal
