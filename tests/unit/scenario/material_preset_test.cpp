#include "distal/model/material_presets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "distal/core/error.hpp"
#include "distal/scenario/scene.hpp"

namespace distal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Scene scene_with(const std::string& material, std::vector<std::string> overrides = {}) {
  return parse_scene("[material.gel]\n" + material + "\n[body.b]\ntype = \"block\"\nmaterial = \"gel\"\n", "scene.toml",
                     overrides);
}

MaterialDescription material_with(const std::string& material, std::vector<std::string> overrides = {}) {
  return scene_with(material, std::move(overrides)).model.materials.at("gel");
}

constexpr const char* kPreset = "preset = \"ecoflex_00_30\"\n";

TEST(MaterialPreset, every_preset_is_a_material_with_sources) {
  for (const MaterialPreset& preset : material_presets()) {
    const MaterialDescription m = material_with(fmt::format("preset = \"{}\"", preset.name));
    EXPECT_EQ(m.density_kg_m3, preset.density_kg_m3);
    EXPECT_EQ(complete_moduli(m, "").youngs_pa, preset.youngs_modulus_pa);
    EXPECT_EQ(complete_moduli(m, "").poisson, preset.poissons_ratio);
    for (const std::string_view source : {preset.modulus_source, preset.density_source, preset.ratio_source})
      EXPECT_GT(source.size(), 20u) << preset.name;
  }
  EXPECT_EQ(find_material_preset("ecoflex_00_30")->youngs_modulus_pa, 97260.0);
  EXPECT_EQ(find_material_preset("dragon_skin_20")->density_kg_m3, 1080.0);
}

TEST(MaterialPreset, given_keys_win) {
  MaterialDescription m = material_with(std::string(kPreset) + "youngs_modulus_pa = 1e5\ndensity_kg_m3 = 900");
  EXPECT_EQ(m.youngs_modulus_pa, 1e5);
  EXPECT_EQ(m.poissons_ratio, 0.49);
  EXPECT_EQ(m.density_kg_m3, 900.0);
  m = material_with(std::string(kPreset) + "shear_modulus_pa = 1e5");
  EXPECT_TRUE(std::isnan(m.youngs_modulus_pa));
  EXPECT_EQ(complete_moduli(m, "").shear_pa, 1e5);
  m = material_with(std::string(kPreset) + "shear_modulus_pa = 1e5\nyoungs_modulus_pa = 2.5e5");
  EXPECT_NEAR(complete_moduli(m, "").poisson, 0.25, 1e-12);
  m = material_with(kPreset, {"material.gel.poissons_ratio=0.4"});
  EXPECT_EQ(m.poissons_ratio, 0.4);
  EXPECT_EQ(m.youngs_modulus_pa, 97260.0);
}

TEST(MaterialPreset, an_override_takes_the_place_of_the_files_values) {
  const std::string own = "youngs_modulus_pa = 1e5\npoissons_ratio = 0.3\ndensity_kg_m3 = 900";
  MaterialDescription m = material_with(own, {"material.gel.preset=dragon_skin_20"});
  EXPECT_EQ(m.youngs_modulus_pa, 679800.0);
  EXPECT_EQ(m.poissons_ratio, 0.49);
  EXPECT_EQ(m.density_kg_m3, 1080.0);
  m = material_with(own, {"material.gel.preset=dragon_skin_20", "material.gel.density_kg_m3=950"});
  EXPECT_EQ(m.density_kg_m3, 950.0);
}

TEST(MaterialPreset, the_resolved_scene_loads_to_the_same) {
  for (const char* more : {"", "shear_modulus_pa = 1e5", "poissons_ratio = 0.3", "density_kg_m3 = 900"}) {
    const Scene scene = scene_with(std::string(kPreset) + more);
    EXPECT_EQ(parse_scene(scene.resolved_toml, "scene.toml").resolved_toml, scene.resolved_toml) << more;
    EXPECT_THAT(scene.resolved_toml, HasSubstr("preset = \"ecoflex_00_30\""));
  }
}

TEST(MaterialPreset, an_unknown_one_is_refused_with_the_nearest) {
  EXPECT_THAT(
      [] { material_with("preset = \"ecoflex_0030\""); },
      ThrowsMessage<InputError>(AllOf(HasSubstr("scene.toml:2:1"), HasSubstr("material.gel.preset"),
                                      HasSubstr("did you mean \"ecoflex_00_30\"?"), HasSubstr("dragon_skin_20"))));
}

}  // namespace
}  // namespace distal
