#include "distal/geometry/contact_points.hpp"

#include <algorithm>
#include <cmath>

namespace distal {
namespace {

constexpr int kCorners = 2 * CoreFeature::kMost;
// Segments within this sine of parallel touch along a line.
constexpr double kAlongSine = 0.02;
// A point as deep as the nearest pair, up to this share of the size, makes the pair itself superfluous.
constexpr double kSameDepth = 1e-9;
// Edges of the clipping face are numbered behind those of the clipped one.
constexpr std::uint32_t kSideBit = 1U << 14U, kEdgeBits = 15U, kSwapped = 1U << 31U, kNearest = 1U << 30U;

struct Corner {
  Vec3 place;
  std::uint32_t edge_before, edge_behind;
};

// A face or an edge that is being cut back to what lies over another face.
struct Outline {
  std::array<Corner, kCorners> corners;
  int count = 0;
  void add(const Corner& corner) {
    if (count < kCorners) corners[static_cast<std::size_t>(count++)] = corner;
  }
};

Outline make_outline(const CoreFeature& feature) {
  Outline outline;
  const auto n = static_cast<std::size_t>(feature.count);
  for (std::size_t i = 0; i < n; ++i)
    outline.add({feature.points[i], feature.edges[(i + n - 1) % n], feature.edges[i]});
  return outline;
}

// Keeps what lies behind a plane through `origin` with the normal `outward`.
Outline cut(const Outline& whole, const Vec3& origin, const Vec3& outward, std::uint32_t side) {
  Outline kept;
  const int pieces = whole.count == 2 ? 1 : whole.count;
  const auto height = [&](const Corner& c) { return outward.dot(c.place - origin); };
  for (int i = 0; i < whole.count; ++i) {
    const Corner& here = whole.corners[static_cast<std::size_t>(i)];
    const Corner& next = whole.corners[static_cast<std::size_t>((i + 1) % whole.count)];
    const double h = height(here), to = height(next);
    if (h <= 0.0) kept.add(here);
    if (i >= pieces || (h <= 0.0) == (to <= 0.0)) continue;
    const Vec3 crossing = here.place + h / (h - to) * (next.place - here.place);
    if (h <= 0.0)
      kept.add({crossing, here.edge_behind, side});
    else
      kept.add({crossing, side, here.edge_behind});
  }
  return kept;
}

// Twice the area as a vector.
Vec3 area_of(const CoreFeature& face) {
  Vec3 area = Vec3::Zero();
  for (int i = 2; i < face.count; ++i) {
    const auto k = static_cast<std::size_t>(i);
    area += (face.points[k - 1] - face.points[0]).cross(face.points[k] - face.points[0]);
  }
  return area;
}

// `level` lies under `other` against the direction `n`, which points from level to other.
void add_points_over_face(const CoreFeature& level, const CoreFeature& other, const Vec3& n, std::uint32_t swapped,
                          PointList& list) {
  const Vec3 area = area_of(level);
  const double along = area.dot(n), turn = along < 0.0 ? -1.0 : 1.0;
  Outline outline = make_outline(other);
  for (int i = 0; i < level.count && outline.count > 0; ++i) {
    const Vec3& from = level.points[static_cast<std::size_t>(i)];
    const Vec3& to = level.points[static_cast<std::size_t>((i + 1) % level.count)];
    outline = cut(outline, from, turn * (to - from).cross(n), kSideBit | level.edges[static_cast<std::size_t>(i)]);
  }
  for (int i = 0; i < outline.count; ++i) {
    const Corner& c = outline.corners[static_cast<std::size_t>(i)];
    const double separation = (c.place - level.points[0]).dot(area) / along;
    list.add(c.place - 0.5 * separation * n, separation, swapped | c.edge_before << kEdgeBits | c.edge_behind);
  }
}

// Two edges that run along each other: the ends of their common stretch.
void add_points_along(const CoreFeature& one, const CoreFeature& other, const Vec3& n, PointList& list) {
  const Vec3 start = one.points[0], u = one.points[1] - start;
  Outline outline = make_outline(other);
  outline = cut(outline, start, -u, kSideBit | one.edges[0]);
  outline = cut(outline, one.points[1], u, kSideBit | one.edges[1]);
  for (int i = 0; i < outline.count; ++i) {
    const Corner& c = outline.corners[static_cast<std::size_t>(i)];
    const Vec3 below = start + u.dot(c.place - start) / u.squaredNorm() * u, apart = c.place - below;
    // Past each other at an angle, the distance counts, not the height.
    const double height = apart.dot(n), separation = height > 0.0 ? apart.norm() : height;
    list.add(0.5 * (c.place + below), separation, c.edge_before << kEdgeBits | c.edge_behind);
  }
}

bool run_along(const CoreFeature& one, const CoreFeature& other) {
  const Vec3 u = one.points[1] - one.points[0], v = other.points[1] - other.points[0];
  return u.cross(v).norm() <= kAlongSine * u.norm() * v.norm();
}

}  // namespace

PointList find_contact_points(const ConvexCore& a, const ConvexCore& b, const CoreGap& gap) {
  const Vec3& n = gap.normal;
  const CoreFeature on_a = a.find_feature(n), on_b = b.find_feature(-n);
  PointList list;
  if (on_a.count > 2 && on_b.count > 1)
    add_points_over_face(on_a, on_b, n, 0, list);
  else if (on_b.count > 2 && on_a.count > 1)
    add_points_over_face(on_b, on_a, -n, kSwapped, list);
  else if (on_a.count == 2 && on_b.count == 2 && run_along(on_a, on_b))
    add_points_along(on_a, on_b, n, list);
  double deepest = 1e300;
  for (int i = 0; i < list.count; ++i)
    deepest = std::min(deepest, list.points[static_cast<std::size_t>(i)].separation_m);
  if (deepest > gap.separation_m + kSameDepth * (a.reach_m() + b.reach_m()))
    list.add(0.5 * (gap.on_a + gap.on_b), gap.separation_m, kNearest | on_a.edges[0] << kEdgeBits | on_b.edges[0]);
  // The surfaces lie a radius out of the cores, towards each other.
  const double ra = a.radius_m(), rb = b.radius_m();
  for (int i = 0; i < list.count; ++i) {
    ManifoldPoint& p = list.points[static_cast<std::size_t>(i)];
    p.point_m += 0.5 * (ra - rb) * n;
    p.separation_m -= ra + rb;
  }
  return list;
}

}  // namespace distal
