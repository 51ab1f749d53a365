#include "distal/scene_options.hpp"

#include <fmt/format.h>

namespace distal {

CLI::Validator not_empty() {
  const auto check = [](const std::string& text) {
    return std::string(text.empty() ? "is empty, expected a path" : "");
  };
  return {check, ""};
}

CLI::Validator number_within(double low, double high) {
  const auto check = [low, high](const std::string& text) {
    double value = 0.0;
    const bool good = CLI::detail::lexical_cast(text, value) && value >= low && value <= high;
    return good ? std::string() : fmt::format("found {}, allowed: {} to {}", text, low, high);
  };
  return {check, fmt::format("[{} to {}]", low, high)};
}

CLI::Option* add_scene(CLI::App& command, std::string& scene) {
  return command.add_option("scene", scene, "scene file, or the name of a shipped scene (distal list)")
      ->type_name("SCENE.toml");
}

void add_overrides(CLI::App& command, std::vector<std::string>& overrides) {
  command.add_option("--set", overrides, "override or add a value, for example body.finger.cell_size_m=0.002")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

}  // namespace distal
