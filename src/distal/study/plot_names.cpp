#include "distal/study/plot_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "distal/study/measures.hpp"

namespace distal {

PlotAxis plot_axis(const std::string& name, bool from_zero) {
  constexpr std::array<std::string_view, 8> kWithPrefixes = {"m", "N", "Pa", "s", "N m", "J", "m²", "rad"};
  const std::string_view unit = unit_of_name(name);
  if (unit.empty()) return {name, "", from_zero};
  if (std::find(kWithPrefixes.begin(), kWithPrefixes.end(), unit) != kWithPrefixes.end())
    return {name, std::string(unit), from_zero};
  return {fmt::format("{} [{}]", name, unit), "", from_zero};
}

}  // namespace distal
