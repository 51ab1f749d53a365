#include "distal/scenario/field.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace distal {

bool Range::contains(double x) const { return (low_open ? x > low : x >= low) && (high_open ? x < high : x <= high); }

std::string Range::text() const {
  return fmt::format("{}{:.6g}, {:.6g}{}", low_open ? '(' : '[', low, high, high_open ? ')' : ']');
}

std::string joined(Names names) {
  std::string result;
  for (const std::string_view name : names) {
    if (name.empty()) continue;
    if (!result.empty()) result += ", ";
    result += name;
  }
  return result;
}

std::string_view unit_in_words(std::string_view unit) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kWords = {{{"m", "metres"},
                                                                                            {"s", "seconds"},
                                                                                            {"kg", "kilograms"},
                                                                                            {"Pa", "pascals"},
                                                                                            {"N", "newtons"},
                                                                                            {"N m", "newton metres"},
                                                                                            {"rad", "radians"},
                                                                                            {"Hz", "hertz"},
                                                                                            {"m/s", "metres a second"},
                                                                                            {"cells", "cells"}}};
  for (const auto& [symbol, words] : kWords) {
    if (symbol == unit) return words;
  }
  return unit;
}

}  // namespace distal
