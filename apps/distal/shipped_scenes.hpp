// The scenes that come with the program: beside the installed program, or in the source tree it was built from.
#pragma once
#include <filesystem>
#include <span>
#include <string>

#include "distal/scenario/scene.hpp"

namespace distal {

// Throws InputError when there is none.
std::filesystem::path shipped_scene_folder();

// A file as given; else a shipped scene of that name, with or without ".toml". What is neither is returned as given, so
// that loading it reports the missing file. Near names are suggested by InputError where the name has no folder.
std::filesystem::path find_scene(const std::string& name);

// Loads what find_scene finds; values that look like a mistake of units are said.
Scene open_scene(const std::string& name, std::span<const std::string> overrides);

}  // namespace distal
