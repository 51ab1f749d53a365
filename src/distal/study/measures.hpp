// The numbers of a run's summary, by dotted name.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace distal {

// For example bodies.finger.peak.contact.force_n. A vector has its length under its own name, and its parts as NAME.x,
// NAME.y, NAME.z. Wall-clock figures are left out: they do not repeat.
using Measures = std::map<std::string, double, std::less<>>;
Measures find_measures(const std::string& summary_json);

// What a sweep shows when nothing is chosen: peak and final force, depth and area of each body, and how well it went.
std::vector<std::string> default_measures(const Measures& known);

// Throws InputError with the nearest name and all known ones. A measure that only some runs have, like
// first_contact_s, is known all the same.
void check_measure(const std::string& name, const Measures& known);

// The SI unit that a name ends in: N for force_n, also before .x; "" for none.
std::string_view unit_of_name(std::string_view name);
// The name without that ending: force for force_n.
std::string_view name_without_unit(std::string_view name);

}  // namespace distal
