// From a parsed file to a Scene: every key read and checked by itself. What ties keys together is scene_checks.
#pragma once
#include <filesystem>

#include "distal/scenario/problems.hpp"
#include "distal/scenario/scene.hpp"
#include "distal/scenario/value.hpp"

namespace distal {

Scene read_scene(const Value& root, const std::filesystem::path& file, Problems& problems);

}  // namespace distal
