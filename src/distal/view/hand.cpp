#include "distal/view/hand.hpp"

#include <algorithm>
#include <cmath>

#include "distal/sensor/measure.hpp"

namespace distal {
namespace {

constexpr double kFrequency_rad_s = 60.0;  // of the spring with the mass it holds
constexpr double kApproach_per_s = 15.0;   // of the target: the rate at which what is left of its way shrinks
constexpr double kMostOnRigid_n = 20.0;    // beyond the weight
constexpr double kLever_m = 0.05;          // largest torque over largest force
// Of E V^(2/3): a tip of paper 1 is then pressed half through to its rod.
constexpr double kShareOfStiffness = 0.4;

Vec3 limited(const Vec3& v, double most) {
  const double size = v.norm();
  return size > most ? Vec3(v * (most / size)) : v;
}

}  // namespace

double find_most_force_n(const Model& model, std::size_t rigid_index) {
  const int soft = soft_on_rod(model, rigid_index);
  if (soft < 0) return kMostOnRigid_n;
  const SoftBody& tip = model.soft[static_cast<std::size_t>(soft)];
  return std::min(kMostOnRigid_n, kShareOfStiffness * tip.moduli().youngs_pa * std::pow(tip.volume_m3(), 2.0 / 3.0));
}

Vec3 guarded_step(const Vec3& from, const Vec3& to, double most_m, const Vec3& contact_n, double most_force_n) {
  Vec3 step = limited(to - from, most_m);
  const double force = contact_n.norm();
  if (force <= most_force_n) return step;
  const Vec3 out = contact_n / force;
  step -= out * std::min(0.0, out.dot(step));
  return step;
}

Hand::Hand(const Model& model, std::size_t rigid_index, const RigidState& state, const Vec3& point_m)
    : body_(model.rigid[rigid_index]),
      carried_(find_carried_mass(model, rigid_index)),
      gravity_m_s2_(model.gravity_m_s2),
      most_force_n_(find_most_force_n(model, rigid_index)),
      grip_m_(body_pose(body_, state).to_local(point_m)),
      q_(state.q),
      target_m_(point_m),
      now_m_(point_m) {}

void Hand::release(const RigidState& state) {
  now_m_ = target_m_ = body_pose(body_, state).to_world(grip_m_);
  q_ = state.q;
}

BodyCommand Hand::update(const RigidState& state, const BodyFeedback& feedback, double period_s) {
  const Vec3 before = now_m_;
  if (body_.mount == Mount::driven) {
    const Vec3 contact = feedback.pose.q * feedback.contact.force;
    now_m_ += guarded_step(now_m_, target_m_, kFastestHand_m_s * period_s, contact, most_force_n_);
    BodyCommand command;
    command.mode = CommandMode::pose;
    command.pose = {now_m_ - q_ * (grip_m_ - body_.end_m), q_};
    return command;
  }
  // Slower towards the end, so that the body does not swing past.
  now_m_ += limited(std::min(1.0, kApproach_per_s * period_s) * (target_m_ - now_m_), kFastestHand_m_s * period_s);
  // A hand that is held up does not run ahead: it comes back as soon as its target does.
  const Vec3 grip = body_pose(body_, state).to_world(grip_m_);
  const double most_lead_m = most_force_n_ / (carried_.mass_kg * kFrequency_rad_s * kFrequency_rad_s);
  now_m_ = grip + limited(now_m_ - grip, most_lead_m);
  return pull(state, (now_m_ - before) / period_s);
}

// Force and torque about the centre of what is carried, where motion and rotation do not mix; then about E.
BodyCommand Hand::pull(const RigidState& state, const Vec3& target_velocity) const {
  constexpr double w = kFrequency_rad_s;
  const Mat3 rotation = state.q.toRotationMatrix();
  const Vec3 arm = rotation * (carried_.centre_m - body_.centre_of_mass_m);
  const Vec3 centre = state.centre_of_mass + arm, velocity = state.velocity + state.angular_velocity.cross(arm);
  const Vec3 wanted = now_m_ - q_ * (grip_m_ - carried_.centre_m);
  const Vec3 force = carried_.mass_kg *
                     (w * w * (wanted - centre) + 2.0 * w * (limited(target_velocity, kFastestHand_m_s) - velocity));
  const Vec3 turn = w * w * vector_from_rotation(q_ * state.q.conjugate()) - 2.0 * w * state.angular_velocity;
  const Vec3 torque = rotation * carried_.inertia_kg_m2 * rotation.transpose() * turn;
  const Wrench about_centre{limited(force, most_force_n_) - carried_.mass_kg * gravity_m_s2_,
                            limited(torque, kLever_m * most_force_n_)};
  const Vec3 end = rotation * (carried_.centre_m - body_.end_m);
  BodyCommand command;
  command.wrench = rotated(state.q.conjugate(), moved(about_centre, end));
  return command;
}

}  // namespace distal
