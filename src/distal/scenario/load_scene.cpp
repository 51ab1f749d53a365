#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "distal/core/error.hpp"
#include "distal/core/nearest_name.hpp"
#include "distal/core/text_file.hpp"
#include "distal/model/expand_hands.hpp"
#include "distal/scenario/dependent_defaults.hpp"
#include "distal/scenario/fields.hpp"
#include "distal/scenario/scene.hpp"
#include "distal/scenario/scene_checks.hpp"
#include "distal/scenario/scene_reader.hpp"
#include "distal/scenario/scene_text.hpp"
#include "distal/scenario/value.hpp"
#include "distal/state/hasher.hpp"

namespace distal {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kLongestFile_mib = 16;

std::string similar_file(const fs::path& file) {
  std::vector<std::string> names;
  std::error_code error;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".toml") names.push_back(it->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const std::string_view nearest = nearest_name(file.filename().string(), candidates);
  return nearest.empty() ? "" : fmt::format("; did you mean {}?", (file.parent_path() / nearest).string());
}

std::string read_text(const fs::path& file) {
  std::error_code error;
  if (!fs::exists(file, error) && !error)
    throw InputError(fmt::format("{}: there is no such file{}", file.string(), similar_file(file)));
  return load_text(file, "a scene file", kLongestFile_mib);
}

// Checks go through what a scene means: hands as their links and joints.
void check_expanded(const Scene& scene, PlacedProblems& placed) {
  Scene expanded = scene;
  try {
    expanded.model = expand_hands(scene.model);
  } catch (const InputError& error) { return placed.add(error); }
  check_scene(expanded, placed);
}

// A misspelt name in an override makes a new, incomplete thing: say so before its other problems.
void hint_at_misspelt_overrides(const Value& root, Problems& problems) {
  for (const Section& section : scene_sections()) {
    const Value* tables = section.named ? root.find(section.name) : nullptr;
    if (tables == nullptr) continue;
    std::vector<std::string_view> in_file;
    for (const auto& [name, table] : tables->members) {
      if (!table.from_override) in_file.push_back(name);
    }
    for (const auto& [name, table] : tables->members) {
      const std::string_view nearest = table.from_override ? nearest_name(name, in_file) : "";
      if (nearest.empty()) continue;
      problems.add_first(table.place, fmt::format("{}.{}", section.name, name),
                         fmt::format("the scene has no {} \"{}\", so this adds one; did you mean {}.{}?", section.name,
                                     name, section.name, nearest));
    }
  }
}

}  // namespace

Scene parse_scene(std::string_view text, const fs::path& file, std::span<const std::string> overrides) {
  Value root = parse_toml(text, file.string());
  for (const std::string& override_text : overrides) apply_override(root, override_text);
  Problems problems;
  Scene scene = read_scene(root, file, problems);
  if (problems.empty()) {
    PlacedProblems placed(root, problems);
    check_expanded(scene, placed);
    if (problems.empty()) settle_moved_bodies(root, scene, placed);
  }
  if (!problems.empty()) hint_at_misspelt_overrides(root, problems);
  problems.throw_if_any();
  scene.resolved_toml = write_scene(scene);
  scene.text = std::make_shared<const Value>(std::move(root));
  return scene;
}

InputError with_place(const Scene& scene, const InputError& error) {
  const std::string message = error.what();
  const std::size_t end = message.find_first_of(": =");
  const std::string key = message.substr(0, end);
  const std::size_t dot = key.find('.');
  const bool is_key = end != std::string::npos && dot != std::string::npos && scene.text &&
                      (message.compare(end, 2, ": ") == 0 || message.compare(end, 3, " = ") == 0);
  if (!is_key || scene.text->find(key.substr(0, dot)) == nullptr) return error;
  return InputError(fmt::format("{}: {}", scene.text->nearest(key).place, message));
}

Scene load_scene(const fs::path& file, std::span<const std::string> overrides) {
  return parse_scene(read_text(file), file, overrides);
}

std::uint64_t scene_fingerprint(const Scene& scene) {
  Scene same = scene;
  same.record = {};
  same.serve = {};
  same.sensors.clear();
  same.run.duration_s = RunDescription{}.duration_s;
  same.run.threads = RunDescription{}.threads;
  Hasher hasher;
  hasher.add(write_scene(same));
  return hasher.value();
}

std::vector<SceneListing> list_scenes(const fs::path& folder) {
  std::error_code error;
  std::vector<SceneListing> scenes;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".toml") scenes.push_back({it->path(), "", ""});
  }
  if (error) throw InputError(fmt::format("{}: {}", folder.string(), error.message()));
  std::sort(scenes.begin(), scenes.end(), [](const auto& a, const auto& b) { return a.file < b.file; });
  for (SceneListing& scene : scenes) {
    try {
      const Value root = parse_toml(read_text(scene.file), scene.file.string());
      const Value& title = root.nearest("scene.title");
      if (title.kind == Value::Kind::string) scene.title = title.text;
    } catch (const InputError& problem) { scene.problem = problem.what(); }
  }
  return scenes;
}

}  // namespace distal
