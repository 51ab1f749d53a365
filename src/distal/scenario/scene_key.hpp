// A single number of a scene by its address, for whoever varies it.
#pragma once
#include <string>

#include "distal/scenario/field.hpp"
#include "distal/scenario/scene.hpp"

namespace distal {

struct SceneNumber {
  std::string key;      // material.rubber.youngs_modulus_pa
  std::string section;  // material.rubber
  std::string name;     // youngs_modulus_pa
  std::string unit;
  double value = 0.0;  // in the scene; NaN where it is not given
  Range range;         // allowed values
};

// Throws InputError for an address that is not there, or that is no single real number, with the nearest ones.
SceneNumber find_scene_number(const Scene& scene, const std::string& key);

}  // namespace distal
