#include "distal/sensor/friction_use.hpp"

#include <cmath>

namespace distal {

FrictionUse find_friction_use(const ContactPair& pair, const HardContact& c) {
  FrictionUse use;
  const double limit = (c.slides ? pair.law.dynamic_friction : pair.law.static_friction) * c.load_n;
  if (!std::isfinite(limit) || limit <= 0.0) return use;
  use.most_force_n = limit;
  use.most_moment_n_m = c.eccentricity_m * limit;
  use.share.head<2>() = c.friction.head<2>() / limit;
  // Where one point of a face bears no moment of its own, the friction beside it does not count as one.
  if (use.most_moment_n_m > 0.0) use.share.z() = c.friction.z() / use.most_moment_n_m;
  return use;
}

}  // namespace distal
