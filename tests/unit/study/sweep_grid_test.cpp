#include "distal/study/sweep_grid.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "distal/core/error.hpp"
#include "unit/record/scratch_folder.hpp"

namespace distal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::vector<std::string> values_of(const std::string& text) {
  std::vector<std::string> values;
  for (const auto& row : parse_sweep_values(text).rows) values.push_back(row[0]);
  return values;
}

TEST(SweepGrid, lists_keep_what_brackets_and_quotes_hold) {
  EXPECT_THAT(values_of("a.b=1,2.5, x"), ElementsAre("1", "2.5", "x"));
  EXPECT_THAT(values_of("a=[0, 0, 1],[1, 0, 0]"), ElementsAre("[0, 0, 1]", "[1, 0, 0]"));
  EXPECT_THAT(values_of("a=\"x,y\",'1:2:3'"), ElementsAre("\"x,y\"", "'1:2:3'"));
}

TEST(SweepGrid, ranges_end_where_they_say) {
  EXPECT_THAT(values_of("a=0:0.3:4"), ElementsAre("0", "0.1", "0.2", "0.3"));
  EXPECT_THAT(values_of("a=1e3:1e5:3:log"), ElementsAre("1000", "10000", "100000"));
  EXPECT_THAT(values_of("a=5,3:1:2"), ElementsAre("5", "3", "1"));
}

TEST(SweepGrid, bad_values_are_refused_with_their_place) {
  const auto refuses = [](const std::string& text, const std::string& words) {
    EXPECT_THAT([&] { parse_sweep_values(text); }, ThrowsMessage<InputError>(HasSubstr(words))) << text;
  };
  refuses("a", "expected key=a,b,c");
  refuses("=1", "expected key=a,b,c");
  refuses("a=1,,2", "a value is missing");
  refuses("a=1:2:1", "a whole number from 2");
  refuses("a=1:2:2.5", "a whole number from 2");
  refuses("a=1:1:3", "the same value");
  refuses("a=-1:1:3:log", "above 0");
  refuses("a=1:2:3:lin", "allowed: log");
  for (const char* text : {"a=1:2", "a=1:2:many", "a=1:2:3:log:4"})
    refuses(text, "allowed: a range as start:stop:count");
}

TEST(SweepGrid, every_combination_once_the_last_key_fastest) {
  const SweepGrid grid({parse_sweep_values("a=1,2"), parse_sweep_values("c=9"), parse_sweep_values("b=x,y,z")});
  EXPECT_EQ(grid.size(), 6u);
  EXPECT_THAT(grid.keys(), ElementsAre("a", "c", "b"));
  EXPECT_THAT(grid.values(0), ElementsAre("1", "9", "x"));
  EXPECT_THAT(grid.values(2), ElementsAre("1", "9", "z"));
  EXPECT_THAT(grid.overrides(5), ElementsAre("a=2", "c=9", "b=z"));
  EXPECT_THAT(grid.varied_keys(), ElementsAre(0u, 2u));
  EXPECT_THAT(
      [] {
        SweepGrid({parse_sweep_values("a=1"), parse_sweep_values("a=2")});
      },
      ThrowsMessage<InputError>(HasSubstr("set twice")));
  EXPECT_THAT(
      [] {
        SweepGrid({parse_sweep_values("a=0:1:1000"), parse_sweep_values("b=0:1:1000")});
      },
      ThrowsMessage<InputError>(HasSubstr("more than 100000 runs")));
}

TEST(SweepGrid, a_list_keeps_its_rows_together) {
  test::ScratchFolder folder;
  std::ofstream(folder / "list.csv") << "\xef\xbb\xbf"
                                     << "a,b\r\n1,\"[0, 1]\"\r\n\r\n2,x\r\n";
  const SweepGrid grid({load_sweep_list(folder / "list.csv"), parse_sweep_values("c=7,8")});
  EXPECT_EQ(grid.size(), 4u);
  EXPECT_THAT(grid.overrides(1), ElementsAre("a=1", "b=[0, 1]", "c=8"));
  EXPECT_THAT(grid.overrides(2), ElementsAre("a=2", "b=x", "c=7"));
  // Messages name the file where a value comes from one.
  EXPECT_EQ(grid.named_places(2, "--set b=x: is bad; --set c=7: too"),
            (folder / "list.csv").string() + ":4 (keys in line 1): b=x: is bad; --set c=7: too");
  std::ofstream(folder / "twice.csv") << "a,b,a\n1,2,3\n";
  EXPECT_THAT([&] { load_sweep_list(folder / "twice.csv"); },
              ThrowsMessage<InputError>(HasSubstr("twice.csv:1: a stands twice")));
  std::ofstream(folder / "short.csv") << "a,b\n1,2\n3\n";
  EXPECT_THAT([&] { load_sweep_list(folder / "short.csv"); },
              ThrowsMessage<InputError>(HasSubstr("short.csv:3: has 1")));
  std::ofstream(folder / "gap.csv") << "a,b\n1,\n";
  EXPECT_THAT([&] { load_sweep_list(folder / "gap.csv"); }, ThrowsMessage<InputError>(HasSubstr("gap.csv:2: value 2")));
}

}  // namespace
}  // namespace distal
