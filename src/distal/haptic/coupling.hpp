// Virtual coupling (Colgate, Stanley and Brown 1995): a spring and damper between where the hand is and a rigid body
// that stands for it in the simulation. Acts at the centre of what is carried, where pushing does not turn.
#pragma once
#include "distal/haptic/description.hpp"
#include "distal/sensor/carried_mass.hpp"
#include "distal/state/exchange.hpp"

namespace distal {

// Where something is and how it moves: the body's end E, or where the hand wants it.
struct Carriage {
  Pose pose;
  Twist twist;
};

class Coupling {
 public:
  // Throws InputError where the spring is too stiff for the body's mass at this period.
  Coupling(const std::string& where, const DeviceDescription& description, const Model& model, std::size_t rigid_index,
           double period_s);

  // On the body, world, about the centre of what it carries; within the device's limits. `gain` in [0, 1] makes it slow
  // at the same damping ratio: stiffness goes with its square.
  Wrench pull(const Carriage& wanted, const Carriage& body, double gain = 1.0) const;
  // The same as a command, with the weight where the description says so.
  BodyCommand command(const Wrench& about_centre, const Pose& end) const;
  BodyCommand carry(const Pose& end) const { return command(Wrench{}, end); }

  double mass_kg() const { return mass_kg_; }

 private:
  double mass_kg_, rate_rad_s_, damping_ratio_;
  double max_force_n_, max_torque_n_m_;
  Vec3 centre_m_;       // of what is carried, from E along E's axes
  Mat3 inertia_kg_m2_;  // about it, E's axes
  Vec3 weight_n_;       // that is carried without being felt
};

}  // namespace distal
