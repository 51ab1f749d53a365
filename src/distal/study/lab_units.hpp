// Units as laboratories write them.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace distal {

struct LabUnit {
  std::string_view si;  // s, m, N, Pa, rad, N m, m², or "" for a ratio
  double factor;        // to it
};

// Nothing for an unknown unit. "" is a ratio, and so is %.
std::optional<LabUnit> find_lab_unit(std::string_view text);
// "N, mN, kN, ...", for messages.
std::string lab_units_of(std::string_view si);

}  // namespace distal
