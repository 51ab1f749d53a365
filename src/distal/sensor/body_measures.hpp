// Measures of a soft body as a whole.
#pragma once
#include <optional>
#include <string>

#include "distal/state/state.hpp"

namespace distal {

// Of the body now [m^3]; the sum of its cells, or what its skin encloses. Nothing for a lattice whose skin is open.
std::optional<double> measure_volume(const SoftBody& body, const State& state);
// The same, undeformed.
std::optional<double> measure_rest_volume(const SoftBody& body);

// Largest extent along an axis of its frame, undeformed [m].
double find_length(const SoftBody& body);

// The flat side of an undeformed body that faces what comes along `direction` (body frame).
struct PressedSide {
  double area_m2 = 0.0;
  double height_m = 0.0;  // of the body, along the direction
};
// Throws InputError that begins with `where` for a body without such a side.
PressedSide find_pressed_side(const SoftBody& body, const Vec3& direction, const std::string& where);

// The slope of stress over strain, a line through the origin fitted to the initial linear part: the states up to the
// first whose own ratio is more than `tolerance` off that of the first. 0 without states.
double initial_slope(const std::vector<double>& strain, const std::vector<double>& stress_pa, double tolerance = 0.05);

}  // namespace distal
