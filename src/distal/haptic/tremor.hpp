// Tremor of a recorded hand: the strongest frequency from 3 to 12 Hz, its amplitude, and the power in that band.
// docs/models/haptics.md.
#pragma once
#include <span>

#include "distal/math/spatial.hpp"
#include "distal/math/welch.hpp"

namespace distal {

inline constexpr double kTremorLow_hz = 3.0, kTremorHigh_hz = 12.0;

struct Tremor {
  double frequency_hz = 0.0;
  double amplitude_m = 0.0;    // of the sine with the power around that frequency
  double band_power_m2 = 0.0;  // mean square of the way from 3 to 12 Hz, all axes together
  Spectrum spectrum;           // of the three axes together [m^2/Hz]
};

// `places` are a period apart. Less than four seconds tell no tremor.
Tremor find_tremor(std::span<const Vec3> places, double period_s);

}  // namespace distal
