#include "distal/geometry/convex_core.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "distal/core/error.hpp"

namespace distal {
namespace {

// A face or edge within 11 degrees of level gives all its corners: those that are too high are dropped by the margin.
constexpr double kLevelSine = 0.2;
// Points of a cylinder's rim that stand for its end.
constexpr int kRimPoints = 12;
// Numbers of edges repeat after this many: they must fit into half a feature's number.
constexpr std::uint32_t kEdgeNumbers = 1U << 14U;

double signed_half(double half, double towards) { return towards < 0.0 ? -half : half; }

// Corner 0..7 of a box: bit i is set on its positive side.
std::uint32_t corner_bits(const Vec3& corner) {
  return (corner.x() > 0.0 ? 1U : 0U) | (corner.y() > 0.0 ? 2U : 0U) | (corner.z() > 0.0 ? 4U : 0U);
}

}  // namespace

ConvexCore::ConvexCore(const Shape& shape, const PointMap& place) : place_(place), centre_(place.position) {
  if (const auto* sphere = std::get_if<SphereShape>(&shape)) {
    radius_m_ = sphere->radius_m;
  } else if (const auto* capsule = std::get_if<CapsuleShape>(&shape)) {
    kind_ = Kind::segment;
    half_m_ = Vec3(0.0, 0.0, capsule->half_length_m);
    radius_m_ = capsule->radius_m;
  } else if (const auto* cylinder = std::get_if<CylinderShape>(&shape)) {
    kind_ = Kind::cylinder;
    half_m_ = Vec3(cylinder->radius_m, 0.0, cylinder->half_length_m);
  } else if (const auto* convex = std::get_if<ConvexShape>(&shape)) {
    kind_ = Kind::polyhedron;
    hull_ = convex->hull.get();
    centre_ = place.to_world(hull_->mass().centre_m);
  } else {
    const auto* box = std::get_if<BoxShape>(&shape);
    DISTAL_ASSERT(box != nullptr);
    kind_ = Kind::box;
    half_m_ = box->half_size_m;
  }
  reach_m_ = hull_ != nullptr ? hull_->reach_from_centre_m() : half_m_.norm();
}

Vec3 ConvexCore::find_support(const Vec3& direction) const {
  if (kind_ == Kind::point) return place_.position;
  if (kind_ == Kind::segment) return place_.position + signed_half(half_m_.z(), axis().dot(direction)) * axis();
  return place_.to_world(find_local_support(place_.rotation.transpose() * direction));
}

Vec3 ConvexCore::find_local_support(const Vec3& local) const {
  if (kind_ == Kind::polyhedron) return hull_->vertices()[static_cast<std::size_t>(hull_->find_support(local))];
  if (kind_ == Kind::box)
    return {signed_half(half_m_.x(), local.x()), signed_half(half_m_.y(), local.y()),
            signed_half(half_m_.z(), local.z())};
  const double across = std::hypot(local.x(), local.y()), scale = across > 0.0 ? half_m_.x() / across : 0.0;
  return {scale * local.x(), scale * local.y(), signed_half(half_m_.z(), local.z())};
}

int ConvexCore::face_count() const {
  return kind_ == Kind::box ? 3 : hull_ != nullptr ? static_cast<int>(hull_->faces().size()) : 0;
}

int ConvexCore::edge_count() const {
  if (kind_ == Kind::box) return 3;
  return kind_ == Kind::segment ? 1 : hull_ != nullptr ? static_cast<int>(hull_->edges().size()) : 0;
}

Vec3 ConvexCore::face_normal(int i) const {
  if (hull_ == nullptr) return place_.rotation.col(i);
  return place_.rotation * hull_->faces()[static_cast<std::size_t>(i)].normal;
}

Vec3 ConvexCore::edge_direction(int i) const {
  if (kind_ == Kind::segment) return axis();
  if (hull_ == nullptr) return place_.rotation.col(i);
  const ConvexHull::Edge& edge = hull_->edges()[static_cast<std::size_t>(i)];
  const auto at = [&](std::size_t k) { return hull_->vertices()[static_cast<std::size_t>(edge.corners[k])]; };
  return place_.rotation * (at(1) - at(0)).normalized();
}

ConvexCore::Directions ConvexCore::find_directions(const Vec3& n, const Vec3& facing, const Vec3& other_centre) const {
  Directions found;
  if (kind_ == Kind::segment) {
    found.edges.add(axis());
  } else if (kind_ == Kind::box) {
    for (int i = 0; i < 3; ++i) {
      const Vec3 side = place_.rotation.col(i);
      found.faces.add(side.dot(n) < 0.0 ? Vec3(-side) : side);
      found.edges.add(side);
    }
  } else if (kind_ == Kind::cylinder) {
    found.faces.add(axis().dot(n) < 0.0 ? Vec3(-axis()) : axis());
    for (const Vec3& out : {Vec3(other_centre - centre_), Vec3(facing - centre_), n}) {
      const Vec3 radial = out - axis().dot(out) * axis();
      // From a point beyond the axis, the way out of the cylinder leads against the radius.
      const double length = radial.dot(n) < 0.0 ? -radial.norm() : radial.norm();
      if (std::abs(length) > 1e-9 * out.norm()) found.radii.add(radial / length);
    }
    found.edges.add(axis());
  } else if (kind_ == Kind::polyhedron) {
    const std::int32_t top = hull_->find_support(place_.rotation.transpose() * n);
    const Vec3& here = hull_->vertices()[static_cast<std::size_t>(top)];
    for (const std::int32_t f : hull_->faces_at(top)) found.faces.add(face_normal(f));
    for (const std::int32_t v : hull_->vertices_at(top))
      found.edges.add(place_.rotation * (hull_->vertices()[static_cast<std::size_t>(v)] - here).normalized());
  }
  return found;
}

CoreFeature ConvexCore::find_feature(const Vec3& direction) const { return find_feature_within(direction, kLevelSine); }

CoreFeature ConvexCore::find_lowest_feature(const Vec3& direction) const { return find_feature_within(direction, 1.0); }

CoreFeature ConvexCore::find_feature_within(const Vec3& direction, double level_sine) const {
  const Vec3 local = (place_.rotation.transpose() * direction).normalized();
  CoreFeature feature;
  if (kind_ == Kind::point) {
    feature.add(place_.position, 0);
  } else if (kind_ == Kind::box) {
    add_box_feature(local, level_sine, feature);
  } else if (kind_ == Kind::cylinder) {
    add_cylinder_feature(local, level_sine, feature);
  } else if (kind_ == Kind::polyhedron) {
    add_polyhedron_feature(local, level_sine, feature);
  } else if (std::abs(local.z()) <= level_sine) {
    feature.add(place_.to_world(-half_m_), 0);
    feature.add(place_.to_world(half_m_), 1);
  } else {
    feature.add(find_support(direction), local.z() < 0.0 ? 0 : 1);
  }
  return feature;
}

void ConvexCore::add_box_feature(const Vec3& local, double level_sine, CoreFeature& feature) const {
  const Vec3 top = find_local_support(local);
  Eigen::Index steepest = 0, flattest = 0;
  local.cwiseAbs().maxCoeff(&steepest);
  local.cwiseAbs().minCoeff(&flattest);
  const auto add_corner = [&](const Vec3& corner) { feature.add(place_.to_world(corner), corner_bits(corner)); };
  if (1.0 - local[steepest] * local[steepest] < level_sine * level_sine) {
    const Eigen::Index u = (steepest + 1) % 3, v = (steepest + 2) % 3;
    for (const auto& [su, sv] :
         {std::pair(1.0, 1.0), std::pair(-1.0, 1.0), std::pair(-1.0, -1.0), std::pair(1.0, -1.0)}) {
      Vec3 corner = top;
      corner[u] = su * half_m_[u], corner[v] = sv * half_m_[v];
      add_corner(corner);
    }
  } else if (std::abs(local[flattest]) < level_sine) {
    Vec3 corner = top;
    corner[flattest] = -half_m_[flattest];
    add_corner(corner);
    corner[flattest] = half_m_[flattest];
    add_corner(corner);
  } else {
    add_corner(top);
  }
}

void ConvexCore::add_cylinder_feature(const Vec3& local, double level_sine, CoreFeature& feature) const {
  const double r = half_m_.x(), h = half_m_.z();
  const double tilt = std::hypot(local.x(), local.y());
  const bool top = local.z() > 0.0, end_up = tilt <= std::abs(local.z());
  if (end_up && tilt < level_sine) {
    for (int i = 0; i < kRimPoints; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / kRimPoints;
      const auto number = static_cast<std::uint32_t>(top ? i : kRimPoints + i);
      feature.add(place_.to_world({r * std::cos(angle), r * std::sin(angle), top ? h : -h}), number);
    }
  } else if (!end_up && std::abs(local.z()) < level_sine) {
    const Vec3 side(r * local.x() / tilt, r * local.y() / tilt, 0.0);
    feature.add(place_.to_world(side - h * Vec3::UnitZ()), 2 * kRimPoints);
    feature.add(place_.to_world(side + h * Vec3::UnitZ()), 2 * kRimPoints + 1);
  } else {
    feature.add(place_.to_world(find_local_support(local)), 2 * kRimPoints + 2);
  }
}

void ConvexCore::add_face(const ConvexHull::Face& face, CoreFeature& feature) const {
  // Of a face with very many corners, some: the nearest pair of points is added by itself.
  const auto corners = hull_->corners(face);
  const std::size_t stride = (corners.size() + CoreFeature::kMost - 1) / CoreFeature::kMost;
  for (std::size_t i = 0; i < corners.size(); i += stride)
    feature.add(place_.to_world(hull_->vertices()[static_cast<std::size_t>(corners[i])]),
                (static_cast<std::uint32_t>(face.first) + static_cast<std::uint32_t>(i)) % kEdgeNumbers);
}

void ConvexCore::add_polyhedron_feature(const Vec3& local, double level_sine, CoreFeature& feature) const {
  const std::int32_t top = hull_->find_support(local);
  const Vec3& here = hull_->vertices()[static_cast<std::size_t>(top)];
  const ConvexHull::Face* flattest = nullptr;
  const auto look_around = [&](std::int32_t vertex) {
    for (const std::int32_t f : hull_->faces_at(vertex)) {
      const ConvexHull::Face& face = hull_->faces()[static_cast<std::size_t>(f)];
      if (flattest == nullptr || face.normal.dot(local) > flattest->normal.dot(local)) flattest = &face;
    }
  };
  look_around(top);
  // Another corner may be as high: rounding must not choose.
  for (const std::int32_t v : hull_->vertices_at(top))
    if (local.dot(hull_->vertices()[static_cast<std::size_t>(v)] - here) > -1e-9 * reach_m_) look_around(v);
  if (flattest != nullptr && flattest->normal.dot(local) > std::sqrt(1.0 - level_sine * level_sine))
    return add_face(*flattest, feature);
  std::int32_t along = top;
  double least = level_sine;
  for (const std::int32_t v : hull_->vertices_at(top)) {
    const double slope = std::abs((hull_->vertices()[static_cast<std::size_t>(v)] - here).normalized().dot(local));
    if (slope < least) least = slope, along = v;
  }
  // Both ends of an edge in the order of their numbers, whichever of them is the higher.
  for (const std::int32_t v : {std::min(top, along), std::max(top, along)}) {
    if (feature.count == 1 && along == top) break;
    feature.add(place_.to_world(hull_->vertices()[static_cast<std::size_t>(v)]),
                static_cast<std::uint32_t>(v) % kEdgeNumbers);
  }
}

}  // namespace distal
