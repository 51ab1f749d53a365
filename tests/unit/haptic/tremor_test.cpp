#include "distal/haptic/tremor.hpp"

#include <gtest/gtest.h>

#include "distal/haptic/hand_path.hpp"

namespace distal {
namespace {

// Of the issue: 4, 6, 9 Hz and 0.5 to 3 mm on a hand that follows a path, any direction and phase.
TEST(Tremor, KnownOnesAreFoundOnAMovingHand) {
  for (const double hz : {4.0, 6.0, 9.0})
    for (const double amplitude : {0.0005, 0.001, 0.003})
      for (const std::int64_t seed : {1, 7}) {
        HandPathDescription description;
        description.points_m = {Vec3(0.0, 0.0, 0.0), Vec3(0.1, 0.02, 0.0), Vec3(0.05, -0.03, 0.02),
                                Vec3(0.1, 0.1, 0.0)};
        description.times_s = {0.0, 2.0, 4.5, 8.0};
        description.tremor_hz = hz;
        description.tremor_amplitude_m = amplitude;
        description.tremor_direction = Vec3(1.0, 2.0, -0.5);
        description.tremor_seed = seed;
        const HandPath path(description);
        std::vector<Vec3> places;
        for (int n = 0; n < 8000; ++n) places.push_back(path.at(1e-3 * n).position_m);
        const Tremor tremor = find_tremor(places, 1e-3);
        EXPECT_NEAR(tremor.frequency_hz, hz, 0.2);
        EXPECT_NEAR(tremor.amplitude_m, amplitude, 0.1 * amplitude);
        EXPECT_NEAR(tremor.band_power_m2, 0.5 * amplitude * amplitude, 0.2 * amplitude * amplitude);
      }
}

TEST(Tremor, AShortRecordTellsNone) {
  const Tremor tremor = find_tremor(std::vector<Vec3>(3900, Vec3::Zero()), 1e-3);
  EXPECT_EQ(tremor.spectrum.segments, 0U);
  EXPECT_EQ(tremor.amplitude_m, 0.0);
}

TEST(HandPath, VelocityIsTheDerivativeOfThePlace) {
  HandPathDescription description;
  description.points_m = {Vec3(0.0, 0.0, 0.0), Vec3(0.1, 0.0, 0.0), Vec3(0.1, 0.2, 0.0)};
  description.tremor_amplitude_m = 0.002;
  const HandPath path(description);
  for (const double t : {0.1, 0.7, 1.0, 1.4, 3.0}) {
    const Vec3 change = (path.at(t + 1e-6).position_m - path.at(t - 1e-6).position_m) / 2e-6;
    EXPECT_LT((path.at(t).velocity_m_s - change).norm(), 1e-5);
  }
}

}  // namespace
}  // namespace distal
