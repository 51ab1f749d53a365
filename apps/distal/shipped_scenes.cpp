#include "distal/shipped_scenes.hpp"

#include <fmt/format.h>

#include <vector>

#include "distal/core/error.hpp"
#include "distal/core/nearest_name.hpp"
#include "distal/scenario/doubts.hpp"
#include "distal/terminal.hpp"

namespace distal {
namespace {

namespace fs = std::filesystem;

fs::path find_folder() {
  std::error_code problem;
  const fs::path program = fs::read_symlink("/proc/self/exe", problem);
  const fs::path candidates[] = {program.parent_path() / DISTAL_INSTALLED_SCENARIOS, DISTAL_SOURCE_SCENARIOS};
  for (const fs::path& folder : candidates) {
    if (fs::is_directory(folder, problem)) return folder.lexically_normal();
  }
  return {};
}

[[noreturn]] void refuse_unknown_scene(const std::string& name, const fs::path& folder) {
  std::vector<std::string> names;
  for (const SceneListing& scene : list_scenes(folder)) names.push_back(scene.file.stem().string());
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string stem = fs::path(name).extension() == ".toml" ? fs::path(name).stem().string() : name;
  throw InputError(fmt::format("{}: no such file, and no shipped scene of that name{}; see distal list", name,
                               suggestion(stem, views)));
}

}  // namespace

fs::path shipped_scene_folder() {
  fs::path folder = find_folder();
  if (folder.empty())
    throw InputError(
        fmt::format("the shipped scenes are missing: neither beside the program nor in {}", DISTAL_SOURCE_SCENARIOS));
  return folder;
}

fs::path find_scene(const std::string& name) {
  std::error_code problem;
  const fs::path given = name;
  if (fs::exists(given, problem) && !(fs::is_directory(given, problem) && !given.has_extension())) return given;
  const fs::path folder = find_folder();
  if (given.has_parent_path() || folder.empty()) return given;
  for (const fs::path& candidate : {folder / given, folder / (name + ".toml")}) {
    if (fs::is_regular_file(candidate, problem)) return candidate;
  }
  refuse_unknown_scene(name, folder);
}

Scene open_scene(const std::string& name, std::span<const std::string> overrides) {
  Scene scene = load_scene(find_scene(name), overrides);
  for (const std::string& doubt : find_doubts(scene)) print_warning(doubt);
  return scene;
}

}  // namespace distal
