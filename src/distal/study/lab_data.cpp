#include "distal/study/lab_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "distal/core/error.hpp"
#include "distal/core/nearest_name.hpp"
#include "distal/study/delimited_text.hpp"
#include "distal/study/lab_units.hpp"
#include "distal/study/measures.hpp"

namespace distal {
namespace {

struct QuantityKind {
  std::string_view name, si;
  std::array<std::string_view, 7> words;  // by which a header is known, in small letters
};

constexpr std::array kQuantities = {
    QuantityKind{"time", "s", {"time", "t", "elapsed time", "test time", "zeit"}},
    QuantityKind{"depth", "m", {"depth", "indentation", "indentation depth", "penetration"}},
    QuantityKind{"displacement",
                 "m",
                 {"displacement", "extension", "travel", "deflection", "stroke", "compressive extension",
                  "compressive displacement"}},
    QuantityKind{"force", "N", {"force", "load", "normal force", "compressive load", "f", "kraft"}},
    QuantityKind{"twist", "rad", {"twist", "twist angle", "angle", "rotation"}},
    QuantityKind{"torque", "N m", {"torque", "moment"}},
    QuantityKind{"shift", "m", {"shift", "lateral displacement", "sliding distance"}},
    QuantityKind{"tangential_force", "N", {"tangential force", "lateral force", "shear force", "friction force"}},
    QuantityKind{"contact_area", "m²", {"contact area", "area"}},
    QuantityKind{"strain", "", {"strain", "engineering strain", "nominal strain", "tensile strain"}},
    QuantityKind{"stress", "Pa", {"stress", "engineering stress", "nominal stress", "tensile stress"}},
    QuantityKind{"true_strain", "", {"true strain", "logarithmic strain"}},
    QuantityKind{"point", "", {"point", "marker"}},
    QuantityKind{"x", "m", {"x"}},
    QuantityKind{"y", "m", {"y"}},
    QuantityKind{"z", "m", {"z"}},
    QuantityKind{"ux", "m", {"ux"}},
    QuantityKind{"uy", "m", {"uy"}},
    QuantityKind{"uz", "m", {"uz"}},
    QuantityKind{"true_stress", "Pa", {"true stress", "cauchy stress"}},
};

const QuantityKind* find_quantity(std::string_view name) {
  const auto found =
      std::find_if(kQuantities.begin(), kQuantities.end(), [&](const auto& q) { return q.name == name; });
  return found == kQuantities.end() ? nullptr : &*found;
}

std::string small_letters(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c == '_' ? ' ' : (c >= 'A' && c <= 'Z') ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

// Our own tables write units into names: force_n. So do others: ux_mm.
std::string own_unit(const LabColumn& column) {
  if (!column.unit.empty()) return column.unit;
  if (const std::string_view own = unit_of_name(column.header); !own.empty()) return std::string(own);
  const std::size_t bar = column.name.rfind('_');
  if (bar == std::string::npos || !find_lab_unit(column.name.substr(bar + 1))) return "";
  return column.name.substr(bar + 1);
}

std::string name_without_own_unit(const LabColumn& column) {
  const std::string unit = own_unit(column);
  if (!unit.empty() && column.name.ends_with("_" + unit))
    return column.name.substr(0, column.name.size() - unit.size() - 1);
  return std::string(name_without_unit(column.name));
}

const QuantityKind* known_by_name(const LabColumn& column) {
  for (const std::string& name : {small_letters(column.name), small_letters(name_without_own_unit(column))})
    for (const QuantityKind& quantity : kQuantities)
      if (!name.empty() && std::find(quantity.words.begin(), quantity.words.end(), name) != quantity.words.end())
        return &quantity;
  return nullptr;
}

std::string quantity_list() {
  std::string list;
  for (const QuantityKind& quantity : kQuantities) list += (list.empty() ? "" : ", ") + std::string(quantity.name);
  return list;
}

// The place of a header, given whole or without its unit; two of the same are an error.
std::optional<std::size_t> find_column(const LabTable& table, std::string_view header) {
  for (const auto part : {&LabColumn::header, &LabColumn::name}) {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < table.columns().size(); ++i) {
      if (small_letters(table.columns()[i].*part) != small_letters(header)) continue;
      if (found) throw InputError(fmt::format("{}: two columns are called \"{}\"", table.file(), header));
      found = i;
    }
    if (found) return found;
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> split_column_choices(const std::vector<std::string>& texts) {
  std::vector<std::string> choices;
  for (const std::string& text : texts) {
    bool first = true;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      const std::string part = text.substr(begin, end - begin);
      const bool starts = find_quantity(trimmed_cell(part.substr(0, part.find('=')))) != nullptr;
      if (first || (starts && part.find('=') != std::string::npos))
        choices.push_back(part);
      else
        choices.back() += "," + part;
      first = false;
      begin = end + 1;
    }
  }
  return choices;
}

LabData::LabData(const LabTable& table, const std::vector<std::string>& choices) : table_(table) {
  for (const std::string& choice : choices) choose(choice);
  if (choices.empty()) find_known_names();
}

void LabData::choose(const std::string& choice) {
  const std::size_t equals = choice.find('=');
  if (equals == std::string::npos)
    throw InputError(fmt::format("--columns {}: expected what=HEADER, for example force=\"Load (N)\"", choice));
  const std::string name(trimmed_cell(std::string_view(choice).substr(0, equals)));
  if (find_quantity(name) == nullptr) {
    std::vector<std::string_view> names;
    for (const QuantityKind& quantity : kQuantities) names.push_back(quantity.name);
    throw InputError(
        fmt::format("--columns {}: unknown quantity{}; known: {}", choice, suggestion(name, names), quantity_list()));
  }
  std::string header(trimmed_cell(std::string_view(choice).substr(equals + 1)));
  Source source;
  std::optional<std::size_t> column = find_column(table_, header);
  if (!column && header.starts_with('-')) {
    header = std::string(trimmed_cell(header.substr(1)));
    source.sign = -1.0;
    column = find_column(table_, header);
  }
  if (const std::size_t colon = header.rfind(':'); !column && colon != std::string::npos) {
    source.unit = trimmed_cell(header.substr(colon + 1));
    column = find_column(table_, trimmed_cell(header.substr(0, colon)));
  }
  if (!column) {
    std::vector<std::string_view> names;
    for (const LabColumn& one : table_.columns()) names.push_back(one.name);
    throw InputError(fmt::format("--columns {}: {} has no column \"{}\"; its columns: {}{}", choice, table_.file(),
                                 header, table_.header_list(), suggestion(header, names)));
  }
  source.column = *column;
  if (source.unit.empty()) source.unit = own_unit(table_.columns()[*column]);
  columns_[name] = source;
}

void LabData::find_known_names() {
  for (std::size_t i = 0; i < table_.columns().size(); ++i) {
    const QuantityKind* quantity = known_by_name(table_.columns()[i]);
    if (quantity == nullptr) continue;
    const std::string name(quantity->name);
    if (columns_.contains(name))
      columns_[name].ambiguous = true;
    else
      columns_[name] = {i, own_unit(table_.columns()[i]), 1.0, false};
  }
}

std::vector<double> LabData::values(const std::string& quantity) const {
  const Source& source = columns_.at(quantity);
  const LabColumn& column = table_.columns()[source.column];
  const std::string_view si = find_quantity(quantity)->si;
  if (source.ambiguous)
    throw InputError(fmt::format("{}: several columns look like {}; choose one with --columns {}=HEADER: {}",
                                 table_.file(), quantity, quantity, table_.header_list()));
  const std::optional<LabUnit> unit = find_lab_unit(source.unit);
  if (source.unit.empty() && !si.empty())
    throw InputError(fmt::format("{}: column \"{}\" has no unit; give it: --columns {}=\"{}:{}\", known: {}",
                                 table_.file(), column.header, quantity, column.header, si, lab_units_of(si)));
  if (!unit || unit->si != si)
    throw InputError(fmt::format("{}: column \"{}\" is in {}, which is no unit of {}; known: {}", table_.file(),
                                 column.header, source.unit, quantity, lab_units_of(si)));
  std::vector<double> values = table_.numbers(source.column);
  constexpr double kLargest = 1e100;
  for (double& value : values) {
    value *= source.sign * unit->factor;
    if (!(std::abs(value) <= kLargest))
      throw InputError(fmt::format("{}: column \"{}\" has the value {:g} {}, allowed: up to {:g}", table_.file(),
                                   column.header, value, si, kLargest));
  }
  if (quantity == "depth" || quantity == "displacement" || quantity == "shift") check_way(column, values);
  return values;
}

// Most often a table whose millimetres are called metres.
void LabData::check_way(const LabColumn& column, const std::vector<double>& values_m) const {
  constexpr double kLongestWay_m = 0.5;
  double largest_m = 0.0;
  for (const double value : values_m) largest_m = std::max(largest_m, std::abs(value));
  if (largest_m <= kLongestWay_m) return;
  throw InputError(fmt::format("{}: column \"{}\" reaches {:g} m, allowed: up to {} m; millimetres?", table_.file(),
                               column.header, largest_m, kLongestWay_m));
}

std::string LabData::description() const {
  std::string found;
  for (const auto& [name, source] : columns_)
    found += fmt::format("{}{} (\"{}\")", found.empty() ? "" : ", ", name, table_.columns()[source.column].header);
  return fmt::format("known: {}; columns of {}: {}; choose with --columns what=HEADER, what: {}",
                     found.empty() ? "none" : found, table_.file(), table_.header_list(), quantity_list());
}

}  // namespace distal
