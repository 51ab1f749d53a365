#include "distal/math/welch.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>

namespace distal {
namespace {

using Complex = std::complex<double>;

// Cooley and Tukey's, in place, by halves.
void transform(std::vector<Complex>& a) {
  const std::size_t n = a.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(a[i], a[j]);
  }
  for (std::size_t length = 2; length <= n; length *= 2)
    for (std::size_t k = 0; k < length / 2; ++k) {
      const Complex turn =
          std::polar(1.0, -2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(length));
      for (std::size_t i = k; i < n; i += length) {
        const Complex odd = turn * a[i + length / 2];
        a[i + length / 2] = a[i] - odd;
        a[i] += odd;
      }
    }
}

// What a straight line by least squares leaves.
std::vector<double> without_trend(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  const double middle = 0.5 * (n - 1.0);
  double mean = 0.0, slope = 0.0, square = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double t = static_cast<double>(i) - middle;
    mean += values[i] / n;
    slope += t * values[i];
    square += t * t;
  }
  slope /= square;
  std::vector<double> rest(values.begin(), values.end());
  for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= mean + slope * (static_cast<double>(i) - middle);
  return rest;
}

}  // namespace

std::vector<double> compute_fourier(std::span<const double> values) {
  std::vector<Complex> a(values.begin(), values.end());
  transform(a);
  std::vector<double> parts;
  for (std::size_t bin = 0; bin <= values.size() / 2; ++bin) {
    parts.push_back(a[bin].real());
    parts.push_back(a[bin].imag());
  }
  return parts;
}

Spectrum compute_spectrum(std::span<const double> values, double sample_rate_hz, double segment_s) {
  Spectrum spectrum;
  constexpr std::size_t kLeast = 8;
  if (values.size() < kLeast) return spectrum;
  const double wanted = std::clamp(segment_s * sample_rate_hz, static_cast<double>(kLeast), 1e9);
  std::size_t size = std::bit_ceil(static_cast<std::size_t>(wanted / std::numbers::sqrt2));
  size = std::min(size, std::bit_floor(values.size()));
  spectrum.step_hz = sample_rate_hz / static_cast<double>(size);
  spectrum.density.assign(size / 2 + 1, 0.0);
  std::vector<double> window(size);
  double window_power = 0.0;
  for (std::size_t i = 0; i < size; ++i) {
    window[i] = 0.5 - 0.5 * std::cos(2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(size));
    window_power += window[i] * window[i];
  }
  for (std::size_t begin = 0; begin + size <= values.size(); begin += size / 2) {
    std::vector<double> part = without_trend(values.subspan(begin, size));
    for (std::size_t i = 0; i < size; ++i) part[i] *= window[i];
    const std::vector<double> fourier = compute_fourier(part);
    for (std::size_t bin = 0; bin <= size / 2; ++bin) {
      const double both_sides = bin == 0 || bin == size / 2 ? 1.0 : 2.0;
      spectrum.density[bin] += both_sides *
                               (fourier[2 * bin] * fourier[2 * bin] + fourier[2 * bin + 1] * fourier[2 * bin + 1]) /
                               (window_power * sample_rate_hz);
    }
    ++spectrum.segments;
  }
  for (double& density : spectrum.density) density /= static_cast<double>(spectrum.segments);
  return spectrum;
}

double Spectrum::power(double low_hz, double high_hz) const {
  double sum = 0.0;
  for (std::size_t bin = 0; bin < density.size(); ++bin) {
    const double low = std::max(low_hz, frequency_hz(bin) - 0.5 * step_hz),
                 high = std::min(high_hz, frequency_hz(bin) + 0.5 * step_hz);
    sum += density[bin] * std::max(0.0, high - low);
  }
  return sum;
}

double Spectrum::peak_hz(double low_hz, double high_hz) const {
  std::size_t best = 0;
  for (std::size_t bin = 0; bin < density.size(); ++bin)
    if (frequency_hz(bin) >= low_hz && frequency_hz(bin) <= high_hz && (best == 0 || density[bin] > density[best]))
      best = bin;
  if (best == 0 || !(density[best] > 0.0)) return 0.0;
  if (best + 1 >= density.size() || !(density[best - 1] > 0.0) || !(density[best + 1] > 0.0)) return frequency_hz(best);
  const double before = std::log(density[best - 1]), at = std::log(density[best]), after = std::log(density[best + 1]);
  const double bend = before - 2.0 * at + after;
  const double shift = bend < 0.0 ? 0.5 * (before - after) / bend : 0.0;
  return std::clamp(frequency_hz(best) + step_hz * std::clamp(shift, -0.5, 0.5), low_hz, high_hz);
}

}  // namespace distal
