// A scene back as TOML.
#pragma once
#include <string>

#include "distal/scenario/scene.hpp"

namespace distal {

// Every value written out, in an order that loads to the same scene.
std::string write_scene(const Scene& scene);

}  // namespace distal
