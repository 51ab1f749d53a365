// Rows of our own tables, read back.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "distal/core/error.hpp"
#include "distal/record/series_table.hpp"

namespace distal {

inline constexpr double kSameTime = 1.0 + 1e-9;  // a frame is of the row with its time, whatever rounding did to it

// Of a folder of results. Throws InputError.
std::string load_whole_file(const std::filesystem::path& path);

// One row of the table, taken from left to right.
class RowReader {
 public:
  RowReader(std::string_view line, std::string place, const std::vector<std::string>& columns)
      : rest_(line), place_(std::move(place)), columns_(columns) {}

  std::string_view word() {
    if (done_) refuse("is missing");
    const std::size_t comma = rest_.find(',');
    const std::string_view word = rest_.substr(0, comma);
    done_ = comma == std::string_view::npos;
    rest_.remove_prefix(done_ ? rest_.size() : comma + 1);
    ++column_;
    return word;
  }
  double number() {
    const std::string_view text = word();
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
      refuse_found(text, "a finite number");
    return value;
  }
  Vec3 vector() {
    Vec3 v;
    for (double& component : v) component = number();
    return v;
  }
  CommandMode mode() {
    const std::string_view text = word();
    for (const CommandMode mode : {CommandMode::wrench, CommandMode::twist, CommandMode::pose})
      if (name_of(mode) == text) return mode;
    refuse_found(text, "wrench, twist or pose");
  }
  JointMode joint_mode() {
    const std::string_view text = word();
    for (const JointMode mode : {JointMode::own, JointMode::torque, JointMode::position})
      if (name_of(mode) == text) return mode;
    refuse_found(text, "own, joint_torque or joint_position");
  }
  // Nothing for an empty field.
  std::optional<std::uint64_t> hash() {
    const std::string_view text = word();
    if (text.empty()) return std::nullopt;
    std::uint64_t value = 0;
    const std::string_view digits = text.substr(1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (text[0] != 'x' || error != std::errc() || end != digits.data() + digits.size() || digits.size() != 16)
      refuse_found(text, "x and 16 hexadecimal digits");
    return value;
  }
  void expect_end() {
    if (!done_) throw InputError(fmt::format("{}: has more than {} columns", place_, columns_.size()));
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(fmt::format("{}: column {} {}", place_, columns_[std::min(column_, columns_.size() - 1)], what));
  }
  [[noreturn]] void refuse_found(std::string_view text, const char* expected) {
    --column_;
    refuse(fmt::format("holds \"{}\", expected {}", text, expected));
  }

  std::string_view rest_;
  std::string place_;
  const std::vector<std::string>& columns_;
  std::size_t column_ = 0;
  bool done_ = false;
};

// Calls take(row reader) for every whole line behind the heading.
template <typename Take>
void for_each_row(const std::filesystem::path& file, const std::vector<std::string>& columns, Take&& take) {
  const std::string text = load_whole_file(file);
  std::string_view rest = text;
  for (std::size_t line = 1; !rest.empty(); ++line) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return;
    const std::string_view row = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    const std::string place = fmt::format("{}:{}", file.string(), line);
    if (line > 1)
      take(RowReader(row, place, columns));
    else if (row != fmt::format("{}", fmt::join(columns, ",")))
      throw InputError(fmt::format("{}: has other columns than this version writes", place));
  }
}

}  // namespace distal
