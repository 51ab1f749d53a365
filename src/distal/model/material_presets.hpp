// Silicones that people cast fingertips and soft objects from, with the source of every value.
#pragma once
#include <span>
#include <string_view>

namespace distal {

struct MaterialPreset {
  std::string_view name;  // as in a scene: preset = "ecoflex_00_30"
  double density_kg_m3;
  double youngs_modulus_pa;
  double poissons_ratio;
  std::string_view modulus_source, density_source, ratio_source;
};

std::span<const MaterialPreset> material_presets();
// Null for an unknown name.
const MaterialPreset* find_material_preset(std::string_view name);

}  // namespace distal
