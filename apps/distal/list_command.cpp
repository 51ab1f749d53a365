// distal list: the shipped scenes; the known materials.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "distal/commands.hpp"
#include "distal/core/printable.hpp"
#include "distal/model/material_presets.hpp"
#include "distal/scenario/scene.hpp"
#include "distal/shipped_scenes.hpp"

namespace distal {
namespace {

void list_shipped_scenes() {
  const std::vector<SceneListing> scenes = list_scenes(shipped_scene_folder());
  std::size_t width = 0;
  for (const SceneListing& scene : scenes) width = std::max(width, scene.file.stem().string().size());
  for (const SceneListing& scene : scenes)
    fmt::print("{:<{}}  {}\n", scene.file.stem().string(), width,
               printable(scene.problem.empty() ? scene.title : scene.problem));
}

void list_materials() {
  for (const MaterialPreset& preset : material_presets()) {
    fmt::print("{}\n", preset.name);
    fmt::print("  youngs_modulus_pa = {:<9.6g}  {}\n", preset.youngs_modulus_pa, preset.modulus_source);
    fmt::print("  poissons_ratio    = {:<9.6g}  {}\n", preset.poissons_ratio, preset.ratio_source);
    fmt::print("  density_kg_m3     = {:<9.6g}  {}\n", preset.density_kg_m3, preset.density_source);
  }
}

}  // namespace

void add_list_command(CLI::App& program, int& exit_code) {
  auto materials = std::make_shared<bool>(false);
  CLI::App* command = program.add_subcommand("list", "List the shipped scenes, or the known materials.");
  command->add_flag("--materials", *materials, "the values of preset = \"...\" with their sources");
  command->callback([materials, &exit_code] {
    *materials ? list_materials() : list_shipped_scenes();
    exit_code = kDone;
  });
}

}  // namespace distal
