#include "distal/study/measures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "distal/core/error.hpp"

namespace distal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using ::testing::ThrowsMessage;

constexpr const char* kSummary = R"({"status": "done", "steps": 12, "wall_s": 3.5, "period_wall_s": {"median": 1.0},
  "energy_residual": 0.5, "bodies": {"finger": {"peak": {"contact": {"force_n": [3.0, 0.0, -4.0]}, "depth_m": 0.002},
  "closure_residual": 1e-12}}})";

TEST(Measures, vectors_have_a_length_and_parts_and_the_clock_is_left_out) {
  const Measures measures = find_measures(kSummary);
  EXPECT_THAT(
      measures,
      ElementsAre(Pair("bodies.finger.closure_residual", 1e-12), Pair("bodies.finger.peak.contact.force_n", 5.0),
                  Pair("bodies.finger.peak.contact.force_n.x", 3.0), Pair("bodies.finger.peak.contact.force_n.y", 0.0),
                  Pair("bodies.finger.peak.contact.force_n.z", -4.0), Pair("bodies.finger.peak.depth_m", 0.002),
                  Pair("energy_residual", 0.5), Pair("steps", 12.0)));
  EXPECT_THAT(default_measures(measures),
              ElementsAre("bodies.finger.peak.contact.force_n", "bodies.finger.peak.depth_m", "energy_residual"));
}

TEST(Measures, an_unknown_name_is_refused_with_the_nearest) {
  const Measures known = find_measures(kSummary);
  check_measure("bodies.finger.peak.depth_m", known);
  check_measure("bodies.finger.first_contact_s", known);
  EXPECT_THAT([&] { check_measure("bodies.finger.peak.depth", known); },
              ThrowsMessage<InputError>(HasSubstr("did you mean \"bodies.finger.peak.depth_m\"")));
  EXPECT_THAT([&] { check_measure("wall_s", known); }, ThrowsMessage<InputError>(HasSubstr("known: ")));
}

TEST(Measures, names_end_in_their_unit) {
  EXPECT_EQ(unit_of_name("peak.contact.force_n.z"), "N");
  EXPECT_EQ(unit_of_name("torque_n_m"), "N m");
  EXPECT_EQ(unit_of_name("speed_m_s"), "m/s");
  EXPECT_EQ(unit_of_name("contact_area_m2"), "m²");
  EXPECT_EQ(unit_of_name("steps"), "");
  EXPECT_EQ(name_without_unit("tangential_force_n"), "tangential_force");
  EXPECT_EQ(name_without_unit("strain"), "strain");
}

}  // namespace
}  // namespace distal
