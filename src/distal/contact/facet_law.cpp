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

// Points and weights of Gauss and Legendre on 0..1.
struct GaussPoint {
  double place, weight;
};
constexpr std::array<GaussPoint, 4> kGauss{{{0.0694318442029737, 0.1739274225687269},
                                            {0.3300094782075719, 0.3260725774312731},
                                            {0.6699905217924281, 0.3260725774312731},
                                            {0.9305681557970263, 0.1739274225687269}}};

// The part of a ray from inside a convex shape that is inside.
double find_reach(const Shape& shape, const Vec3& from, const Vec3& ray) {
  if (signed_distance(shape, from + ray).value <= 0.0) return 1.0;
  double inside = 0.0, outside = 1.0;
  for (int halving = 0; halving < 24; ++halving) {
    const double middle = 0.5 * (inside + outside);
    (signed_distance(shape, from + middle * ray).value < 0.0 ? inside : outside) = middle;
  }
  return inside;
}

struct Span {
  double begin, end;
};

// The part of an edge inside a convex shape; empty at its end if there is none.
Span find_inside(const Shape& shape, const Vec3& from, const Vec3& along) {
  const auto outside = [&](double u) { return signed_distance(shape, from + u * along).value; };
  double low = 0.0, high = 1.0, middle = outside(0.0) < outside(1.0) ? 0.0 : 1.0;
  if (outside(middle) >= 0.0) {
    for (int cut = 0; cut < 40; ++cut) {
      const double third = (high - low) / 3.0;
      outside(low + third) < outside(high - third) ? high -= third : low += third;
    }
    middle = 0.5 * (low + high);
    if (outside(middle) >= 0.0) return {1.0, 1.0};
  }
  const Vec3 inside = from + middle * along;
  return {middle * (1.0 - find_reach(shape, inside, -middle * along)),
          middle + (1.0 - middle) * find_reach(shape, inside, (1.0 - middle) * along)};
}

// Sums the pressure over an area that rays from a point of it span.
class PressureSum {
 public:
  PressureSum(const Shape& shape, double exponent, double factor, const Vec3& from)
      : shape_(shape), exponent_(exponent), factor_(factor), from_(from) {}

  // All of it inside.
  void add_triangle(const Vec3& first, const Vec3& last) {
    const double twice_area = first.cross(last).norm();
    if (twice_area == 0.0) return;
    for (const GaussPoint& u : kGauss) add_ray(first + u.place * (last - first), twice_area * u.weight);
  }
  // Up to an edge, as far as it is inside: by angle, which is smooth where the shape and not the edge ends the rays.
  void add_sector(const Vec3& first, const Vec3& last, const Vec3& edge) {
    const double angle = std::atan2(first.cross(last).norm(), first.dot(last));
    if (angle == 0.0) return;
    const Vec3 e = first.normalized(), side = (edge - edge.dot(e) * e).normalized();
    const double twice_area = first.cross(edge).norm();
    for (const GaussPoint& u : kGauss) {
      const Vec3 way = std::cos(u.place * angle) * e + std::sin(u.place * angle) * side;
      const Vec3 ray = twice_area / way.cross(edge).norm() * way;
      const double reach = find_reach(shape_, from_, ray);
      add_ray(reach * ray, reach * reach * ray.squaredNorm() * angle * u.weight);
    }
  }
  FacetLoad load() const {
    FacetLoad load = load_;
    load.force_n = force_.norm();
    if (load.force_n > 0.0) load.normal = force_ / load.force_n;
    return load;
  }

 private:
  void add_ray(const Vec3& ray, double twice_area) {
    for (const GaussPoint& z : kGauss) {
      // At z = sqrt(1 - t^2) even the root of a depth that vanishes at the end of the ray is smooth.
      const Distance at = signed_distance(shape_, from_ + std::sqrt(1.0 - z.place * z.place) * ray);
      if (at.value >= 0.0) continue;
      const double push = factor_ * std::pow(-at.value, exponent_ - 1.0) * twice_area * z.weight * z.place;
      force_ += push * at.normal;
      load_.stiffness_n_m += (exponent_ - 1.0) * push / -at.value;
      load_.energy_j += push * -at.value / exponent_;
    }
  }

  const Shape& shape_;
  double exponent_, factor_;
  Vec3 from_, force_ = Vec3::Zero();
  FacetLoad load_;
};

