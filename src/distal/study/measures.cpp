#include "distal/study/measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "distal/core/error.hpp"
#include "distal/core/nearest_name.hpp"

namespace distal {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 4> kWallClock = {"wall_s", "real_time_factor", "period_wall_s", "link"};
// Written only where there is something to say.
constexpr std::array<std::string_view, 3> kSometimesOfRun = {"solver.newton", "solver.iterations",
                                                             "solver.largest_residual"};
constexpr std::string_view kSometimesOfBody = "first_contact_s";

void add_numbers(const Json& json, const std::string& name, Measures& measures) {
  if (json.is_number()) {
    measures[name] = json.get<double>();
  } else if (json.is_object()) {
    for (const auto& [key, value] : json.items()) add_numbers(value, name.empty() ? key : name + "." + key, measures);
  } else if (json.is_array() && json.size() == 3 && json[0].is_number()) {
    double square = 0.0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double part = json[axis].get<double>();
      measures[fmt::format("{}.{}", name, "xyz"[axis])] = part;
      square += part * part;
    }
    measures[name] = std::sqrt(square);
  }
}

std::vector<std::string> body_names_of(const Measures& known) {
  constexpr std::string_view kStart = "bodies.", kEnd = ".closure_residual";
  std::vector<std::string> names;
  for (const auto& [name, value] : known)
    if (name.starts_with(kStart) && name.ends_with(kEnd))
      names.push_back(name.substr(kStart.size(), name.size() - kStart.size() - kEnd.size()));
  return names;
}

using NameEnding = std::pair<std::string_view, std::string_view>;  // as in a name, and the unit

NameEnding ending_of(std::string_view name) {
  for (const std::string_view part : {".x", ".y", ".z"})
    if (name.ends_with(part)) name.remove_suffix(part.size());
  // Longest first, so that _m_s is not taken for _s.
  constexpr std::array<NameEnding, 19> kUnits = {{{"_n_m_s_rad", "N m s/rad"},
                                                  {"_kg_m3", "kg/m^3"},
                                                  {"_n_s_m", "N s/m"},
                                                  {"_rad_s", "rad/s"},
                                                  {"_m_s2", "m/s^2"},
                                                  {"_cells", "cells"},
                                                  {"_n_m", "N m"},
                                                  {"_m_s", "m/s"},
                                                  {"_rad", "rad"},
                                                  {"_m2", "m²"},
                                                  {"_hz", "Hz"},
                                                  {"_pa", "Pa"},
                                                  {"_kg", "kg"},
                                                  {"_per_s", "1/s"},
                                                  {"_m", "m"},
                                                  {"_s", "s"},
                                                  {"_n", "N"},
                                                  {"_j", "J"},
                                                  {"_k", "K"}}};
  for (const NameEnding& entry : kUnits)
    if (name.ends_with(entry.first)) return entry;
  return {};
}

}  // namespace

Measures find_measures(const std::string& summary_json) {
  Json json = Json::parse(summary_json);
  for (const std::string_view key : kWallClock) json.erase(std::string(key));
  Measures measures;
  add_numbers(json, "", measures);
  return measures;
}

std::vector<std::string> default_measures(const Measures& known) {
  std::vector<std::string> names;
  for (const std::string& body : body_names_of(known))
    for (const char* measure : {"peak.contact.force_n", "final.contact.force_n", "peak.depth_m", "final.depth_m",
                                "peak.contact_area_m2", "final.contact_area_m2"})
      if (const std::string name = fmt::format("bodies.{}.{}", body, measure); known.contains(name))
        names.push_back(name);
  for (const char* name : {"simulated_s", "energy_residual", "closure_residual"})
    if (known.contains(name)) names.emplace_back(name);
  return names;
}

void check_measure(const std::string& name, const Measures& known) {
  std::set<std::string> names(kSometimesOfRun.begin(), kSometimesOfRun.end());
  for (const auto& [one, value] : known) names.insert(one);
  for (const std::string& body : body_names_of(known))
    names.insert(fmt::format("bodies.{}.{}", body, kSometimesOfBody));
  if (names.contains(name)) return;
  const std::vector<std::string_view> views(names.begin(), names.end());
  throw InputError(
      fmt::format("--measure {}: unknown{}; known: {}", name, suggestion(name, views), fmt::join(views, ", ")));
}

std::string_view unit_of_name(std::string_view name) { return ending_of(name).second; }

std::string_view name_without_unit(std::string_view name) {
  return name.substr(0, name.size() - ending_of(name).first.size());
}

}  // namespace distal
