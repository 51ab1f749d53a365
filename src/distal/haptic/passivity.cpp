#include "distal/haptic/passivity.hpp"

#include <algorithm>

namespace distal {

void observe_work(const Vec3& place, PassivityMemory& memory) {
  if (memory.started) memory.energy_j -= memory.force.dot(place - memory.place);
  memory.started = true;
  memory.place = place;
  memory.least_j = std::min(memory.least_j, memory.energy_j);
}

Vec3 make_passive(const Vec3& force, const Vec3& velocity, double period_s, double most_damping,
                  PassivityMemory& memory) {
  const double squared = velocity.squaredNorm();
  const double excess_j = force.dot(velocity) * period_s - memory.energy_j;
  if (excess_j <= 0.0 || !(squared > 0.0)) return force;
  // Taking the force away along the way is always safe; a damper beyond that is not.
  const double most = std::max(0.0, force.dot(velocity)) / squared + most_damping;
  const double damping = std::min(excess_j / (squared * period_s), most);
  memory.damped_j += damping * squared * period_s;
  return force - damping * velocity;
}

}  // namespace distal
