#include "distal/record/statistics.hpp"

#include <gtest/gtest.h>

#include "distal/record/quantity.hpp"
#include "distal/record/thinned.hpp"

namespace distal {
namespace {

TEST(BodyStatistics, KeepsPeaksWithTheirTimesAndTheLastReading) {
  BodyStatistics body;
  BodyReading reading;
  reading.feedback.contact.force = Vec3(0, 0, -2);
  reading.feedback.contact.torque = Vec3(0.1, 0, 0);
  reading.depth_m = 0.003;
  reading.patch.count = 4;
  body.update(0.5, reading);
  reading.feedback.contact.force = Vec3(1, 0, 0);
  reading.feedback.contact.torque = Vec3(0, 0.2, 0);
  reading.depth_m = 0.001;
  body.update(0.6, reading);
  EXPECT_EQ(body.contact.force.value, Vec3(0, 0, -2));
  EXPECT_EQ(body.contact.force.time_s, 0.5);
  EXPECT_EQ(body.contact.torque.value, Vec3(0, 0.2, 0));
  EXPECT_EQ(body.contact.torque.time_s, 0.6);
  EXPECT_EQ(body.peak_depth_m, 0.003);
  EXPECT_EQ(body.last.depth_m, 0.001);
  EXPECT_EQ(body.first_contact_s, 0.5);
}

TEST(BodyStatistics, ARigidBodyTouchesByTheForceItFeels) {
  BodyStatistics body;
  BodyReading reading;
  body.update(0.1, reading);
  EXPECT_LT(body.first_contact_s, 0.0);
  reading.feedback.contact.force = Vec3(0, 0, 0.5);
  body.update(0.2, reading);
  EXPECT_EQ(body.first_contact_s, 0.2);
}

TEST(EnergyStatistics, ComparesTheLargestResidualWithTheWorkSinceTheStart) {
  EnergyStatistics statistics;
  EnergyReading energy;
  energy.gravity = 5.0;
  statistics.update(energy);
  EXPECT_EQ(statistics.relative_residual(), 0.0);  // no work yet, and no division by it
  energy.control_work = -2.0;
  energy.residual = -0.02;
  statistics.update(energy);
  energy.control_work = 0.5;
  energy.residual = 0.01;
  statistics.update(energy);
  EXPECT_DOUBLE_EQ(statistics.work_done_j, 2.0);
  EXPECT_DOUBLE_EQ(statistics.relative_residual(), 0.01);
}

TEST(DurationStatistics, QuantilesAreRightToAPercentAndTheWorstExactly) {
  DurationStatistics durations;
  for (int i = 1; i <= 10000; ++i) durations.update(1e-6 * i);
  EXPECT_NEAR(durations.quantile_s(0.5), 5e-3, 5e-5);
  EXPECT_NEAR(durations.quantile_s(0.999), 9.99e-3, 1e-4);
  EXPECT_EQ(durations.worst_s(), 1e-2);
  EXPECT_EQ(durations.count(), 10000u);
}

TEST(DurationStatistics, ExtremesStayInsideTheBins) {
  DurationStatistics durations;
  durations.update(0.0);
  durations.update(1e6);
  EXPECT_EQ(durations.count(), 2u);
  EXPECT_EQ(durations.worst_s(), 1e6);
}

TEST(Thinned, StaysEvenAndWithinItsCapacity) {
  Thinned<int> thinned(10);
  for (int i = 0; i < 1000; ++i) {
    thinned.add(i);
    ASSERT_LE(thinned.values().size(), 10u);
    for (std::size_t k = 2; k < thinned.values().size(); ++k)
      ASSERT_EQ(thinned.values()[k] - thinned.values()[k - 1], thinned.values()[1] - thinned.values()[0]);
  }
  EXPECT_GE(thinned.values().size(), 5u);
  EXPECT_EQ(thinned.values().front(), 0);
  EXPECT_GT(thinned.values().back(), 800);
}

TEST(Quantity, PicksAPrefixThatReadsWell) {
  EXPECT_EQ(quantity(0.312, "N"), "0.312 N");
  EXPECT_EQ(quantity(-0.0312, "N"), "-31.2 mN");
  EXPECT_EQ(quantity(4.87e-4, "s"), "487 µs");
  EXPECT_EQ(quantity(1e-3, "s"), "1 ms");
  EXPECT_EQ(quantity(2e5, "Pa"), "200 kPa");
  EXPECT_EQ(quantity(0.0, "N m"), "0 N m");
  EXPECT_EQ(quantity(1.257e-4, "m²"), "125.7 mm²");
}

TEST(Ticks, AreRoundAndCoverTheRange) {
  const std::vector<double> ticks = round_ticks(-0.13, 2.3, 5);
  EXPECT_LE(ticks.front(), -0.13);
  EXPECT_GE(ticks.back(), 2.3);
  EXPECT_DOUBLE_EQ(ticks[1] - ticks[0], 0.5);
  EXPECT_EQ(tick_text(0.5, 0.5), "0.5");
  EXPECT_EQ(tick_text(-0.0, 10.0), "0");
}

}  // namespace
}  // namespace distal
