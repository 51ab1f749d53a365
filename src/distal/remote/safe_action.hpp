// What a plant does by itself when its controller is silent.
#pragma once
#include <span>

#include "distal/remote/served_plant.hpp"
#include "distal/scenario/scene.hpp"

namespace distal {

// `commands` holds the last ones and becomes what is applied over the coming period.
void update_safe_commands(const ServeDescription& description, const ServedPlant& plant,
                          std::span<BodyCommand> commands);

}  // namespace distal
