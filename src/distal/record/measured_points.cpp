#include "distal/record/measured_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <string_view>

#include "distal/core/error.hpp"

namespace distal {
namespace {

constexpr double kForceTolerance = 0.02;

std::vector<std::string_view> split_at_commas(std::string_view line) {
  std::vector<std::string_view> words;
  const auto trimmed = [](std::string_view word) {
    while (!word.empty() && (word.front() == ' ' || word.front() == '\t')) word.remove_prefix(1);
    while (!word.empty() && (word.back() == ' ' || word.back() == '\t' || word.back() == '\r')) word.remove_suffix(1);
    return word;
  };
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    words.push_back(trimmed(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  return words;
}

// What each column is: an axis of a place or a displacement, or one of the two that say which point and when.
struct Column {
  enum class Kind { point, state, force, depth, place, displacement } kind;
  int axis = 0;
};

std::vector<Column> read_heading(std::string_view line, const std::string& place) {
  using Kind = Column::Kind;
  std::vector<Column> columns;
  for (const std::string_view word : split_at_commas(line)) {
    const std::string_view axis_part = word.starts_with('u') ? word.substr(1) : word;
    const bool is_axis = axis_part == "x_m" || axis_part == "y_m" || axis_part == "z_m";
    if (word == "point") {
      columns.push_back({Kind::point});
    } else if (word == "state") {
      columns.push_back({Kind::state});
    } else if (word == "force_n") {
      columns.push_back({Kind::force});
    } else if (word == "depth_m") {
      columns.push_back({Kind::depth});
    } else if (is_axis) {
      columns.push_back({word.starts_with('u') ? Kind::displacement : Kind::place, axis_part[0] - 'x'});
    } else {
      throw InputError(
          fmt::format("{}: unknown column \"{}\"; known: point, state or force_n, depth_m, x_m, y_m, z_m or "
                      "ux_m, uy_m, uz_m",
                      place, word));
    }
  }
  const auto has = [&](Kind kind) {
    return std::any_of(columns.begin(), columns.end(), [&](const Column& c) { return c.kind == kind; });
  };
  if (!has(Kind::point)) throw InputError(fmt::format("{}: there is no column point", place));
  if (has(Kind::state) == has(Kind::force))
    throw InputError(fmt::format("{}: there must be one of the columns state and force_n", place));
  if (has(Kind::place) == has(Kind::displacement))
    throw InputError(
        fmt::format("{}: there must be places (x_m, y_m, z_m) or displacements (ux_m, uy_m, uz_m)", place));
  return columns;
}

double read_number(std::string_view word, const std::string& place) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value))
    throw InputError(fmt::format("{}: found \"{}\", expected a finite number", place, word));
  return value;
}

MeasuredPoint read_row(std::string_view line, const std::vector<Column>& columns, std::size_t count,
                       const std::string& place) {
  const std::vector<std::string_view> words = split_at_commas(line);
  if (words.size() != columns.size())
    throw InputError(fmt::format("{}: has {} values, the heading has {}", place, words.size(), columns.size()));
  MeasuredPoint row;
  row.value_m.setConstant(std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < words.size(); ++i) {
    const double value = read_number(words[i], place);
    switch (columns[i].kind) {
      case Column::Kind::point:
        if (value < 0.0 || value >= static_cast<double>(count) || value != std::floor(value))
          throw InputError(fmt::format("{}: point {}, allowed: 0 to {}", place, value, count - 1));
        row.point = static_cast<std::size_t>(value);
        break;
      case Column::Kind::state:
      case Column::Kind::force:
        row.at = value;
        break;
      case Column::Kind::depth:  // for a fit: no property of a point
        break;
      default:
        row.value_m[columns[i].axis] = value;
    }
  }
  return row;
}

}  // namespace

std::vector<MeasuredPoint> MeasuredPoints::of_state(std::size_t state, double force_n) const {
  std::vector<MeasuredPoint> found;
  for (const MeasuredPoint& row : rows) {
    const double wanted = by_force ? force_n : static_cast<double>(state);
    if (std::abs(row.at - wanted) <= (by_force ? kForceTolerance * std::abs(force_n) : 0.0)) found.push_back(row);
  }
  return found;
}

MeasuredPoints load_measured_points(const std::filesystem::path& file, std::size_t count) {
  std::ifstream stream(file);
  if (!stream) throw InputError(fmt::format("{} cannot be read", file.string()));
  MeasuredPoints points;
  std::vector<Column> columns;
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) {
    if (line.empty() || line == "\r" || line[0] == '#') continue;
    const std::string place = fmt::format("{}:{}", file.string(), number);
    if (columns.empty())
      columns = read_heading(line, place);
    else
      points.rows.push_back(read_row(line, columns, count, place));
  }
  if (points.rows.empty()) throw InputError(fmt::format("{}: holds no measured point", file.string()));
  for (const Column& column : columns) {
    points.by_force |= column.kind == Column::Kind::force;
    points.are_displacements |= column.kind == Column::Kind::displacement;
  }
  return points;
}

void compare_points(const std::vector<MeasuredPoint>& measured, bool are_displacements, const std::vector<Vec3>& rest_m,
                    const Pose& pose, double length_m, PointsAtState& state) {
  if (measured.empty()) return;
  double error = 0.0, moved = 0.0;
  for (const MeasuredPoint& row : measured) {
    const Vec3& rest = rest_m[row.point];
    const Vec3 simulated = pose.to_local(state.positions_m[row.point]);
    Vec3 place = rest;
    for (int axis = 0; axis < 3; ++axis) {
      if (std::isnan(row.value_m[axis])) continue;
      place[axis] = are_displacements ? rest[axis] + row.value_m[axis] : row.value_m[axis];
      error += std::pow(simulated[axis] - place[axis], 2);
      moved += std::pow(place[axis] - rest[axis], 2);
    }
    state.measured_m.push_back(pose.to_world(place));
  }
  const auto count = static_cast<double>(measured.size());
  const double rmse = std::sqrt(error / count);
  state.error = {rmse, rmse / length_m, moved > 0.0 ? rmse / std::sqrt(moved / count) : 0.0};
}

}  // namespace distal
