#include "distal/study/lab_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "distal/core/error.hpp"
#include "distal/study/lab_data.hpp"

namespace distal {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pointwise;
using ::testing::ThrowsMessage;

LabTable table_of(std::string text) { return {std::move(text), "data.csv"}; }

std::vector<double> values_in(std::string text, const std::string& quantity, std::vector<std::string> choices = {}) {
  const LabTable table = table_of(std::move(text));
  return LabData(table, choices).values(quantity);
}

TEST(LabTable, finds_the_header_below_any_preamble) {
  const LabTable table = table_of(
      "PARAMETER;INFO;URL;;\nSpecimen Width (mm);6;;;\nLab;\"A; B\";;;\n;;;;\n"
      "Time (s);True Strain;True Stress (MPa);Engineering Strain;Load "
      "[N]\r\n0.2;0.04;0.5;0.045;1e-1\r\n0.3;0.06;0.7;0.07;2\r\n;;;;\n");
  ASSERT_EQ(table.columns().size(), 5u);
  EXPECT_EQ(table.columns()[2].name, "True Stress");
  EXPECT_EQ(table.columns()[2].unit, "MPa");
  EXPECT_EQ(table.columns()[4].unit, "N");
  EXPECT_THAT(table.numbers(0), ElementsAre(0.2, 0.3));
  EXPECT_THAT(table.numbers(4), ElementsAre(0.1, 2.0));
}

TEST(LabTable, reads_commas_semicolons_tabs_and_decimal_commas) {
  EXPECT_THAT(table_of("a,b\n1.5,2\n").numbers(0), ElementsAre(1.5));
  EXPECT_THAT(table_of("a;b\n1,5;+2,25\n-3,0;4\n").numbers(1), ElementsAre(2.25, 4.0));
  EXPECT_THAT(table_of("a\tb\n1,5\t2.5\n").numbers(0), ElementsAre(1.5));
  EXPECT_THAT(table_of("\xef\xbb\xbf"
                       "a,b\n1,2\n")
                  .numbers(0),
              ElementsAre(1.0));
}

TEST(LabTable, units_may_have_a_line_of_their_own) {
  const LabTable table = table_of("Time,Extension,Load\n(s),(mm),(N)\n0,1,2\n");
  EXPECT_EQ(table.columns()[1].unit, "mm");
  EXPECT_EQ(table.columns()[1].name, "Extension");
  EXPECT_THAT(table.numbers(2), ElementsAre(2.0));
}

TEST(LabTable, a_gap_is_an_error_with_its_line_where_it_is_used) {
  const LabTable table = table_of("a,b,c\n1,2,x\n\n3,,y\nnan,5,z\n");
  EXPECT_THAT([&] { table.numbers(1); }, ThrowsMessage<InputError>(HasSubstr("data.csv:4: column \"b\" is empty")));
  EXPECT_THAT([&] { table.numbers(0); },
              ThrowsMessage<InputError>(HasSubstr("data.csv:5: column \"a\" holds \"nan\"")));
  EXPECT_THAT([&] { table.numbers(2); }, ThrowsMessage<InputError>(HasSubstr("data.csv:2: column \"c\" holds \"x\"")));
  EXPECT_THAT([] { table_of("a,b\n1,2\n3,inf\n").numbers(1); }, ThrowsMessage<InputError>(HasSubstr("data.csv:3")));
}

TEST(LabTable, cells_without_a_heading_are_an_error) {
  EXPECT_THAT(
      [] { table_of("a,b\n1,2\n0,5,1,2\n").numbers(0); },
      ThrowsMessage<InputError>(HasSubstr("data.csv:3: has 4 cells under 2 headings; are its decimals commas")));
  EXPECT_THAT(table_of("a,b\n1,2,,\n3,4,\n").numbers(1), ElementsAre(2.0, 4.0));
}

TEST(LabTable, a_text_without_a_table_is_refused) {
  for (const char* text : {"", "just words\n", "1,2\n3,4\n", "a\n1\n2\n"})
    EXPECT_THAT([&] { table_of(text); }, ThrowsMessage<InputError>(HasSubstr("found no table"))) << text;
}

TEST(LabData, converts_to_si) {
  EXPECT_THAT(values_in("Depth (mm),Load (gf)\n2,100\n", "depth"), ElementsAre(DoubleNear(0.002, 1e-15)));
  EXPECT_THAT(values_in("Depth (mm),Load (gf)\n2,100\n", "force"), ElementsAre(DoubleNear(0.980665, 1e-12)));
  EXPECT_THAT(values_in("Angle [°];Moment [N·mm]\n90;3\n", "twist"),
              ElementsAre(DoubleNear(std::numbers::pi / 2, 1e-12)));
  EXPECT_THAT(values_in("Angle [°];Moment [N·mm]\n90;3\n", "torque"), ElementsAre(DoubleNear(0.003, 1e-15)));
  EXPECT_THAT(values_in("Strain (%),Stress (kPa)\n50,2\n", "strain"), ElementsAre(DoubleNear(0.5, 1e-15)));
  EXPECT_THAT(values_in("Strain,Stress (N/mm^2)\n0.5,2\n", "stress"), ElementsAre(DoubleNear(2e6, 1e-6)));
}

TEST(LabData, knows_the_columns_of_its_own_curves) {
  const std::string text = "phase,depth_m,twist_rad,force_n,torque_n_m,contact_area_m2\npress,0.001,0,0.1,0,1e-5\n";
  EXPECT_THAT(values_in(text, "depth"), ElementsAre(0.001));
  EXPECT_THAT(values_in(text, "force"), ElementsAre(0.1));
  EXPECT_THAT(values_in(text, "contact_area"), ElementsAre(1e-5));
}

TEST(LabData, units_stand_behind_names_too) {
  EXPECT_THAT(values_in("F_N,ux_mm,point\n2,3,1\n", "ux"), ElementsAre(DoubleNear(0.003, 1e-15)));
  EXPECT_THAT(values_in("F_N,ux_mm,point\n2,3,1\n", "force"), ElementsAre(2.0));
  EXPECT_THAT([] { values_in("F_x,b\n2,3\n", "force", {"force=F_x"}); },
              ThrowsMessage<InputError>(HasSubstr("has no unit")));
}

TEST(LabData, chosen_columns_win_and_may_be_turned_or_given_a_unit) {
  const std::string text = "Load,Load (N),x, y (mm)\n3,-4,2,1\n";
  EXPECT_THAT(values_in("F1 (N),F2 (N)\n1,2\n", "force", {"force=F2 (N)"}), ElementsAre(2.0));
  EXPECT_THAT(values_in("F1 (N),F2 (N)\n1,2\n", "force", {"force=-f1"}), ElementsAre(-1.0));
  EXPECT_THAT(values_in("F1,F2\n1,2\n", "force", {"force=F2:mN"}), ElementsAre(DoubleNear(0.002, 1e-15)));
  const LabTable table = table_of("Force (N),Depth (mm)\n1,2\n");
  EXPECT_FALSE(LabData(table, {"force=Force (N)"}).has("depth"));
  EXPECT_TRUE(LabData(table, {}).has("depth"));
}

TEST(LabData, what_does_not_fit_is_refused_with_what_is_there) {
  const auto refuses = [](const std::string& text, const std::vector<std::string>& choices, const std::string& words) {
    EXPECT_THAT([&] { values_in(text, "force", choices); }, ThrowsMessage<InputError>(HasSubstr(words))) << words;
  };
  refuses("Load,b\n1,2\n", {}, "has no unit; give it: --columns force=\"Load:N\"");
  refuses("Load (mm),b\n1,2\n", {}, "is in mm, which is no unit of force; known: N, mN");
  refuses("Load (furlong),b\n1,2\n", {}, "is in furlong");
  refuses("Load (N),Force (N)\n1,2\n", {}, "several columns look like force");
  refuses("a (N),b\n1,2\n", {"force=c"}, "has no column \"c\"; its columns: \"a (N)\", \"b\"");
  refuses("a (N),b\n1,2\n", {"forse=a"}, "did you mean \"force\"?");
  refuses("a (N),a (N)\n1,2\n", {"force=a (N)"}, "two columns are called");
  refuses("Load (N),b\n1,2\n", {"force=Loda"}, "\"b\"; did you mean \"Load\"?");
}

TEST(LabData, ways_of_metres_are_asked_about) {
  EXPECT_THAT(values_in("depth (mm),F\n1,2\n500,3\n", "depth"), ElementsAre(0.001, 0.5));
  EXPECT_THAT([] { values_in("Way,Depth (m),F\n1,-1,3\n1,-2.5,3\n", "depth"); },
              ThrowsMessage<InputError>(HasSubstr("column \"Depth (m)\" reaches 2.5 m, allowed: up to 0.5 m; milli")));
}

TEST(LabData, numbers_beyond_all_measure_are_refused) {
  EXPECT_THAT([] { values_in("depth_m,force_n\n0.001,1\n0.002,1e308\n", "force"); },
              ThrowsMessage<InputError>(HasSubstr("column \"force_n\" has the value 1e+308 N, allowed: up to 1e+100")));
}

TEST(LabData, choices_split_at_quantities_only) {
  EXPECT_THAT(split_column_choices({"force=Load, peak (N),depth=x", "time=t"}),
              ElementsAre("force=Load, peak (N)", "depth=x", "time=t"));
}

}  // namespace
}  // namespace distal
