// Newton and Euler for the rod that a controller moves by a wrench at its end E.
#pragma once
#include "distal/state/exchange.hpp"

namespace distal {

// As a controller is told of it, or has learnt.
struct RigidRod {
  double mass_kg;
  Vec3 centre_of_mass_m;  // from E, along E's axes
  Vec3 gyration_radii_m;  // about the centre, along E's axes
  Vec3 gravity_m_s2;      // world
};

// The wrench at E, along E's axes, that gives E these accelerations in the world while nothing else but the weight
// acts. A force at E also turns the rod about its centre, and this takes it into account.
inline Wrench rigid_rod_wrench(const RigidRod& rod, const BodyFeedback& feedback, const Vec3& linear_m_s2,
                               const Vec3& angular_rad_s2) {
  const Quat to_rod = feedback.pose.q.conjugate();
  const Vec3 spin = to_rod * feedback.twist.angular, turn = to_rod * angular_rad_s2;
  const Vec3& arm = rod.centre_of_mass_m;
  const Vec3 k2 = rod.gyration_radii_m.cwiseAbs2();
  const Vec3 centre = to_rod * (linear_m_s2 - rod.gravity_m_s2) + turn.cross(arm) + spin.cross(spin.cross(arm));
  Wrench wrench;
  wrench.force = rod.mass_kg * centre;
  wrench.torque = rod.mass_kg * (k2.cwiseProduct(turn) + spin.cross(k2.cwiseProduct(spin))) + arm.cross(wrench.force);
  return wrench;
}

}  // namespace distal
