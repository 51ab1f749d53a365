#include "distal/haptic/tremor.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace distal {
namespace {

constexpr double kSegment_s = 4.0;    // 0.25 Hz between values
constexpr double kAround_bins = 3.0;  // a sine under a Hann window has all its power within two

}  // namespace

Tremor find_tremor(std::span<const Vec3> places, double period_s) {
  Tremor tremor;
  if (static_cast<double>(places.size()) * period_s < kSegment_s * (1.0 - 1e-9)) return tremor;
  std::vector<double> way(places.size());
  for (int axis = 0; axis < 3; ++axis) {
    for (std::size_t i = 0; i < places.size(); ++i) way[i] = places[i][axis];
    Spectrum one = compute_spectrum(way, 1.0 / period_s, kSegment_s);
    if (axis == 0)
      tremor.spectrum = std::move(one);
    else
      for (std::size_t bin = 0; bin < one.density.size(); ++bin) tremor.spectrum.density[bin] += one.density[bin];
  }
  const Spectrum& spectrum = tremor.spectrum;
  tremor.band_power_m2 = spectrum.power(kTremorLow_hz, kTremorHigh_hz);
  tremor.frequency_hz = spectrum.peak_hz(kTremorLow_hz, kTremorHigh_hz);
  const double around = kAround_bins * spectrum.step_hz;
  tremor.amplitude_m = std::sqrt(2.0 * spectrum.power(tremor.frequency_hz - around, tremor.frequency_hz + around));
  return tremor;
}

}  // namespace distal
