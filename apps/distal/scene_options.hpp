// Options that several commands share.
#pragma once
#include <CLI/CLI.hpp>

namespace distal {

// SCENE.toml, and --set KEY=VALUE as often as needed.
CLI::Option* add_scene(CLI::App& command, std::string& scene);
void add_overrides(CLI::App& command, std::vector<std::string>& overrides);

// For options whose empty value would mean that they were left out.
CLI::Validator not_empty();
// CLI::Range lets "nan" through.
CLI::Validator number_within(double low, double high);

}  // namespace distal
