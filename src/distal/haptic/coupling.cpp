#include "distal/haptic/coupling.hpp"

#include <fmt/format.h>

#include <cmath>

#include "distal/core/error.hpp"
#include "distal/model/model.hpp"

namespace distal {
namespace {

// Of rate * period: a force that is held for a period is stable below 1 / damping ratio.
constexpr double kMostPhase = 0.5;

Vec3 cut_to(const Vec3& v, double most) {
  const double size = v.norm();
  return size > most ? Vec3(v * (most / size)) : v;
}

}  // namespace

Coupling::Coupling(const std::string& where, const DeviceDescription& description, const Model& model,
                   std::size_t rigid_index, double period_s)
    : damping_ratio_(description.damping_ratio),
      max_force_n_(description.max_force_n),
      max_torque_n_m_(description.max_torque_n_m) {
  const RigidBody& body = model.rigid[rigid_index];
  const CarriedMass carried = find_carried_mass(model, rigid_index);
  mass_kg_ = carried.mass_kg;
  centre_m_ = carried.centre_m - body.end_m;
  inertia_kg_m2_ = carried.inertia_kg_m2;
  weight_n_ = description.carries_weight ? Vec3(mass_kg_ * model.gravity_m_s2) : Vec3(Vec3::Zero());
  rate_rad_s_ = std::sqrt(description.stiffness_n_m / mass_kg_);
  const double most_rate = kMostPhase / (std::max(damping_ratio_, 0.25) * period_s),
               most_n_m = mass_kg_ * most_rate * most_rate;
  if (description.stiffness_n_m > most_n_m * (1.0 + 1e-9))
    throw InputError(
        fmt::format("{}.stiffness_n_m: found {}, allowed: at most {:.4g} for the {:.3g} kg of body '{}' at "
                    "this control period",
                    where, description.stiffness_n_m, most_n_m, mass_kg_, body.name));
  // Below it the held force gives more energy than the damper takes.
  const double least_ratio = 0.25 * rate_rad_s_ * period_s;
  if (damping_ratio_ < least_ratio)
    throw InputError(
        fmt::format("{}.damping_ratio: found {}, allowed: at least {:.3g} at this stiffness and control "
                    "period",
                    where, damping_ratio_, least_ratio));
}

Wrench Coupling::pull(const Carriage& wanted, const Carriage& body, double gain) const {
  const double w = gain * rate_rad_s_, twice = 2.0 * damping_ratio_ * w;
  const Vec3 wanted_arm = wanted.pose.q * centre_m_, arm = body.pose.q * centre_m_;
  const Vec3 way = wanted.pose.position + wanted_arm - body.pose.position - arm;
  const Vec3 rate =
      wanted.twist.linear + wanted.twist.angular.cross(wanted_arm) - body.twist.linear - body.twist.angular.cross(arm);
  const Vec3 turn = vector_from_rotation(wanted.pose.q * body.pose.q.conjugate());
  const Mat3 rotation = body.pose.q.toRotationMatrix();
  const Vec3 torque =
      rotation *
      (inertia_kg_m2_ * (rotation.transpose() * (w * w * turn + twice * (wanted.twist.angular - body.twist.angular))));
  return {cut_to(mass_kg_ * (w * w * way + twice * rate), max_force_n_), cut_to(torque, max_torque_n_m_)};
}

BodyCommand Coupling::command(const Wrench& about_centre, const Pose& end) const {
  Wrench total = about_centre;
  total.force -= weight_n_;
  BodyCommand command;
  command.wrench = rotated(end.q.conjugate(), moved(total, end.q * centre_m_));
  return command;
}

}  // namespace distal
