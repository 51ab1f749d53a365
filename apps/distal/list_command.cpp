// distal list: the shipped scenes.
#include <fmt/format.h>

#include <algorithm>

#include "distal/commands.hpp"
#include "distal/scenario/scene.hpp"
#include "distal/shipped_scenes.hpp"

namespace distal {

void add_list_command(CLI::App& program, int& exit_code) {
  program.add_subcommand("list", "List the shipped scenes.")->callback([&exit_code] {
    const std::vector<SceneListing> scenes = list_scenes(shipped_scene_folder());
    std::size_t width = 0;
    for (const SceneListing& scene : scenes) width = std::max(width, scene.file.stem().string().size());
    for (const SceneListing& scene : scenes)
      fmt::print("{:<{}}  {}\n", scene.file.stem().string(), width,
                 scene.problem.empty() ? scene.title : scene.problem);
    exit_code = kDone;
  });
}

}  // namespace distal
