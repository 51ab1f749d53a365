#include "distal/record/heat_map.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "xml_check.hpp"

namespace distal {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

HeatMap small_map() {
  return {
      "A map", {"x < y", "Pa"}, {"y", ""}, {"error", "N"}, {1e3, 1e4, 1e5}, {0.1, 0.2}, {1.0, 2.0, 3.0, 4.0, NAN, 6.0},
      false,   {{1e4, 0.15}}};
}

TEST(HeatMap, has_a_cell_for_every_value_and_says_what_is_missing) {
  const std::string svg = heat_map_svg(small_map());
  EXPECT_EQ(test::xml_problem(svg), "");
  EXPECT_EQ(count_of(svg, "<title>"), 6u);
  EXPECT_EQ(count_of(svg, "<title>none</title>"), 1u);
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, HasSubstr("x &lt; y [kPa]"));
  EXPECT_EQ(count_of(svg, hex(viridis(0.0))), 1u) << "the lowest cell";
}

// The mark is in the middle column, between the two rows.
TEST(HeatMap, marks_stand_between_the_cells) {
  const std::string svg = heat_map_svg(small_map());
  const double middle = 0.5 * (kPlotLeft + kPlotWidth - kPlotRight);
  EXPECT_THAT(svg, HasSubstr("<line x1=\"" + coordinate(middle - 7.0) + "\""));
  EXPECT_EQ(count_of(svg, "class=\"bar s0\""), 2u);
}

TEST(HeatMap, one_value_or_none_is_no_trouble) {
  HeatMap map = small_map();
  map.values.assign(6, NAN);
  EXPECT_EQ(test::xml_problem(heat_map_svg(map)), "");
  map.values.assign(6, 1.0);
  map.logarithmic_colors = true;
  EXPECT_THAT(heat_map_svg(map), Not(HasSubstr("nan")));
  map.x_values = map.y_values = {1.0};
  map.values = {5.0};
  EXPECT_EQ(test::xml_problem(heat_map_svg(map)), "");
}

}  // namespace
}  // namespace distal
