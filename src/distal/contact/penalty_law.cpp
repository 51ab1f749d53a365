#include "distal/contact/penalty_law.hpp"

#include <algorithm>
#include <cmath>

namespace distal {
namespace {

// A sliding sample sticks again once its spring asks for less than this share of its limit, and has its static limit
// back below this share of the dynamic one: small vibrations of N do not let it climb there again and again.
constexpr double kStickShare = 0.9;

double spring_energy(double stiffness, double offset_squared) { return 0.5 * stiffness * offset_squared; }

void hold_for_good(const PenaltySpring& spring, const ContactInput& in, Contact& out) {
  out.touch = Touch::sticks;
  // First touch: the nearest point of the surface.
  out.anchor_m = in.touch == Touch::none ? Vec3(in.point + in.depth_m * in.normal) : in.anchor;
  const Vec3 offset = in.point - out.anchor_m;
  out.force = -spring.stiffness_n_m * offset - spring.damping_n_s_m * in.relative_velocity;
  out.normal_force_n = out.force.dot(in.normal);
  out.energy_j = spring_energy(spring.stiffness_n_m, offset.squaredNorm());
  out.damping_w = spring.damping_n_s_m * in.relative_velocity.squaredNorm();
}

// What the work of a spring k that slid leaves behind the change of its store: it was stretched by `old_m`, would be by
// `wanted_m` without sliding, and is by `new_m`. With the mean force of old and new over the way slid, or with the new
// one all the way.
double slid_energy(double k, double old_m, double new_m, double wanted_m, bool force_of_end) {
  if (!force_of_end) return 0.5 * k * (old_m + new_m) * (wanted_m - new_m);
  return 0.5 * k * (old_m - new_m) * (old_m - new_m) + k * new_m * (wanted_m - new_m);
}

// The largest share of `damping` (0 to 1) that keeps |pull + share damping| within the limit; |pull| is within it.
double damping_share(const Vec3& pull, const Vec3& damping, double limit) {
  const double a = damping.squaredNorm(), b = pull.dot(damping), c = pull.squaredNorm() - limit * limit;
  if (a + 2.0 * b + c <= 0.0 || a == 0.0) return 1.0;
  return std::clamp((-b + std::sqrt(std::max(0.0, b * b - a * c))) / a, 0.0, 1.0);
}

// Share of the way from the static to the dynamic coefficient after sliding by `slid_m` more.
double weaken(const ContactDescription& law, double weakened, double slid_m) {
  return slid_m < law.slip_distance_m * (1.0 - weakened) ? weakened + slid_m / law.slip_distance_m : 1.0;
}

}  // namespace

// Level at both ends: a sample that has slid a little holds nearly as well as one that has not.
double friction_coefficient(const ContactDescription& law, double weakened) {
  const double fallen = weakened * weakened * (3.0 - 2.0 * weakened);
  return law.static_friction - fallen * (law.static_friction - law.dynamic_friction);
}

void apply_stick_slip(const ContactDescription& law, const PenaltySpring& spring, const ContactInput& in,
                      Contact& out) {
  const double k = spring.tangential_stiffness_n_m;
  const Vec3 anchor = in.is_new() ? in.point : in.anchor;
  Vec3 offset = in.point - anchor;
  offset -= offset.dot(in.normal) * in.normal;
  Vec3 pull = -k * offset;
  const double wanted = pull.norm();
  // inf * 0 is no number: a sample that never slips holds whatever N is.
  const bool never_slips = !std::isfinite(law.static_friction);
  const bool heals = in.is_new() || wanted <= kStickShare * law.dynamic_friction * out.normal_force_n;
  // The coefficient is that of the way slid before this step: within a step nothing falls away.
  out.weakened = never_slips || heals ? 0.0 : in.weakened;
  const double limit = never_slips ? wanted : friction_coefficient(law, out.weakened) * out.normal_force_n;
  out.touch = in.touch == Touch::slides && wanted > kStickShare * limit ? Touch::slides : Touch::sticks;
  out.anchor_m = anchor;
  // Where it first touches it is held only from the next step on: until then the anchor moves with it.
  if (in.is_new()) out.tangent_share = 0.0;
  if (in.let_go) out.released_j = spring_energy(k, in.stretch_m * in.stretch_m);
  if (wanted > limit) {
    pull *= limit / wanted;
    offset = -pull / k;
    out.touch = Touch::slides;
    out.anchor_m = in.point - offset;
    out.tangent_share = limit / wanted;
    out.weakened = weaken(law, out.weakened, (wanted - limit) / k);
    out.released_j = slid_energy(k, std::min(in.stretch_m, wanted / k), offset.norm(), wanted / k, in.force_of_end);
  } else if (spring.damping_n_s_m > 0.0) {
    const Vec3 velocity = in.relative_velocity - in.relative_velocity.dot(in.normal) * in.normal;
    const Vec3 damping = -spring.damping_n_s_m * velocity;
    const double share = never_slips ? 1.0 : damping_share(pull, damping, limit);
    pull += share * damping;
    out.damping_w -= share * damping.dot(velocity);
    out.damping_share = share;
  }
  out.stretch_m = offset.norm();
  out.energy_j += spring_energy(k, offset.squaredNorm());
  out.force += pull;
}

void apply_contact_law(const ContactDescription& law, const PenaltySpring& spring, const ContactInput& in,
                       Contact& out) {
  out.point = in.point;
  out.depth_m = in.depth_m;
  out.normal = in.normal;
  out.force = Vec3::Zero();
  out.normal_force_n = out.energy_j = out.released_j = out.damping_w = out.stretch_m = 0.0;
  out.tangent_share = 1.0;
  out.damping_share = out.weakened = 0.0;
  const bool anchored = law.tangential == TangentialLaw::anchor;
  if (anchored && (in.touch != Touch::none || in.depth_m > 0.0)) return hold_for_good(spring, in, out);
  if (in.depth_m <= 0.0) {
    // Apart: what the tangential spring still held is lost.
    if (in.touch != Touch::none) {
      Vec3 offset = in.point - in.anchor;
      offset -= offset.dot(in.normal) * in.normal;
      // Without a force all through the step it has not been stretched any further.
      const double squared = in.force_of_end ? in.stretch_m * in.stretch_m : offset.squaredNorm();
      out.released_j = spring_energy(spring.tangential_stiffness_n_m, squared);
    }
    out.touch = Touch::none;
    return;
  }
  const double approach = -in.relative_velocity.dot(in.normal);
  out.normal_force_n = std::max(0.0, spring.stiffness_n_m * in.depth_m + spring.damping_n_s_m * approach);
  out.force = out.normal_force_n * in.normal;
  out.energy_j = spring_energy(spring.stiffness_n_m, in.depth_m * in.depth_m);
  // What the damper really takes: a force that would pull is cut off.
  out.damping_w = (out.normal_force_n - spring.stiffness_n_m * in.depth_m) * approach;
  apply_stick_slip(law, spring, in, out);
}

Mat3 contact_damping(const ContactDescription& law, const PenaltySpring& spring, const Contact& contact) {
  if (law.tangential == TangentialLaw::anchor) return spring.damping_n_s_m * Mat3::Identity();
  if (contact.normal_force_n == 0.0) return Mat3::Zero();
  const Mat3 normal = contact.normal * contact.normal.transpose();
  return spring.damping_n_s_m * (normal + contact.damping_share * (Mat3::Identity() - normal));
}

Mat3 contact_stiffness(const ContactDescription& law, const PenaltySpring& spring, const Contact& contact) {
  if (contact.touch == Touch::none) return Mat3::Zero();
  if (law.tangential == TangentialLaw::anchor) return spring.stiffness_n_m * Mat3::Identity();
  if (contact.normal_force_n == 0.0) return Mat3::Zero();
  const Mat3 normal = contact.normal * contact.normal.transpose();
  Mat3 tangential = Mat3::Identity() - normal;
  if (contact.tangent_share < 1.0) {
    const Vec3 pull = contact.force - contact.force.dot(contact.normal) * contact.normal;
    if (pull.squaredNorm() > 0.0) tangential -= pull * pull.transpose() / pull.squaredNorm();
    tangential *= contact.tangent_share;
  }
  return spring.stiffness_n_m * normal + spring.tangential_stiffness_n_m * tangential;
}

}  // namespace distal
