#include "distal/model/material_presets.hpp"

#include <algorithm>
#include <array>

namespace distal {
namespace {

constexpr std::string_view kEcoflexDensity =
    "specific gravity 1.07, Smooth-On technical bulletin of the Ecoflex series";
constexpr std::string_view kDragonSkinDensity =
    "specific gravity 1.08, Smooth-On technical bulletin of the Dragon Skin series";
constexpr std::string_view kSilicone =
    "assumed: paper 2 takes silicone as incompressible, and 0.49 is as near to it as lattices go well";

constexpr std::array kPresets = {
    MaterialPreset{
        "ecoflex_00_10", 1070.0, 54210.0, 0.49,
        "54.21 +- 2.38 kPa, uniaxial compression: phantom-material-database, A. Dawood and others, CC BY 4.0",
        kEcoflexDensity, kSilicone},
    MaterialPreset{"ecoflex_00_20", 1070.0, 57600.0, 0.49, "57.6 kPa, compressed cuboid: paper 2, table I",
                   kEcoflexDensity, kSilicone},
    MaterialPreset{"ecoflex_00_20_cylinder", 1070.0, 76600.0, 0.49, "76.6 kPa, compressed cylinder: paper 2, table I",
                   kEcoflexDensity, kSilicone},
    MaterialPreset{
        "ecoflex_00_30", 1070.0, 97260.0, 0.49,
        "97.26 +- 4.16 kPa, uniaxial compression: phantom-material-database, A. Dawood and others, CC BY 4.0",
        kEcoflexDensity, kSilicone},
    MaterialPreset{"ecoflex_00_50", 1070.0, 152700.0, 0.49,
                   "152.7 +- 4.8 kPa, uniaxial compression: phantom-material-database, A. Dawood and others, CC BY 4.0",
                   kEcoflexDensity, kSilicone},
    MaterialPreset{"dragon_skin_20", 1080.0, 679800.0, 0.49, "679.8 kPa, compressed cuboid: paper 2, table I",
                   kDragonSkinDensity, kSilicone},
};

}  // namespace

std::span<const MaterialPreset> material_presets() { return kPresets; }

const MaterialPreset* find_material_preset(std::string_view name) {
  const auto found = std::find_if(kPresets.begin(), kPresets.end(), [&](const auto& p) { return p.name == name; });
  return found == kPresets.end() ? nullptr : &*found;
}

}  // namespace distal
