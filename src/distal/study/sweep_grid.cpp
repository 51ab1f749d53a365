#include "distal/study/sweep_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "distal/core/error.hpp"
#include "distal/core/printable.hpp"
#include "distal/study/delimited_text.hpp"

namespace distal {
namespace {

constexpr double kMostValues = 10000.0;  // of one range

// At commas that are not inside brackets or quotes.
std::vector<std::string> split_values(std::string_view text) {
  std::vector<std::string> values(1);
  int depth = 0;
  char quote = '\0';
  for (const char c : text) {
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      --depth;
    } else if (c == ',' && depth == 0) {
      values.emplace_back();
      continue;
    }
    values.back() += c;
  }
  for (std::string& value : values) value = std::string(trimmed_cell(value));
  return values;
}

std::optional<double> whole_number_or_real(std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// Twelve digits: 0.1 steps stay 0.3, and nobody sets a thirteenth.
std::string value_text(double value) { return fmt::format("{:.12g}", value); }

// Nothing when the text is no range; a range that cannot be is an error.
std::optional<std::vector<std::string>> expand_range(const std::string& place, const std::string& text) {
  const std::vector<std::string> parts = split_cells(text, ':');
  if (parts.size() < 2 || text.find('"') != std::string::npos) return std::nullopt;
  const auto start = whole_number_or_real(parts[0]), stop = whole_number_or_real(parts[1]);
  if (!start || !stop) return std::nullopt;
  const auto count = parts.size() < 3 ? std::nullopt : whole_number_or_real(parts[2]);
  if (!count || parts.size() > 4)
    throw InputError(
        fmt::format("{}: found {}, allowed: a range as start:stop:count or start:stop:count:log", place, text));
  const bool is_log = parts.size() == 4;
  if (is_log && parts[3] != "log")
    throw InputError(fmt::format("{}: found \"{}\" after the count, allowed: log", place, parts[3]));
  if (*count != std::floor(*count) || *count < 2.0 || *count > kMostValues)
    throw InputError(fmt::format("{}: the count of {} is {}, allowed: a whole number from 2 to {:.0f}", place, text,
                                 parts[2], kMostValues));
  if (*start == *stop) throw InputError(fmt::format("{}: {} begins and ends at the same value", place, text));
  if (is_log && !(*start > 0.0 && *stop > 0.0))
    throw InputError(fmt::format("{}: a range with log has both ends above 0, found {}", place, text));
  std::vector<std::string> values;
  const auto last = static_cast<int>(*count) - 1;
  for (int i = 0; i <= last; ++i) {
    const double share = static_cast<double>(i) / last;
    values.push_back(value_text(is_log ? *start * std::pow(*stop / *start, share) : *start + (*stop - *start) * share));
  }
  return values;
}

}  // namespace

SweepAxis parse_sweep_values(const std::string& text) {
  const std::string place = "--set " + text;
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw InputError(
        fmt::format("{}: expected key=a,b,c or key=start:stop:count, for example "
                    "--set material.rubber.youngs_modulus_pa=2e3:2e4:5:log",
                    place));
  SweepAxis axis{{std::string(trimmed_cell(text.substr(0, equals)))}, {}, {}};
  for (const std::string& value : split_values(std::string_view(text).substr(equals + 1))) {
    if (value.empty()) throw InputError(fmt::format("{}: a value is missing between commas", place));
    if (const auto range = expand_range(place, value))
      for (const std::string& one : *range) axis.rows.push_back({one});
    else
      axis.rows.push_back({value});
  }
  return axis;
}

namespace {

void check_list_keys(const std::vector<std::string>& keys, const std::string& place) {
  for (const std::string& key : keys)
    if (std::count(keys.begin(), keys.end(), key) > 1)
      throw InputError(fmt::format("{}: {} stands twice", place, printable(key)));
}

}  // namespace

SweepAxis load_sweep_list(const std::filesystem::path& file) {
  const std::string text = load_text_file(file);
  const std::vector<std::string_view> lines = text_lines(text);
  SweepAxis axis;
  std::size_t keys_line = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (trimmed_cell(lines[i]).empty()) continue;
    std::vector<std::string> cells = split_cells(lines[i], ',');
    const std::string place = fmt::format("{}:{}", file.string(), i + 1);
    if (!axis.keys.empty() && cells.size() != axis.keys.size())
      throw InputError(fmt::format("{}: has {} values, expected {}: {}", place, cells.size(), axis.keys.size(),
                                   fmt::join(axis.keys, ", ")));
    if (const auto empty = std::find(cells.begin(), cells.end(), ""); empty != cells.end())
      throw InputError(fmt::format("{}: value {} is missing", place, empty - cells.begin() + 1));
    if (axis.keys.empty()) {
      check_list_keys(cells, place);
      axis.keys = std::move(cells), keys_line = i + 1;
    } else {
      axis.rows.push_back(std::move(cells));
      axis.places.push_back(fmt::format("{} (keys in line {})", place, keys_line));
    }
  }
  if (axis.rows.empty())
    throw InputError(fmt::format("{}: expected keys in the first line and values in the next ones", file.string()));
  return axis;
}

SweepGrid::SweepGrid(std::vector<SweepAxis> axes) : axes_(std::move(axes)) {
  for (const SweepAxis& axis : axes_) {
    for (const std::string& key : axis.keys) {
      if (std::find(keys_.begin(), keys_.end(), key) != keys_.end())
        throw InputError(fmt::format("{} is set twice; give all its values in one list", key));
      keys_.push_back(key);
    }
    size_ *= axis.rows.size();
    if (size_ > kMostRuns) throw InputError(fmt::format("more than {} runs; use fewer values", kMostRuns));
  }
}

std::vector<std::string> SweepGrid::values(std::size_t run) const {
  std::vector<std::string> reversed;
  for (auto axis = axes_.rbegin(); axis != axes_.rend(); ++axis) {
    const auto& row = axis->rows[run % axis->rows.size()];
    run /= axis->rows.size();
    reversed.insert(reversed.end(), row.rbegin(), row.rend());
  }
  std::reverse(reversed.begin(), reversed.end());
  return reversed;
}

std::vector<std::string> SweepGrid::overrides(std::size_t run) const {
  std::vector<std::string> texts = values(run);
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = keys_[i] + "=" + texts[i];
  return texts;
}

std::string SweepGrid::named_places(std::size_t run, std::string message) const {
  const std::vector<std::string> texts = overrides(run);
  std::size_t divisor = size_, first = 0;
  for (const SweepAxis& axis : axes_) {
    divisor /= axis.rows.size();
    for (std::size_t column = 0; column < axis.keys.size(); ++column) {
      if (axis.places.empty()) continue;
      const std::string as_set = "--set " + texts[first + column];
      const std::string there = axis.places[run / divisor % axis.rows.size()] + ": " + texts[first + column];
      for (std::size_t at = 0; (at = message.find(as_set, at)) != std::string::npos; at += there.size())
        message.replace(at, as_set.size(), there);
    }
    first += axis.keys.size();
  }
  return message;
}

std::vector<std::size_t> SweepGrid::varied_keys() const {
  std::vector<std::size_t> varied;
  std::size_t place = 0;
  for (const SweepAxis& axis : axes_)
    for (std::size_t column = 0; column < axis.keys.size(); ++column, ++place)
      if (std::any_of(axis.rows.begin(), axis.rows.end(),
                      [&](const auto& row) { return row[column] != axis.rows[0][column]; }))
        varied.push_back(place);
  return varied;
}

}  // namespace distal
