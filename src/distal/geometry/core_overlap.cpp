#include <algorithm>
#include <array>
#include <cmath>

#include "distal/geometry/core_gap.hpp"
#include "distal/geometry/surface_quadric.hpp"

namespace distal {
namespace {

constexpr double kGrown = 1e-11;  // of the size: a smaller step outwards is none

struct OverlapPoint {
  Vec3 a = Vec3::Zero(), w = Vec3::Zero();
};

struct OverlapTriangle {
  std::array<int, 3> corners{};
  Vec3 normal = Vec3::Zero();
  double offset = 1e300;  // from the origin; one without area is never the nearest
};

// A polyhedron that grows inside the difference a - b until the part of its surface nearest to the origin cannot grow:
// the method of van den Bergen (2001). The origin may start outside of it: the nearest triangle is the lowest one, and
// lies behind the origin as long as that is so.
class ExpandingPolyhedron {
 public:
  ExpandingPolyhedron(const ConvexCore& a, const ConvexCore& b)
      : a_(a), b_(b), grown_(kGrown * (a.reach_m() + b.reach_m())) {}

  CoreGap find() {
    start();
    while (points_count_ < kMostPoints && triangle_count_ + kMostPoints < kMostTriangles) {
      const int nearest = find_nearest();
      // Not by reference: growing moves the triangles.
      const OverlapTriangle face = triangles_[static_cast<std::size_t>(nearest)];
      const OverlapPoint tip = support(face.normal);
      const double height = face.normal.dot(tip.w);
      if (height < least_height_) least_height_ = height, best_ = face;
      if (height - face.offset <= grown_) break;
      grow(tip);
      if (triangle_count_ == 0) break;
    }
    return finish();
  }

 private:
  static constexpr int kMostPoints = 128, kMostTriangles = 512;

  OverlapPoint support(const Vec3& n) const {
    const Vec3 on_a = a_.find_support(n);
    return {on_a, on_a - b_.find_support(-n)};
  }
  const OverlapPoint& point(int i) const { return points_[static_cast<std::size_t>(i)]; }
  int add_point(const OverlapPoint& p) {
    points_[static_cast<std::size_t>(points_count_)] = p;
    return points_count_++;
  }
  void add_triangle(int i, int j, int k) {
    OverlapTriangle& t = triangles_[static_cast<std::size_t>(triangle_count_++)];
    t = OverlapTriangle{};
    t.corners = {i, j, k};
    const Vec3 u = point(j).w - point(i).w, v = point(k).w - point(i).w, area = u.cross(v);
    if (const double size = area.norm(); size > 1e-14 * u.norm() * v.norm() && size > 0.0) {
      t.normal = area / size;
      t.offset = t.normal.dot(point(i).w);
    }
  }
  int find_nearest() const {
    int nearest = 0;
    for (int i = 1; i < triangle_count_; ++i)
      if (triangles_[static_cast<std::size_t>(i)].offset < triangles_[static_cast<std::size_t>(nearest)].offset)
        nearest = i;
    return nearest;
  }
  void start();
  void grow(const OverlapPoint& tip);
  CoreGap finish() const;

  const ConvexCore& a_;
  const ConvexCore& b_;
  double grown_;
  std::array<OverlapPoint, kMostPoints> points_;
  int points_count_ = 0;
  std::array<OverlapTriangle, kMostTriangles> triangles_;
  int triangle_count_ = 0;
  OverlapTriangle best_;
  double least_height_ = 1e300;  // of a plane that touches the difference: an upper bound
};

// A tetrahedron across the difference; one of the cores has a volume, so that there is one.
void ExpandingPolyhedron::start() {
  const OverlapPoint p = support(Vec3::UnitX()), q = support(-Vec3::UnitX());
  const Vec3 along = q.w - p.w, side = any_tangent(along.normalized()), other_side = along.normalized().cross(side);
  OverlapPoint r = p;
  double widest = 0.0;
  for (const Vec3& n : {side, Vec3(-side), other_side, Vec3(-other_side)}) {
    const OverlapPoint s = support(n);
    if (const double area = along.cross(s.w - p.w).norm(); area > widest) widest = area, r = s;
  }
  const Vec3 across = along.cross(r.w - p.w).normalized();
  const OverlapPoint above = support(across), below = support(-across);
  const bool up = across.dot(above.w - p.w) >= -across.dot(below.w - p.w);
  const int i = add_point(p), j = add_point(up ? q : r), k = add_point(up ? r : q), m = add_point(up ? above : below);
  add_triangle(i, k, j), add_triangle(i, j, m), add_triangle(j, k, m), add_triangle(k, i, m);
}

void ExpandingPolyhedron::grow(const OverlapPoint& tip) {
  const int index = add_point(tip);
  std::array<std::array<int, 2>, 3 * kMostTriangles> rim;
  int rim_count = 0, kept = 0;
  // An edge of two triangles that go lies inside of the hole; the others are its rim.
  const auto add_edge = [&](int from, int to) {
    for (int i = 0; i < rim_count; ++i) {
      auto& edge = rim[static_cast<std::size_t>(i)];
      if (edge[0] != to || edge[1] != from) continue;
      edge = rim[static_cast<std::size_t>(--rim_count)];
      return;
    }
    rim[static_cast<std::size_t>(rim_count++)] = {from, to};
  };
  for (int i = 0; i < triangle_count_; ++i) {
    const OverlapTriangle t = triangles_[static_cast<std::size_t>(i)];
    if (t.normal.dot(tip.w) <= t.offset + 0.1 * grown_) {
      triangles_[static_cast<std::size_t>(kept++)] = t;
    } else {
      for (std::size_t k = 0; k < 3; ++k) add_edge(t.corners[k], t.corners[(k + 1) % 3]);
    }
  }
  triangle_count_ = kept;
  for (int i = 0; i < rim_count && triangle_count_ < kMostTriangles; ++i)
    add_triangle(rim[static_cast<std::size_t>(i)][0], rim[static_cast<std::size_t>(i)][1], index);
}

CoreGap ExpandingPolyhedron::finish() const {
  CoreGap gap;
  const Vec3 n = best_.normal;
  gap.normal = n, gap.separation_m = -least_height_;
  // Weights of the origin's foot in the triangle lead back to a pair of points of the cores.
  const OverlapPoint &p = point(best_.corners[0]), &q = point(best_.corners[1]), &r = point(best_.corners[2]);
  const Vec3 u = q.w - p.w, v = r.w - p.w, area = u.cross(v), foot = best_.offset * n - p.w;
  const double squared = area.squaredNorm();
  const double s = std::clamp(foot.cross(v).dot(area) / squared, 0.0, 1.0),
               t = std::clamp(u.cross(foot).dot(area) / squared, 0.0, 1.0 - s);
  gap.on_a = p.a + s * (q.a - p.a) + t * (r.a - p.a);
  gap.on_b = gap.on_a + gap.separation_m * n;
  return gap;
}

}  // namespace

CoreGap find_overlap_by_growth(const ConvexCore& a, const ConvexCore& b) { return ExpandingPolyhedron(a, b).find(); }

}  // namespace distal
