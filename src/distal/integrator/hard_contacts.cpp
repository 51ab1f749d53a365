#include "distal/integrator/hard_contacts.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <span>

#include "distal/contact/pressure_patch.hpp"
#include "distal/core/error.hpp"
#include "distal/geometry/surface_quadric.hpp"

namespace distal {
namespace {

constexpr double kLeastMargin_m = 1e-4;
constexpr double kMostStartOverlap_m = 1e-4;
constexpr std::uint32_t kRoundMesh = ~0U;  // the one contact of a mesh that is round
constexpr double kFlat_per_m = 1e-3;       // curvature below it has no patch of its own: a radius of a kilometre

double speed_bound(const RigidBody& body, const RigidState& s) {
  return s.velocity.norm() + s.angular_velocity.norm() * turning_reach(*body.shape);
}

// How much nearer to the middle than its corners an even pressure on a polygon (or on a line) bears friction about the
// normal: mean distance over the area, over the mean distance of the corners.
double friction_lever(const Manifold& m, const Vec3& middle) {
  if (m.count == 2) return 0.5;
  std::array<Vec3, 4> arms;
  for (std::size_t i = 0; i < arms.size(); ++i) arms[i] = m.points[i].point_m - middle;
  const Vec3 x = any_tangent(m.normal), y = m.normal.cross(x);
  const auto angle = [&](const Vec3& arm) { return std::atan2(arm.dot(y), arm.dot(x)); };
  for (int sorted = 1; sorted < m.count; ++sorted)
    for (auto k = static_cast<std::size_t>(sorted); k > 0 && angle(arms[k]) < angle(arms[k - 1]); --k)
      std::swap(arms[k], arms[k - 1]);
  double corners = 0.0, area = 0.0, moment = 0.0;
  for (int i = 0; i < m.count; ++i) {
    const Vec3 &a = arms[static_cast<std::size_t>(i)], &b = arms[static_cast<std::size_t>((i + 1) % m.count)];
    corners += a.norm() / m.count;
    // Over a triangle with its tip in the middle the mean distance is 2/3 of that over its far side (Simpson's rule).
    const double size = 0.5 * a.cross(b).norm();
    area += size;
    moment += size * 2.0 / 3.0 * (a.norm() + 4.0 * (0.5 * (a + b)).norm() + b.norm()) / 6.0;
  }
  return area > 0.0 && corners > 0.0 ? moment / area / corners : 1.0;
}

bool is_mesh(const Shape& shape, int part) {
  const auto* all = std::get_if<UnionShape>(&shape);
  return std::holds_alternative<ConvexShape>(all == nullptr ? shape : all->parts[static_cast<std::size_t>(part)].shape);
}

}  // namespace

// A surface where a shape is touched, in the world. Of a union, the part's.
SurfaceQuadric HardContactFinder::quadric_at(const Shape& shape, const Pose& pose, int part, const Vec3& point,
                                             HardContact& contact) {
  if (const auto* all = std::get_if<UnionShape>(&shape)) {
    const UnionShape::Part& one = all->parts[static_cast<std::size_t>(part)];
    return quadric_at(one.shape, pose * Pose{one.pose.position, Quat(one.pose.rotation)}, 0, point, contact);
  }
  SurfaceQuadric quadric;
  if (const auto* convex = std::get_if<ConvexShape>(&shape)) {
    // Over twice the area of the last patch.
    const double radius = std::sqrt(2.0 * contact.semi_axes_m[0] * contact.semi_axes_m[1]);
    const MeshQuadric fit = meshes_.find(*convex->hull, pose.to_local(point), radius);
    contact.fit_deviation_m = std::max(contact.fit_deviation_m, fit.standard_deviation_m);
    quadric = fit.quadric;
  } else {
    quadric = find_shape_quadric(shape, pose.to_local(point));
  }
  quadric.normal = pose.q * quadric.normal;
  quadric.x_axis = pose.q * quadric.x_axis;
  return quadric;
}

RelativeCurvature HardContactFinder::find_gap(const State& state, HardContact& contact) {
  const ContactPair& pair = model_.pairs[static_cast<std::size_t>(contact.pair)];
  const auto quadric = [&](int body, int part) {
    const auto b = static_cast<std::size_t>(body);
    return quadric_at(*model_.rigid[b].shape, body_pose(model_.rigid[b], state.rigid[b]), part, contact.point, contact);
  };
  contact.fit_deviation_m = 0.0;
  return find_relative_curvature(quadric(pair.sampled, contact.part_a), quadric(pair.partner, contact.part_b));
}

bool HardContactFinder::shape_patch(const State& state, HardContact& contact) {
  const ContactPair& pair = model_.pairs[static_cast<std::size_t>(contact.pair)];
  const RelativeCurvature gap = find_gap(state, contact);
  contact.eccentricity_m = contact.semi_axes_m[0] = contact.semi_axes_m[1] = 0.0;
  if (gap.curvature_per_m[0] < kFlat_per_m || gap.curvature_per_m[1] < kFlat_per_m) return false;
  const PatchDescription& d = pair.law.patch;
  const PressureLaw law{pair.law.normal == NormalLaw::hertz ? PressureModel::hertz : PressureModel::winkler,
                        d.foundation_pa_m, d.contact_modulus_pa};
  PatchGeometry geometry;
  geometry.curvature_per_m = gap.curvature_per_m;
  const PressurePatch patch = find_pressure_patch(law, geometry, contact.load_n);
  const Vec3 axis = gap.axes[0] - gap.axes[0].dot(contact.normal) * contact.normal;
  if (axis.norm() > 0.5) contact.first_tangent = axis.normalized();
  contact.semi_axes_m[0] = patch.semi_axes_m[0], contact.semi_axes_m[1] = patch.semi_axes_m[1];
  contact.eccentricity_m = eccentricity_m(patch, d.moment_as_printed ? MomentForm::printed : MomentForm::exact);
  return true;
}

void HardContactFinder::remember(const State& state, HardContact& contact) {
  const auto same = std::find_if(state.hard_contacts.begin(), state.hard_contacts.end(), [&](const HardContact& old) {
    return old.pair == contact.pair && old.part_a == contact.part_a && old.part_b == contact.part_b &&
           old.feature == contact.feature;
  });
  if (same == state.hard_contacts.end()) return;
  contact.load_n = same->load_n, contact.slides = same->slides;
  contact.first_tangent = same->first_tangent, contact.friction = same->friction;
  contact.semi_axes_m[0] = same->semi_axes_m[0], contact.semi_axes_m[1] = same->semi_axes_m[1];
}

void HardContactFinder::add_contact(const State& state, bool is_patch, FoundContact found) {
  HardContact& contact = found.contact;
  remember(state, contact);
  const Vec3 force = contact.friction.x() * contact.first_tangent + contact.friction.y() * contact.second_tangent();
  contact.first_tangent = any_tangent(contact.normal);
  if (!is_patch || !shape_patch(state, contact)) contact.friction.z() = 0.0;
  contact.friction.x() = contact.first_tangent.dot(force), contact.friction.y() = contact.second_tangent().dot(force);
  found_.push_back(found);
}

void HardContactFinder::add_manifold(std::size_t p, const Manifold& manifold, const State& state) {
  const ContactPair& pair = model_.pairs[p];
  const auto points = std::span(manifold.points).first(static_cast<std::size_t>(manifold.count));
  FoundContact found;
  HardContact& contact = found.contact;
  contact.pair = static_cast<std::int32_t>(p);
  contact.part_a = manifold.part_a, contact.part_b = manifold.part_b;
  contact.normal = manifold.normal;
  const auto place = [&](const ManifoldPoint& point, std::uint32_t feature) {
    contact.feature = feature;
    contact.point = found.friction_point = point.point_m;
    contact.separation_m = point.separation_m;
  };
  const auto shape = [&](int body) -> const Shape& { return *model_.rigid[static_cast<std::size_t>(body)].shape; };
  const bool is_patch = pair.law.is_patch();
  // Facets of a mesh that is meant to be round bear on one patch, as its surface would.
  if (is_patch && (is_mesh(shape(pair.sampled), contact.part_a) || is_mesh(shape(pair.partner), contact.part_b))) {
    place(*std::min_element(points.begin(), points.end(),
                            [](const auto& a, const auto& b) { return a.separation_m < b.separation_m; }),
          kRoundMesh);
    FoundContact round = found;
    remember(state, round.contact);
    if (shape_patch(state, round.contact)) return add_contact(state, true, found);
  }
  if (manifold.count == 1) {
    place(points[0], points[0].feature);
    return add_contact(state, is_patch, found);
  }
  Vec3 middle = Vec3::Zero();
  for (const ManifoldPoint& point : points) middle += point.point_m / manifold.count;
  const double lever = friction_lever(manifold, middle);
  for (const ManifoldPoint& point : points) {
    place(point, point.feature);
    found.friction_point = middle + lever * (point.point_m - middle);
    add_contact(state, false, found);
  }
}

HardContactFinder::HardContactFinder(const Model& model)
    : model_(model), pair_of_(model.rigid.size() * model.rigid.size(), -1) {
  std::vector<char> may_touch(model.rigid.size(), 0);
  for (std::size_t p = 0; p < model.pairs.size(); ++p) {
    const ContactPair& pair = model.pairs[p];
    if (!pair.hard) continue;
    const auto a = static_cast<std::size_t>(pair.sampled), b = static_cast<std::size_t>(pair.partner);
    pair_of_[a * model.rigid.size() + b] = static_cast<std::int32_t>(p);
    may_touch[a] = may_touch[b] = 1;
  }
  for (std::size_t b = 0; b < may_touch.size(); ++b)
    if (may_touch[b]) bodies_.push_back(b);
}

// How far outside its surface a body's contacts are looked for: as far as it may come within h.
double HardContactFinder::margin_of(std::size_t body, const State& state, double h) const {
  return 0.5 * kLeastMargin_m + h * speed_bound(model_.rigid[body], state.rigid[body]);
}

const std::vector<FoundContact>& HardContactFinder::find(const State& state, double h) {
  found_.clear();
  boxes_.clear();
  const auto pose = [&](std::size_t b) { return body_pose(model_.rigid[b], state.rigid[b]); };
  for (const std::size_t b : bodies_) {
    Aabb box = find_bounds(*model_.rigid[b].shape, pose(b));
    const Vec3 margin = Vec3::Constant(margin_of(b, state, h));
    box.min -= margin, box.max += margin;
    boxes_.push_back(box);
  }
  for (const BoxPair& near : broad_phase_.find_pairs(boxes_, 0.0)) {
    const std::size_t a = bodies_[static_cast<std::size_t>(near.a)], b = bodies_[static_cast<std::size_t>(near.b)];
    const std::int32_t p = pair_of_[a * model_.rigid.size() + b];
    if (p < 0) continue;
    manifolds_.clear();
    find_manifolds(*model_.rigid[a].shape, pose(a), *model_.rigid[b].shape, pose(b),
                   margin_of(a, state, h) + margin_of(b, state, h), manifolds_);
    for (const Manifold& manifold : manifolds_) add_manifold(static_cast<std::size_t>(p), manifold, state);
  }
  return found_;
}

void check_start(const Model& model, const State& state) {
  HardContactFinder finder(model);
  for (const FoundContact& found : finder.find(state, 0.0)) {
    const ContactPair& pair = model.pairs[static_cast<std::size_t>(found.contact.pair)];
    if (found.contact.separation_m >= -kMostStartOverlap_m) continue;
    throw InputError(fmt::format("body.{}: stands {:.3g} mm deep in body.{} at the start; allowed: {:.3g} mm",
                                 model.rigid[static_cast<std::size_t>(pair.sampled)].name,
                                 -1e3 * found.contact.separation_m,
                                 model.rigid[static_cast<std::size_t>(pair.partner)].name, 1e3 * kMostStartOverlap_m));
  }
}

}  // namespace distal
