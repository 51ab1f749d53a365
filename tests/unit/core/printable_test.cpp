#include "distal/core/printable.hpp"

#include <gtest/gtest.h>

namespace distal {
namespace {

TEST(Printable, EscapesWhatATerminalObeysAndKeepsTheRest) {
  EXPECT_EQ(printable("Finger 1: größer, µm, 指, \\n"), "Finger 1: größer, µm, 指, \\n");
  EXPECT_EQ(printable("\x1b[31mred\x07\x7f\t"), "\\x1b[31mred\\x07\\x7f\\t");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m \xc2\xa0\xc2"),
            "\\x9b31m \xc2\xa0\xc2")
      << "U+009B is an escape sequence too";
  EXPECT_EQ(printable("a\nb\r"), "a\\nb\\x0d");
  EXPECT_EQ(printable("a\nb\r", LineBreaks::kept), "a\nb\\x0d");
}

}  // namespace
}  // namespace distal
