#include "distal/geometry/manifold.hpp"

#include <algorithm>

#include "distal/geometry/contact_points.hpp"

namespace distal {
namespace {

constexpr std::uint32_t kLowest = 1U << 30U;

// One convex part at its place.
struct PlacedPart {
  const Shape& shape;
  PointMap place;
  std::int32_t part;
};

template <typename Visit>
void for_parts(const Shape& shape, const PointMap& place, std::int32_t part, Visit&& visit) {
  const auto* all = std::get_if<UnionShape>(&shape);
  if (all == nullptr) return visit(PlacedPart{shape, place, part});
  for (std::size_t i = 0; i < all->parts.size(); ++i) {
    const UnionShape::Part& p = all->parts[i];
    PointMap own = place;
    own.position = place.to_world(p.pose.position), own.rotation = place.rotation * p.pose.rotation;
    for_parts(p.shape, own, static_cast<std::int32_t>(i), visit);
  }
}

// A plane under a core: the corners of its lowest feature.
bool touch_plane(const PlacedPart& plane, const PlacedPart& other, double margin_m, Manifold& manifold) {
  const ConvexCore core(other.shape, other.place);
  const Vec3 n = plane.place.rotation.col(2);
  const double r = core.radius_m();
  const auto height = [&](const Vec3& p) { return n.dot(p - plane.place.position) - r; };
  const Vec3 support = core.find_support(-n);
  if (height(support) >= margin_m) return false;
  const CoreFeature lowest = core.find_lowest_feature(-n);
  PointList list;
  double deepest = 1e300;
  const auto add = [&](const Vec3& p, std::uint32_t feature) {
    list.add(p - (r + 0.5 * height(p)) * n, height(p), feature);
    deepest = std::min(deepest, height(p));
  };
  for (int i = 0; i < lowest.count; ++i)
    add(lowest.points[static_cast<std::size_t>(i)], lowest.edges[static_cast<std::size_t>(i)]);
  // A rim's lowest point lies between those that stand for it.
  if (height(support) < deepest - 1e-9 * core.reach_m()) add(support, kLowest);
  manifold.normal = n;
  keep_four(list, n, margin_m, core.reach_m() + r, manifold);
  return manifold.count > 0;
}

// A sphere beside anything: the signed distance of its centre.
bool touch_sphere(const PlacedPart& other, const PlacedPart& ball, double margin_m, Manifold& manifold) {
  const double r = std::get<SphereShape>(ball.shape).radius_m;
  const Vec3& centre = ball.place.position;
  const Distance d = signed_distance(other.shape, other.place.to_local(centre));
  if (d.value - r >= margin_m) return false;
  manifold.normal = other.place.rotation * d.normal;
  manifold.points[0] = {centre - 0.5 * (d.value + r) * manifold.normal, d.value - r, 0};
  manifold.count = 1;
  return true;
}

bool touch_cores(const PlacedPart& a, const PlacedPart& b, double margin_m, Manifold& manifold) {
  const ConvexCore core_a(a.shape, a.place), core_b(b.shape, b.place);
  const double size = core_a.reach_m() + core_b.reach_m(), radii = core_a.radius_m() + core_b.radius_m();
  if ((core_b.centre() - core_a.centre()).norm() >= size + radii + margin_m) return false;
  const CoreGap gap = find_core_gap(core_a, core_b);
  if (gap.separation_m - radii >= margin_m) return false;
  manifold.normal = gap.normal;
  keep_four(find_contact_points(core_a, core_b, gap), gap.normal, margin_m, size + radii, manifold);
  return manifold.count > 0;
}

bool touch(const PlacedPart& a, const PlacedPart& b, double margin_m, Manifold& manifold) {
  const auto is_plane = [](const PlacedPart& p) { return std::holds_alternative<PlaneShape>(p.shape); };
  const auto is_sphere = [](const PlacedPart& p) { return std::holds_alternative<SphereShape>(p.shape); };
  if (is_plane(b) || (is_sphere(a) && !is_sphere(b))) {
    if (is_plane(a) || !touch(b, a, margin_m, manifold)) return false;
    manifold.normal = -manifold.normal;
    return true;
  }
  if (is_sphere(b)) return touch_sphere(a, b, margin_m, manifold);
  if (is_plane(a)) return touch_plane(a, b, margin_m, manifold);
  return touch_cores(a, b, margin_m, manifold);
}

}  // namespace

void find_manifolds(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin_m,
                    std::vector<Manifold>& found) {
  // Digits count around the bodies, wherever they are.
  const Vec3 origin = pose_a.position;
  const PointMap place_a(Pose{Vec3::Zero(), pose_a.q}), place_b(Pose{pose_b.position - origin, pose_b.q});
  for_parts(a, place_a, 0, [&](const PlacedPart& one) {
    for_parts(b, place_b, 0, [&](const PlacedPart& other) {
      Manifold manifold;
      if (!touch(one, other, margin_m, manifold)) return;
      manifold.part_a = one.part, manifold.part_b = other.part;
      for (ManifoldPoint& p : manifold.points) p.point_m += origin;
      found.push_back(manifold);
    });
  });
}

}  // namespace distal
