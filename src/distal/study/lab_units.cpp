#include "distal/study/lab_units.hpp"

#include <array>
#include <numbers>
#include <utility>

namespace distal {
namespace {

struct NamedUnit {
  std::string_view name;
  LabUnit unit;
};

constexpr double kGramForce_n = 9.80665e-3, kPoundForce_n = 4.4482216152605, kInch_m = 0.0254;
constexpr double kDegree_rad = std::numbers::pi / 180.0;

// Without blanks, dots and carets: N m, N·m and N*m are Nm.
constexpr std::array kLabUnits = {
    NamedUnit{"s", {"s", 1.0}},
    NamedUnit{"ms", {"s", 1e-3}},
    NamedUnit{"us", {"s", 1e-6}},
    NamedUnit{"sec", {"s", 1.0}},
    NamedUnit{"min", {"s", 60.0}},
    NamedUnit{"m", {"m", 1.0}},
    NamedUnit{"mm", {"m", 1e-3}},
    NamedUnit{"cm", {"m", 1e-2}},
    NamedUnit{"um", {"m", 1e-6}},
    NamedUnit{"in", {"m", kInch_m}},
    NamedUnit{"N", {"N", 1.0}},
    NamedUnit{"mN", {"N", 1e-3}},
    NamedUnit{"cN", {"N", 1e-2}},
    NamedUnit{"uN", {"N", 1e-6}},
    NamedUnit{"kN", {"N", 1e3}},
    NamedUnit{"gf", {"N", kGramForce_n}},
    NamedUnit{"kgf", {"N", 1e3 * kGramForce_n}},
    NamedUnit{"lbf", {"N", kPoundForce_n}},
    NamedUnit{"Pa", {"Pa", 1.0}},
    NamedUnit{"kPa", {"Pa", 1e3}},
    NamedUnit{"MPa", {"Pa", 1e6}},
    NamedUnit{"GPa", {"Pa", 1e9}},
    NamedUnit{"N/mm2", {"Pa", 1e6}},
    NamedUnit{"N/m2", {"Pa", 1.0}},
    NamedUnit{"gf/cm2", {"Pa", 1e4 * kGramForce_n}},
    NamedUnit{"psi", {"Pa", kPoundForce_n / (kInch_m * kInch_m)}},
    NamedUnit{"rad", {"rad", 1.0}},
    NamedUnit{"mrad", {"rad", 1e-3}},
    NamedUnit{"deg", {"rad", kDegree_rad}},
    NamedUnit{"degree", {"rad", kDegree_rad}},
    NamedUnit{"degrees", {"rad", kDegree_rad}},
    NamedUnit{"Nm", {"N m", 1.0}},
    NamedUnit{"mNm", {"N m", 1e-3}},
    NamedUnit{"Nmm", {"N m", 1e-3}},
    NamedUnit{"Ncm", {"N m", 1e-2}},
    NamedUnit{"uNm", {"N m", 1e-6}},
    NamedUnit{"m2", {"m²", 1.0}},
    NamedUnit{"mm2", {"m²", 1e-6}},
    NamedUnit{"cm2", {"m²", 1e-4}},
    NamedUnit{"", {"", 1.0}},
    NamedUnit{"1", {"", 1.0}},
    NamedUnit{"-", {"", 1.0}},
    NamedUnit{"%", {"", 1e-2}},
    NamedUnit{"mm/mm", {"", 1.0}},
    NamedUnit{"m/m", {"", 1.0}},
};

// One spelling for each unit.
std::string plain_unit(std::string_view text) {
  using Spelling = std::pair<std::string_view, std::string_view>;
  std::string plain(text);
  for (const auto& [from, to] :
       {Spelling{"\xc2\xb5", "u"}, Spelling{"\xce\xbc", "u"}, Spelling{"\xc2\xb2", "2"}, Spelling{"\xc2\xb0", "deg"},
        Spelling{"\xc2\xb7", ""}, Spelling{" ", ""}, Spelling{"*", ""}, Spelling{"^", ""}})
    for (std::size_t at; (at = plain.find(from)) != std::string::npos;) plain.replace(at, from.size(), to);
  return plain;
}

}  // namespace

std::optional<LabUnit> find_lab_unit(std::string_view text) {
  const std::string plain = plain_unit(text);
  for (const NamedUnit& entry : kLabUnits)
    if (entry.name == plain) return entry.unit;
  return std::nullopt;
}

std::string lab_units_of(std::string_view si) {
  std::string list;
  for (const NamedUnit& entry : kLabUnits)
    if (entry.unit.si == si && !entry.name.empty()) list += (list.empty() ? "" : ", ") + std::string(entry.name);
  return list;
}

}  // namespace distal
