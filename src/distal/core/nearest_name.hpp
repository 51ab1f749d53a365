// "Did you mean": the nearest known word, and keys that differ only in their unit.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace distal {

// Edits (insert, delete, replace, swap of neighbours) that turn one word into the other.
int edit_distance(std::string_view a, std::string_view b);

// The nearest candidate, or "" when none is near enough to be a slip of the pen.
std::string_view nearest_name(std::string_view word, std::span<const std::string_view> candidates);

// A key without its unit: tip_radius for tip_radius_m and tip_radius_mm.
std::string_view without_unit(std::string_view key);

// `; did you mean "finger"?`, or "" when nothing is near.
std::string suggestion(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace distal
