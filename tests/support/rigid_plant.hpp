// A small honest finger for testing controllers without the lattice: a rigid rod under gravity, a soft tip that is one
// mass on a spring and damper ahead of it, and a plane z = 0 that pushes with a d^1.5 and holds by friction springs.
#pragma once
#include <algorithm>
#include <cmath>
#include <numbers>

#include "distal/state/exchange.hpp"

namespace distal::test {

struct RigidPlantOptions {
  double rod_mass_kg = 0.020;
  Vec3 centre_m = Vec3(0.0, 0.0, 0.0167);          // of the rod's mass, from E
  Vec3 gyration_m = Vec3(0.0100, 0.0100, 0.0035);  // about the rod's centre
  double tip_mass_kg = 0.0021;
  double tip_frequency_hz = 80.0;  // with the rod held
  double tip_damping_ratio = 0.1;
  Vec3 tip_centre_m = Vec3(0.0, 0.0, 0.030);  // from E
  double tip_radius_m = 0.010;
  double contact_n_m15 = 900.0;  // force = this * depth^1.5
  double shear_n_m = 60.0;       // friction spring that never slips
  double spin_n_m_rad = 2e-3;    // and its resistance to spin about the plane's normal
  double contact_damping_s = 0.003;
  Vec3 gravity_m_s2 = Vec3(0.0, 0.0, -9.81);
  double step_s = 2e-5;
};

class RigidPlant {
 public:
  RigidPlant(const RigidPlantOptions& options, const Pose& end, const Vec3& velocity = Vec3::Zero())
      : o_(options), end_(end), tip_(end.to_world(options.tip_centre_m)), tip_velocity_(velocity) {
    twist_.linear = velocity;
    measure();
  }

  const BodyFeedback& feedback() const { return feedback_; }
  double height_m() const { return tip_.z() - o_.tip_radius_m; }  // of the tip's lowest point
  RigidPlantOptions& options() { return o_; }

  const BodyFeedback& exchange(const BodyCommand& command, double period_s) {
    const int steps = static_cast<int>(std::lround(period_s / o_.step_s));
    for (int i = 0; i < steps; ++i) step(command);
    time_s_ += period_s;
    measure();
    return feedback_;
  }

 private:
  struct Forces {
    Wrench rod;      // of the tip on the rod, at E, world
    Wrench contact;  // of the plane on the tip, at E, world
  };

  Forces compute_forces() {
    const Vec3 arm = end_.q * o_.tip_centre_m;
    const Vec3 stretch = tip_ - end_.position - arm;
    const Vec3 rate = tip_velocity_ - twist_.linear - twist_.angular.cross(arm);
    const double w = 2.0 * std::numbers::pi * o_.tip_frequency_hz;
    Forces forces;
    forces.rod.force = o_.tip_mass_kg * (w * w * stretch + 2.0 * o_.tip_damping_ratio * w * rate);
    forces.rod.torque = arm.cross(forces.rod.force);
    const double depth = -height_m();
    if (depth <= 0.0) {
      touching_ = false;
      return forces;
    }
    if (!touching_) {
      touching_ = true;
      anchor_ = tip_;
      first_q_ = end_.q;
    }
    const double push = o_.contact_n_m15 * std::pow(depth, 1.5) *
                        std::max(0.0, 1.0 - o_.contact_damping_s / o_.tip_radius_m * 10.0 * tip_velocity_.z());
    const Vec3 slip = anchor_ - tip_;
    const Vec3 force(o_.shear_n_m * slip.x(), o_.shear_n_m * slip.y(), push);
    const double spin = vector_from_rotation(end_.q * first_q_.conjugate()).z();
    const Vec3 point = tip_ - Vec3(0.0, 0.0, o_.tip_radius_m - depth);
    const Vec3 spin_torque(0.0, 0.0, -o_.spin_n_m_rad * spin);
    forces.contact = {force, (point - end_.position).cross(force) + spin_torque};
    // The tip is a point: what the contact turns, it turns through the tip at once.
    forces.rod.torque += (point - tip_).cross(force) + spin_torque;
    return forces;
  }

  void step(const BodyCommand& command) {
    const Forces forces = compute_forces();
    const double dt = o_.step_s;
    tip_velocity_ += dt * (o_.gravity_m_s2 + (forces.contact.force - spring_force(forces)) / o_.tip_mass_kg);
    if (command.mode == CommandMode::twist) {
      twist_ = command.twist;
    } else {
      accelerate(rotated(end_.q, command.wrench) + forces.rod);
    }
    tip_ += dt * tip_velocity_;
    end_.position += dt * twist_.linear;
    end_.q = (rotation_from_vector(dt * twist_.angular) * end_.q).normalized();
  }

  static const Vec3& spring_force(const Forces& forces) { return forces.rod.force; }

  // Newton and Euler about the rod's centre; E's velocity follows from it.
  void accelerate(const Wrench& at_end) {
    const double dt = o_.step_s;
    const Vec3 arm = end_.q * o_.centre_m;
    const Vec3 moments = o_.rod_mass_kg * o_.gyration_m.cwiseAbs2();
    Vec3 centre_velocity = twist_.linear + twist_.angular.cross(arm);
    centre_velocity += dt * (o_.gravity_m_s2 + at_end.force / o_.rod_mass_kg);
    const Vec3 spin = end_.q.conjugate() * twist_.angular;
    const Vec3 torque = end_.q.conjugate() * (at_end.torque - arm.cross(at_end.force));
    const Vec3 next = spin + dt * (torque - spin.cross(moments.cwiseProduct(spin))).cwiseQuotient(moments);
    twist_.angular = end_.q * next;
    // The arm turns during the step: without its mean the centripetal part would be lost.
    const Vec3 next_arm = rotation_from_vector(dt * twist_.angular) * arm;
    twist_.linear = centre_velocity - (next_arm - arm) / dt;
  }

  void measure() {
    const Forces forces = compute_forces();
    feedback_.time_s = time_s_;
    feedback_.pose = end_;
    feedback_.twist = twist_;
    feedback_.tip = rotated(end_.q.conjugate(), forces.rod);
    feedback_.contact = rotated(end_.q.conjugate(), forces.contact);
  }

  RigidPlantOptions o_;
  Pose end_;
  Twist twist_;
  Vec3 tip_, tip_velocity_;
  Vec3 anchor_ = Vec3::Zero();
  Quat first_q_ = Quat::Identity();
  bool touching_ = false;
  double time_s_ = 0.0;
  BodyFeedback feedback_;
};

// E of a finger that points down, tilted by `tilt_rad` about x, its tip's lowest point `gap_m` above the plane.
inline Pose end_above_plane(const RigidPlantOptions& o, double gap_m, double tilt_rad) {
  Pose end;
  end.q = rotation_from_vector(Vec3(tilt_rad, 0.0, 0.0)) * Quat(0.0, 1.0, 0.0, 0.0);
  const Vec3 tip(0.0, 0.0, gap_m + o.tip_radius_m);
  end.position = tip - end.q * o.tip_centre_m;
  return end;
}

}  // namespace distal::test
