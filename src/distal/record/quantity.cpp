#include "distal/record/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace distal {

DisplayUnit display_unit(double largest, std::string_view si_unit) {
  constexpr std::array<std::pair<double, const char*>, 7> prefixes = {
      {{1e6, "M"}, {1e3, "k"}, {1.0, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}, {1e-12, "p"}}};
  const double size = std::abs(largest);
  if (si_unit == "m²") return {1e6, "mm²"};
  if (si_unit.empty() || si_unit == "°" || size < 1e-15) return {1.0, std::string(si_unit)};
  for (const auto& [scale, prefix] : prefixes) {
    const bool too_large = si_unit == "m" && scale > 1.0;  // nobody reads kilometres here
    // A tenth of the unit itself still reads well without a prefix.
    if (!too_large && size >= (scale == 1.0 ? 0.1 : 0.9995 * scale))
      return {1.0 / scale, prefix + std::string(si_unit)};
  }
  return {1e12, "p" + std::string(si_unit)};
}

std::string quantity(double value, std::string_view si_unit) {
  const DisplayUnit display = display_unit(value, si_unit);
  const std::string number = fmt::format("{:.4g}", std::abs(value) < 1e-15 ? 0.0 : value * display.factor);
  return display.unit.empty() ? number : number + " " + display.unit;
}

std::vector<double> round_ticks(double low, double high, int count) {
  const double rough = (high - low) / std::max(1, count);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double part = rough / power;
  const double distance = power * (part < 1.5 ? 1.0 : part < 3.5 ? 2.0 : part < 7.5 ? 5.0 : 10.0);
  std::vector<double> ticks;
  const auto last = static_cast<long>(std::ceil(high / distance - 1e-9));
  for (auto i = static_cast<long>(std::floor(low / distance + 1e-9)); i <= last; ++i)
    ticks.push_back(static_cast<double>(i) * distance);
  return ticks;
}

std::string tick_text(double value, double distance) {
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(distance) - 1e-9)), 0, 9);
  const std::string text = fmt::format("{:.{}f}", value == 0.0 ? 0.0 : value, digits);
  constexpr std::size_t kRoom = 7;  // beside a plot
  if (text.size() <= kRoom) return text;
  if (value == 0.0) return "0";
  return fmt::format("{:.{}e}", value,
                     std::clamp(static_cast<int>(std::log10(std::abs(value) / distance) + 1e-9), 0, 3));
}

}  // namespace distal
