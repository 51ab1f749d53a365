// The simulation of a scene.
#pragma once
#include "distal/scenario/scene.hpp"
#include "distal/simulation/simulation.hpp"

namespace distal {

// What is refused only now has the place of its key, as what is refused when a scene is read.
Simulation build_simulation(const Scene& scene);

}  // namespace distal
