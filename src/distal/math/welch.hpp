// Power spectral density of a sampled signal by Welch's method: overlapping segments, each without its straight trend
// and under a Hann window, and the mean of their periodograms. docs/models/haptics.md.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace distal {

struct Spectrum {
  double step_hz = 0.0;         // between two values
  std::vector<double> density;  // one-sided [unit^2/Hz]; the first belongs to 0 Hz
  std::size_t segments = 0;     // that the mean is of

  double frequency_hz(std::size_t bin) const { return step_hz * static_cast<double>(bin); }
  // Integral over a band [unit^2]: a sine of amplitude a has a^2/2. Ends within a bin count by their share.
  double power(double low_hz, double high_hz) const;
  // Where the density is largest within a band, between bins by a parabola through the logarithms; 0 where there is
  // none.
  double peak_hz(double low_hz, double high_hz) const;
};

// Segments of the power of two next to `segment_s`, at most the whole signal, each half over the last; empty for fewer
// than eight values.
Spectrum compute_spectrum(std::span<const double> values, double sample_rate_hz, double segment_s);

// Values by frequency of a real signal whose length is a power of two: pairs of real and imaginary parts, from 0 to
// half the sample rate.
std::vector<double> compute_fourier(std::span<const double> values);

}  // namespace distal
