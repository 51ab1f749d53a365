#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "distal/core/error.hpp"
#include "distal/study/delimited_text.hpp"
#include "distal/study/fit.hpp"

namespace distal {
namespace {

constexpr double kFreedom = 10.0;  // of a key without bounds: so many times less and more

double bound_of(const std::string& place, const std::string& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    throw InputError(fmt::format("{}: the bound \"{}\" is no finite number", place, text));
  return value;
}

// The nearest allowed value; an open end is not reached.
double allowed(const Range& range, double value) {
  value = std::clamp(value, range.low, range.high);
  if (range.contains(value)) return value;
  return value == range.low ? std::nextafter(value, INFINITY) : std::nextafter(value, -INFINITY);
}

}  // namespace

double FitParameter::value_at(double share) const {
  if (share <= 0.0) return low;
  if (share >= 1.0) return high;
  return is_logarithmic() ? low * std::pow(high / low, share) : low + (high - low) * share;
}

double FitParameter::share_of(double value) const {
  return is_logarithmic() ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
}

FitParameter parse_fit_parameter(const Scene& scene, const std::string& text) {
  const std::string place = "--fit " + text;
  const std::size_t equals = text.find('=');
  FitParameter parameter;
  try {
    parameter.key = find_scene_number(scene, text.substr(0, equals));
  } catch (const InputError& problem) { throw InputError(fmt::format("--fit {}", problem.what())); }
  const SceneNumber& key = parameter.key;
  if (equals == std::string::npos) {
    if (!(std::isfinite(key.value) && key.value != 0.0))
      throw InputError(
          fmt::format("{}: the scene has no finite value other than 0 there to start from; give bounds: "
                      "{}=low:high",
                      place, key.key));
    const auto [low, high] = std::minmax({key.value / kFreedom, key.value * kFreedom});
    parameter.low = allowed(key.range, low);
    parameter.high = allowed(key.range, high);
    return parameter;
  }
  const std::vector<std::string> bounds = split_cells(text.substr(equals + 1), ':');
  if (bounds.size() != 2) throw InputError(fmt::format("{}: expected key=low:high", place));
  parameter.low = bound_of(place, bounds[0]);
  parameter.high = bound_of(place, bounds[1]);
  if (!(parameter.low < parameter.high))
    throw InputError(
        fmt::format("{}: the lower bound {} is not below the upper bound {}", place, bounds[0], bounds[1]));
  for (const double bound : {parameter.low, parameter.high})
    if (!key.range.contains(bound))
      throw InputError(
          fmt::format("{}: the bound {} is not allowed there: {} {}", place, bound, key.range.text(), key.unit));
  return parameter;
}

}  // namespace distal
