#include "distal/run/build_simulation.hpp"

#include "distal/core/error.hpp"

namespace distal {

Simulation build_simulation(const Scene& scene) {
  try {
    return Simulation(scene.model, scene.motion.has_value());
  } catch (const InputError& error) { throw with_place(scene, error); }
}

}  // namespace distal
