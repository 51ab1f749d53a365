// What a plant does by itself when its controller is silent.
#pragma once
#include <span>

#include "distal/remote/served_plant.hpp"
#include "distal/scenario/scene.hpp"

namespace distal {

// `commands` holds the last ones and becomes what is applied over the coming period.
void update_safe_commands(const ServeDescription& description, const ServedPlant& plant,
                          std::span<BodyCommand> commands);

// The same for joints, once, when the silence begins. Joints that were left to their own motors stay so.
void update_safe_joints(const ServeDescription& description, const ServedPlant& plant,
                        std::span<JointCommand> commands);

}  // namespace distal
