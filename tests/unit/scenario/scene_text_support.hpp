// A small good scene, and the message that a bad one gives.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "distal/core/error.hpp"
#include "distal/scenario/scene.hpp"

namespace distal::test {

inline const std::string kGoodScene = R"([scene]
title = "press"

[material.rubber]
density_kg_m3 = 500.0
youngs_modulus_pa = 4000.0
poissons_ratio = 0.4

[body.finger]
type = "fingertip"
material = "rubber"
tip_radius_m = 0.01

[body.block]
type = "block"
material = "rubber"
size_m = [0.02, 0.02, 0.01]

[body.table]
type = "plane"

[body.ball]
type = "rigid"
shape = "sphere"

[contact]
static_friction = 0.9
dynamic_friction = 0.7

[controller.press]
type = "adaptive_pid"
body = "finger"
)";

inline Scene load_good(const std::vector<std::string>& overrides = {}) {
  return parse_scene(kGoodScene, "good.toml", overrides);
}

// What the scene with these overrides is refused for; "" when it is accepted.
inline std::string refusal(const std::vector<std::string>& overrides, std::string_view text = kGoodScene) {
  try {
    parse_scene(text, "good.toml", overrides);
    return "";
  } catch (const InputError& error) { return error.what(); }
}

// The same with lines added to the file.
inline std::string refusal_of_added(const std::string& lines) { return refusal({}, kGoodScene + lines); }

}  // namespace distal::test
