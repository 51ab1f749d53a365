#include "distal/core/nearest_name.hpp"

#include <gtest/gtest.h>

#include <array>

namespace distal {
namespace {

TEST(NearestName, counts_edits) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("abc", ""), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("raduis", "radius"), 1);  // neighbours swapped
}

TEST(NearestName, finds_slips_of_the_pen_and_nothing_else) {
  constexpr std::array<std::string_view, 3> kNames = {"finger", "table", "thumb"};
  EXPECT_EQ(nearest_name("fingr", kNames), "finger");
  EXPECT_EQ(nearest_name("tabel", kNames), "table");
  EXPECT_EQ(nearest_name("elephant", kNames), "");
  EXPECT_EQ(suggestion("fingr", kNames), "; did you mean \"finger\"?");
}

TEST(NearestName, strips_units) {
  EXPECT_EQ(without_unit("tip_radius_mm"), "tip_radius");
  EXPECT_EQ(without_unit("speed_m_s"), "speed");
  EXPECT_EQ(without_unit("flange_damping_n_s_m"), "flange_damping");
  EXPECT_EQ(without_unit("title"), "title");
}

}  // namespace
}  // namespace distal