// Eqs 30 to 36 with the cap, the moving anchor and the velocity against the finger.
void stick_and_slip(const ContactDescription& law, double share, const ContactInput& in, Contact& out) {
  const FacetContactDescription& d = law.facet;
  const double stiffness = share * d.stick_stiffness_n_m;
  const Vec3 velocity = in.relative_velocity - in.relative_velocity.dot(in.normal) * in.normal;
  const double speed = velocity.norm(), most = law.static_friction * out.normal_force_n;
  // An implicit step goes by the switch of the last one: within a step its slope may push what it should hold, and
  // Newton's iteration then finds no end.
  const double switched = std::exp(-speed * speed / (d.stick_speed_m_s * d.stick_speed_m_s)),
               stick_share = in.force_of_end ? 1.0 - in.weakened : switched;
  out.weakened = 1.0 - switched;
  const Vec3 anchor = in.is_new() ? in.point : in.anchor;
  Vec3 offset = in.point - anchor;
  offset -= offset.dot(in.normal) * in.normal;
  Vec3 stick = -stiffness * offset - share * d.stick_damping_n_s_m * velocity;
  out.touch = Touch::sticks;
  out.anchor_m = anchor;
  double kept = 1.0;
  if (const double wanted = stick.norm(); wanted > most) {
    kept = most / wanted;
    stick *= kept;
    offset = stiffness > 0.0 ? Vec3(-stick / stiffness) : Vec3(Vec3::Zero());
    out.anchor_m = in.point - offset;
    out.touch = Touch::slides;
  }
  const Vec3 slip =
      speed > 0.0 ? Vec3(-law.dynamic_friction * out.normal_force_n / speed * velocity) : Vec3(Vec3::Zero());
  const Vec3 pull = stick_share * stick + (1.0 - stick_share) * slip;
  // As springs and dampers whose forces are these: more than the slopes where it slides, and never negative.
  out.tangential_n_m = stick_share * kept * stiffness;
  out.tangential_n_s_m = stick_share * kept * share * d.stick_damping_n_s_m;
  if (speed > 0.0) out.tangential_n_s_m += (1.0 - stick_share) * law.dynamic_friction * out.normal_force_n / speed;
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

FacetLoad find_printed_load(const FacetContactDescription& d, double stiffness, double depth_m) {
  FacetLoad load;
  if (depth_m <= 0.0) return load;
  load.force_n = stiffness * std::pow(depth_m, d.exponent);
  load.stiffness_n_m = load.force_n * d.exponent / depth_m;
  load.energy_j = load.force_n * depth_m / (d.exponent + 1.0);
  return load;
}

FacetLoad find_pressure_load(const FacetContactDescription& d, double stiffness, const Shape& shape,
                             const std::array<Vec3, 3>& facet, const Vec3& deepest) {
  PressureSum sum(shape, d.exponent, d.exponent * stiffness / (2.0 * std::numbers::pi * radius_of(shape)), deepest);
  for (std::size_t a = 0; a < 3; ++a) {
    const Vec3 first = facet[a] - deepest, edge = facet[(a + 1) % 3] - facet[a];
    // The edge that it lies on.
    if (first.cross(edge).norm() <= 1e-9 * edge.squaredNorm()) continue;
    const Span inside = find_inside(shape, facet[a], edge);
    const Vec3 begin = first + inside.begin * edge, end = first + inside.end * edge;
    sum.add_sector(first, begin, edge);
    sum.add_triangle(begin, end);
    sum.add_sector(end, first + edge, edge);
  }
  return sum.load();
}

void apply_facet_law(const ContactDescription& law, const FacetLoad& load, double share, double first_approach_m_s,
                     const FacetGrip& grip, const ContactInput& in, Contact& out) {
  const FacetContactDescription& d = law.facet;
  out.point = in.point;
  out.depth_m = in.depth_m;
  out.normal = in.normal;
  out.force = Vec3::Zero();
  out.normal_force_n = out.energy_j = out.released_j = out.damping_w = out.stretch_m = 0.0;
  out.stiffness_n_m = out.damping_n_s_m = out.tangential_n_s_m = 0.0;
  out.weakened = 0.0;
  out.tangential_n_m = share * d.stick_stiffness_n_m;
  out.tangent_share = 1.0;
  out.touch = Touch::none;
  if (load.force_n <= 0.0) return;
  const double approach = -in.relative_velocity.dot(in.normal);
  out.approach_m_s = in.touch == Touch::none ? std::max(approach, d.least_approach_m_s) : first_approach_m_s;
  const double loss = 1.5 * (1.0 - d.restitution) / out.approach_m_s;
  // Never a pull, however fast it leaves.
  out.normal_force_n = std::max(0.0, load.force_n * (1.0 + loss * approach));
  out.force = out.normal_force_n * in.normal;
  out.energy_j = load.energy_j;
  out.damping_w = (out.normal_force_n - load.force_n) * approach;
  if (out.normal_force_n > 0.0) {
    out.stiffness_n_m = load.stiffness_n_m * (1.0 + loss * approach);
    out.damping_n_s_m = load.force_n * loss;
  }
  ContactInput held = in;
  held.point = grip.point, held.relative_velocity = grip.relative_velocity;
  if (law.tangential == TangentialLaw::smooth_stick_slip)
    stick_and_slip(law, share, held, out);
  else
    apply_stick_slip(law, {0.0, share * d.stick_stiffness_n_m, share * d.stick_damping_n_s_m}, held, out);
}

}  // namespace distal
