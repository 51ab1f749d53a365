// The path of a scripted hand: smooth from point to point, with a sine of tremor on it.
#pragma once
#include "distal/haptic/description.hpp"

namespace distal {

class HandPath {
 public:
  explicit HandPath(const HandPathDescription& description);

  struct Place {
    Vec3 position_m, velocity_m_s;
  };
  Place at(double time_s) const;

 private:
  HandPathDescription description_;
  Vec3 tremor_m_;
  double phase_rad_;
};

}  // namespace distal
