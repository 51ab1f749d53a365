// A viewer's hand on a rigid body: a critically damped spring and damper that carries the weight.
#pragma once
#include "distal/sensor/carried_mass.hpp"
#include "distal/state/state.hpp"

namespace distal {

// A target that jumps is followed no faster than this: no jump of a mouse tears a body.
inline constexpr double kFastestHand_m_s = 0.3;

// The largest force a hand puts on a body beyond its weight [N]: soft things are held softly.
double find_most_force_n(const Model& model, std::size_t rigid_index);

// A step from `from` towards `to`, at most `most_m` long; where `contact_n`, on the body, exceeds the limit, the step
// does not go further against it.
Vec3 guarded_step(const Vec3& from, const Vec3& to, double most_m, const Vec3& contact_n, double most_force_n);

class Hand {
 public:
  // Holds the body where it is, at a point of the world.
  Hand(const Model& model, std::size_t rigid_index, const RigidState& state, const Vec3& point_m);

  void drag(const Vec3& target_m) { target_m_ = target_m; }
  // Holds the body where it is now.
  void release(const RigidState& state);

  // For the next control period. `feedback` is the true one, of the end of the last.
  BodyCommand update(const RigidState& state, const BodyFeedback& feedback, double period_s);

 private:
  BodyCommand pull(const RigidState& state, const Vec3& target_velocity) const;

  const RigidBody& body_;
  CarriedMass carried_;
  Vec3 gravity_m_s2_;
  double most_force_n_;
  Vec3 grip_m_;    // the grabbed point, body frame
  Quat q_;         // held
  Vec3 target_m_;  // asked for
  Vec3 now_m_;     // on its way there
};

}  // namespace distal
