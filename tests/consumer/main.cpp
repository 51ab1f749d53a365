// Uses the installed library: a compiled function, a header of a lower layer, and an exception across the boundary.
#include <cmath>
#include <cstdio>

#include "distal/core/error.hpp"
#include "distal/math/spatial.hpp"

int main() {
  const distal::Quat quarter_turn = distal::rotation_from_vector(distal::Vec3(0.0, 0.0, std::acos(0.0)));
  const distal::Vec3 turned = quarter_turn * distal::Vec3::UnitX();
  bool caught = false;
  try {
    throw distal::InputError("thrown by the consumer");
  } catch (const std::exception&) { caught = true; }
  const bool right = (turned - distal::Vec3::UnitY()).norm() < 1e-12 && caught;
  std::puts(right ? "consumer: ok" : "consumer: wrong result");
  return right ? 0 : 1;
}
