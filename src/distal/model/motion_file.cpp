#include "distal/model/motion_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <string_view>

#include "distal/core/error.hpp"

namespace distal {
namespace {

std::vector<std::string> split_row(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  std::vector<std::string> words;
  for (std::size_t comma = 0; comma != std::string_view::npos;) {
    comma = line.find(',');
    std::string_view word = line.substr(0, comma);
    while (word.starts_with(' ')) word.remove_prefix(1);
    while (word.ends_with(' ')) word.remove_suffix(1);
    words.emplace_back(word);
    if (comma != std::string_view::npos) line.remove_prefix(comma + 1);
  }
  return words;
}

double read_cell(const std::string& word, const std::string& place, const std::string& column) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value))
    throw InputError(fmt::format("{}: {} is \"{}\", allowed: a finite number", place, column, word));
  return value;
}

// Returns where time_s stands.
std::size_t check_heading(const std::vector<std::string>& heading, const std::string& place) {
  for (auto word = heading.begin(); word != heading.end(); ++word)
    if (std::find(heading.begin(), word, *word) != word)
      throw InputError(fmt::format("{}: the column \"{}\" stands there twice", place, *word));
  const auto time = std::find(heading.begin(), heading.end(), "time_s");
  if (time == heading.end())
    throw InputError(fmt::format("{}: there is no column time_s; expected a heading like that of joints.csv", place));
  return static_cast<std::size_t>(time - heading.begin());
}

}  // namespace

const std::vector<double>* MotionTable::find(const std::string& column) const {
  const auto found = std::find(columns.begin(), columns.end(), column);
  return found == columns.end() ? nullptr : &values[static_cast<std::size_t>(found - columns.begin())];
}

MotionTable load_motion(const std::string& file) {
  std::ifstream stream(file);
  std::string line;
  if (!stream || !std::getline(stream, line)) throw InputError(fmt::format("{} cannot be read, or is empty", file));
  const std::vector<std::string> heading = split_row(line);
  const std::size_t time = check_heading(heading, file + ":1");
  MotionTable table;
  table.columns = heading;
  table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(time));
  table.values.resize(table.columns.size());
  for (int number = 2; std::getline(stream, line); ++number) {
    if (line.empty() || line == "\r") continue;
    const std::string place = fmt::format("{}:{}", file, number);
    const std::vector<std::string> words = split_row(line);
    if (words.size() != heading.size())
      throw InputError(fmt::format("{}: {} columns, the heading has {}", place, words.size(), heading.size()));
    for (std::size_t c = 0; c < words.size(); ++c) {
      const double value = read_cell(words[c], place, heading[c]);
      (c == time ? table.times_s : table.values[c - (c > time ? 1 : 0)]).push_back(value);
    }
    const std::size_t rows = table.times_s.size();
    if (rows > 1 && !(table.times_s[rows - 1] > table.times_s[rows - 2]))
      throw InputError(fmt::format("{}: time_s must rise from one row to the next", place));
  }
  if (table.times_s.empty()) throw InputError(fmt::format("{}: has a heading and no row", file));
  return table;
}

}  // namespace distal
