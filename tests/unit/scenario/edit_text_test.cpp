#include "distal/scenario/edit_text.hpp"

#include <gtest/gtest.h>

namespace distal {
namespace {

constexpr std::string_view kText =
    "# bandwidth_hz = 1 is not it\n"
    "[controller.other]\n"
    "bandwidth_hz = 9.0\n"
    "\n"
    "[controller.press]  # the one\n"
    "type = \"adaptive_pid\"\n"
    "  bandwidth_hz = 60.0    # hand-set\n"
    "angular_bandwidth_hz=60\n"
    "[run]\n"
    "bandwidth_hz = 5\n";

TEST(EditText, changes_one_value_and_nothing_else) {
  std::string expected(kText);
  expected.replace(expected.find("60.0    #"), 9, "42.25   #");
  EXPECT_EQ(with_number(kText, "controller.press", "bandwidth_hz", 42.25), expected);
  expected = kText;
  expected.replace(expected.find("=60\n"), 4, "=0.125\n");
  EXPECT_EQ(with_number(kText, "controller.press", "angular_bandwidth_hz", 0.125), expected);
}

TEST(EditText, adds_a_key_that_is_not_there) {
  EXPECT_EQ(with_number("[a]\nb = 1\n", "a", "c", 2.0), "[a]\nc = 2.0\nb = 1\n");
  EXPECT_EQ(with_number("[a]", "a", "c", 2.0), "[a]\nc = 2.0\n");
}

TEST(EditText, leaves_a_text_without_the_table_alone) {
  EXPECT_EQ(with_number(kText, "controller.pres", "bandwidth_hz", 1.0), kText);
  EXPECT_EQ(with_number("", "a", "b", 1.0), "");
}

}  // namespace
}  // namespace distal
