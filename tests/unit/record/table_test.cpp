#include "distal/record/table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "distal/core/error.hpp"
#include "scratch_folder.hpp"

namespace distal {
namespace {

TEST(Table, NumbersReadBackAsTheSameBits) {
  const test::ScratchFolder folder;
  const std::vector<double> values = {0.1,    1.0 / 3.0, -1e-300, 1.7976931348623157e308,
                                      5e-324, 2.0e-16,   -0.0,    123456789.123456789};
  Table table(folder / "a.csv", {"value"});
  for (const double value : values) {
    table.add(value);
    table.end_row();
  }
  const auto rows = test::read_csv(folder / "a.csv");
  ASSERT_EQ(rows.size(), values.size() + 1);
  EXPECT_EQ(rows[0][0], "value");
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double back = std::strtod(rows[i + 1][0].c_str(), nullptr);
    EXPECT_EQ(back, values[i]);
    EXPECT_EQ(std::signbit(back), std::signbit(values[i]));
  }
}

TEST(Table, EveryRowIsOnDiskAsSoonAsItIsComplete) {
  const test::ScratchFolder folder;
  Table table(folder / "a.csv", {"a", "b"});
  EXPECT_EQ(test::read_text(folder / "a.csv"), "a,b\n");
  table.add(1);
  EXPECT_EQ(test::read_text(folder / "a.csv"), "a,b\n");  // half a row is never shown
  table.add("x");
  table.end_row();
  EXPECT_EQ(test::read_text(folder / "a.csv"), "a,b\n1,x\n");
}

TEST(Table, TextIsQuotedAndStaysOnOneLine) {
  const test::ScratchFolder folder;
  Table table(folder / "a.csv", {"text"});
  table.add("a \"b\", c\nd");
  table.end_row();
  EXPECT_EQ(test::read_text(folder / "a.csv"), "text\n\"a \"\"b\"\", c d\"\n");
}

TEST(TableDeathTest, NotANumberInfinityAndMissingValuesAreBugs) {
  const test::ScratchFolder folder;
  Table table(folder / "a.csv", {"a", "b"});
  EXPECT_DEATH(table.add(std::nan("")), "isfinite");
  EXPECT_DEATH(table.add(std::numeric_limits<double>::infinity()), "isfinite");
  table.add(1.0);
  EXPECT_DEATH(table.end_row(), "filled_ == columns_");
}

TEST(Table, FullDiskIsAnOutputErrorThatNamesTheFile) {
  try {
    Table table("/dev/full", {"a"});
    FAIL() << "a full disk went unnoticed";
  } catch (const OutputError& error) {
    EXPECT_NE(std::string(error.what()).find("/dev/full"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("No space left"), std::string::npos);
  }
}

TEST(TableDeathTest, FullDiskKeepsWholeRowsOnly) {
  const test::ScratchFolder folder;
  const auto fill = [&] {
    test::limit_file_size(1000);
    Table table(folder / "a.csv", {"a", "b"});
    int rows = 0;
    try {
      for (;; ++rows) {
        table.add(rows + 0.123456789);
        table.add("some text");
        table.end_row();
      }
    } catch (const OutputError& error) {
      const std::string expected = "first " + std::to_string(rows) + " rows are whole and safe";
      std::exit(std::string(error.what()).find(expected) == std::string::npos ? 1 : 0);
    }
  };
  EXPECT_EXIT(fill(), ::testing::ExitedWithCode(0), "");
  const std::string text = test::read_text(folder / "a.csv");
  EXPECT_GT(text.size(), 950u);
  EXPECT_EQ(text.back(), '\n');
  EXPECT_EQ(text.substr(text.size() - 10), "some text\n");
}

}  // namespace
}  // namespace distal
