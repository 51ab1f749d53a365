#include "distal/contact/facet_law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace distal {
namespace {

Vec3 at(const std::array<Vec3, 3>& facet, const std::array<double, 3>& weight) {
  return weight[0] * facet[0] + weight[1] * facet[1] + weight[2] * facet[2];
}

std::array<double, 3> deepest_of_seven(const Shape& shape, const std::array<Vec3, 3>& facet) {
  constexpr double third = 1.0 / 3.0;
  constexpr std::array<std::array<double, 3>, 7> candidates{{{third, third, third},
                                                             {0.5, 0.5, 0.0},
                                                             {0.0, 0.5, 0.5},
                                                             {0.5, 0.0, 0.5},
                                                             {1.0, 0.0, 0.0},
                                                             {0.0, 1.0, 0.0},
                                                             {0.0, 0.0, 1.0}}};
  // A facet that lies flat touches at its middle: others must be clearly deeper.
  const double clearly = 1e-3 * (facet[1] - facet[0]).norm();
  std::size_t best = 0;
  double depth = signed_distance(shape, at(facet, candidates[0])).value;
  for (std::size_t c = 1; c < candidates.size(); ++c) {
    const double other = signed_distance(shape, at(facet, candidates[c])).value;
    if (other < depth - clearly) best = c, depth = other;
  }
  return candidates[best];
}

double radius_of(const Shape& shape) {
  if (const auto* sphere = std::get_if<SphereShape>(&shape)) return sphere->radius_m;
  if (const auto* capsule = std::get_if<CapsuleShape>(&shape)) return capsule->radius_m;
  if (const auto* cylinder = std::get_if<CylinderShape>(&shape)) return cylinder->radius_m;
  if (std::holds_alternative<PlaneShape>(shape)) return 0.01;
  if (const auto* all = std::get_if<UnionShape>(&shape)) return radius_of(all->parts.front().shape);
  return std::cbrt(0.75 / std::numbers::pi * find_solid_mass(shape).volume_m3);
}

// Eqs 30 to 36 with the cap, the moving anchor and the velocity against the finger.
void stick_and_slip(const ContactDescription& law, double share, const ContactInput& in, Contact& out) {
  const FacetContactDescription& d = law.facet;
  const double stiffness = share * d.stick_stiffness_n_m;
  const Vec3 velocity = in.relative_velocity - in.relative_velocity.dot(in.normal) * in.normal;
  const double speed = velocity.norm(), most = law.static_friction * out.normal_force_n;
  const double stick_share = std::exp(-speed * speed / (d.stick_speed_m_s * d.stick_speed_m_s));
  const Vec3 anchor = in.is_new() ? in.point : in.anchor;
  Vec3 offset = in.point - anchor;
  offset -= offset.dot(in.normal) * in.normal;
  Vec3 stick = -stiffness * offset - share * d.stick_damping_n_s_m * velocity;
  out.touch = Touch::sticks;
  out.anchor_m = anchor;
  out.tangent_share = stick_share;
  if (const double wanted = stick.norm(); wanted > most) {
    stick *= wanted > 0.0 ? most / wanted : 0.0;
    offset = stiffness > 0.0 ? Vec3(-stick / stiffness) : Vec3(Vec3::Zero());
    out.anchor_m = in.point - offset;
    out.touch = Touch::slides;
    out.tangent_share = 0.0;
  }
  const Vec3 slip =
      speed > 0.0 ? Vec3(-law.dynamic_friction * out.normal_force_n / speed * velocity) : Vec3(Vec3::Zero());
  const Vec3 pull = stick_share * stick + (1.0 - stick_share) * slip;
  out.force += pull;
  out.damping_w -= pull.dot(velocity);
  out.stretch_m = offset.norm();
}

}  // namespace

// Eqs 18 to 25: the foot of the normal if it lies in the facet, else the nearest point of its edges.
std::array<double, 3> nearest_in_facet(const std::array<Vec3, 3>& facet, const Vec3& p) {
  const Vec3 a = facet[1] - facet[0], b = facet[2] - facet[0], normal = a.cross(b), to = p - facet[0];
  const double area = normal.squaredNorm();
  if (area > 0.0) {
    const double u = to.cross(b).dot(normal) / area, v = a.cross(to).dot(normal) / area;
    if (u >= 0.0 && v >= 0.0 && u + v <= 1.0) return {1.0 - u - v, u, v};
  }
  std::array<double, 3> best{1.0, 0.0, 0.0};
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    const Vec3 edge = facet[j] - facet[i];
    const double length = edge.squaredNorm(),
                 t = length > 0.0 ? std::clamp((p - facet[i]).dot(edge) / length, 0.0, 1.0) : 0.0;
    std::array<double, 3> weight{};
    weight[i] = 1.0 - t, weight[j] = t;
    const double distance = (at(facet, weight) - p).squaredNorm();
    if (distance < nearest) nearest = distance, best = weight;
  }
  return best;
}

FacetPoint find_facet_point(const Shape& shape, const std::array<Vec3, 3>& facet) {
  FacetPoint point;
  point.weight = std::holds_alternative<SphereShape>(shape) ? nearest_in_facet(facet, Vec3::Zero())
                                                            : deepest_of_seven(shape, facet);
  point.place = at(facet, point.weight);
  return point;
}

double hunt_crossley_stiffness(const FacetContactDescription& d, const ElasticModuli& object, const Shape& finger) {
  const double of_finger = (1.0 - d.finger_poissons_ratio * d.finger_poissons_ratio) / d.finger_youngs_modulus_pa;
  const double of_object = (1.0 - object.poisson * object.poisson) / object.youngs_pa;
  return 4.0 / (3.0 * (of_finger + of_object)) * std::sqrt(radius_of(finger));
}

void apply_facet_law(const ContactDescription& law, double stiffness, double share, double first_approach_m_s,
                     const ContactInput& in, Contact& out) {
  const FacetContactDescription& d = law.facet;
  out.point = in.point;
  out.depth_m = in.depth_m;
  out.normal = in.normal;
  out.force = Vec3::Zero();
  out.normal_force_n = out.energy_j = out.released_j = out.damping_w = out.stretch_m = 0.0;
  out.stiffness_n_m = out.damping_n_s_m = 0.0;
  out.weakened = 0.0;
  out.tangential_n_m = share * d.stick_stiffness_n_m;
  out.tangent_share = 1.0;
  out.touch = Touch::none;
  if (in.depth_m <= 0.0) return;
  const double approach = -in.relative_velocity.dot(in.normal);
  out.approach_m_s = in.touch == Touch::none ? std::max(std::abs(approach), d.least_approach_m_s) : first_approach_m_s;
  const double spring = share * stiffness * std::pow(in.depth_m, d.exponent);
  const double loss = 1.5 * (1.0 - d.restitution) / out.approach_m_s;
  // Never a pull, however fast it leaves.
  out.normal_force_n = std::max(0.0, spring * (1.0 + loss * approach));
  out.force = out.normal_force_n * in.normal;
  out.energy_j = spring * in.depth_m / (d.exponent + 1.0);
  out.damping_w = (out.normal_force_n - spring) * approach;
  if (out.normal_force_n > 0.0) {
    out.stiffness_n_m = spring * d.exponent / in.depth_m;
    out.damping_n_s_m = spring * loss;
  }
  if (law.tangential == TangentialLaw::smooth_stick_slip)
    stick_and_slip(law, share, in, out);
  else
    apply_stick_slip(law, {0.0, share * d.stick_stiffness_n_m, share * d.stick_damping_n_s_m}, in, out);
}

}  // namespace distal
