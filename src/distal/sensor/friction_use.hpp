// How much of its friction ellipsoid a hard contact uses (paper 3, equation 6).
#pragma once
#include "distal/state/state.hpp"

namespace distal {

struct FrictionUse {
  double most_force_n = 0.0;     // mu P; 0 without friction, and without a limit to it
  double most_moment_n_m = 0.0;  // e_n mu P
  // Force along the two tangents and moment about the normal, each as a share of its greatest.
  Vec3 share = Vec3::Zero();

  double use() const { return share.norm(); }  // 1 where it slips
};

FrictionUse find_friction_use(const ContactPair& pair, const HardContact& contact);

}  // namespace distal
