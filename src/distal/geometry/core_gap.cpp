#include "distal/geometry/core_gap.hpp"

#include <algorithm>
#include <cmath>

#include "distal/geometry/surface_quadric.hpp"

namespace distal {
namespace {

// Faces win over pairs of edges that are better by less than this share of the size: so resting things keep a normal.
constexpr double kFaceBonus = 1e-9;
// Edges within this sine of parallel have no direction in common.
constexpr double kParallelSine = 1e-7;

double separation_along(const ConvexCore& a, const ConvexCore& b, const Vec3& n) {
  return n.dot(b.find_support(-n) - a.find_support(n));
}

class BestDirection {
 public:
  BestDirection(const ConvexCore& a, const ConvexCore& b)
      : a_(a), b_(b), bonus_(kFaceBonus * (a.reach_m() + b.reach_m())) {}

  void try_both_ways(const Vec3& n, int edge_a, int edge_b) {
    for (const Vec3& way : {n, Vec3(-n)}) {
      const double separation = separation_along(a_, b_, way), score = separation + (edge_a < 0 ? bonus_ : 0.0);
      if (score <= best_) continue;
      best_ = score;
      gap_.normal = way, gap_.separation_m = separation;
      edge_a_ = edge_a, edge_b_ = edge_b;
    }
  }

  // With a pair of points: a corner against a face, or the nearest of two edges.
  CoreGap finish() const {
    CoreGap gap = gap_;
    const Vec3& n = gap.normal;
    gap.on_a = a_.find_support(n), gap.on_b = b_.find_support(-n);
    if (edge_a_ >= 0) {
      const Vec3 u = a_.edge_direction(edge_a_), v = b_.edge_direction(edge_b_), apart = gap.on_b - gap.on_a;
      const Vec3 across = u.cross(v);
      gap.on_a += apart.cross(v).dot(across) / across.squaredNorm() * u;
      gap.on_b = gap.on_a + gap.separation_m * n;
    } else if (face_of_a_first()) {
      gap.on_a = gap.on_b - gap.separation_m * n;
    } else {
      gap.on_b = gap.on_a + gap.separation_m * n;
    }
    return gap;
  }

 private:
  bool face_of_a_first() const { return edge_b_ != -2; }

  const ConvexCore& a_;
  const ConvexCore& b_;
  double bonus_;
  CoreGap gap_;
  double best_ = -1e300;
  int edge_a_ = -1, edge_b_ = -1;  // -1, -1: a face of a; -1, -2: a face of b
};

}  // namespace

CoreGap find_overlap_by_directions(const ConvexCore& a, const ConvexCore& b) {
  BestDirection best(a, b);
  for (int i = 0; i < a.face_count(); ++i) best.try_both_ways(a.face_normal(i), -1, -1);
  for (int i = 0; i < b.face_count(); ++i) best.try_both_ways(b.face_normal(i), -1, -2);
  for (int i = 0; i < a.edge_count(); ++i)
    for (int k = 0; k < b.edge_count(); ++k) {
      const Vec3 across = a.edge_direction(i).cross(b.edge_direction(k));
      if (const double sine = across.norm(); sine > kParallelSine) best.try_both_ways(across / sine, i, k);
    }
  // Two segments on one line, or points: any way across.
  if (a.face_count() + b.face_count() == 0) {
    const Vec3 along = a.edge_count() > 0   ? a.edge_direction(0)
                       : b.edge_count() > 0 ? b.edge_direction(0)
                                            : Vec3(Vec3::UnitX());
    best.try_both_ways(any_tangent(along), -1, -1);
  }
  return best.finish();
}

namespace {

// More directions than this cost more than the growth of a polyhedron.
constexpr int kManyDirections = 200;

// Share of the size by which one direction must be better than another; the square of the angle between them counts.
constexpr double kClearly = 1e-12;

// Takes an exact direction instead of one found by iteration, where it is as good: of a face, else of a pair of edges,
// else of a radius.
void settle(const ConvexCore& a, const ConvexCore& b, CoreGap& gap) {
  const Vec3 n = gap.normal;
  const double clearly = kClearly * (a.reach_m() + b.reach_m()), before = separation_along(a, b, n) - 3.0 * clearly;
  double best = before;
  Vec3 settled = n;
  const auto try_direction = [&](const Vec3& direction) {
    if (direction.dot(n) < 0.9) return;
    if (const double separation = separation_along(a, b, direction); separation > best + clearly)
      best = separation, settled = direction;
  };
  const auto of_a = a.find_directions(n, gap.on_b, b.centre()), of_b = b.find_directions(-n, gap.on_a, a.centre());
  for (const Vec3& face : of_a.faces) try_direction(face);
  for (const Vec3& face : of_b.faces) try_direction(-face);
  for (const Vec3& u : of_a.edges)
    for (const Vec3& v : of_b.edges) {
      const Vec3 across = u.cross(v);
      const double sine = across.norm();
      if (sine > kParallelSine) try_direction(across / (across.dot(n) < 0.0 ? -sine : sine));
    }
  for (const Vec3& radius : of_a.radii) try_direction(radius);
  for (const Vec3& radius : of_b.radii) try_direction(-radius);
  if (!(best > before)) return;
  gap.normal = settled, gap.separation_m = best;
  const Vec3 middle = 0.5 * (gap.on_a + gap.on_b);
  gap.on_a = middle - 0.5 * best * settled, gap.on_b = middle + 0.5 * best * settled;
}

}  // namespace

CoreGap find_core_gap(const ConvexCore& a, const ConvexCore& b) {
  CoreGap gap;
  const bool round = a.is_round() || b.is_round();
  if (find_distance(a, b, gap)) {
    if (round) settle(a, b, gap);
    return gap;
  }
  const int directions = a.face_count() + b.face_count() + a.edge_count() * b.edge_count();
  if (!round && directions <= kManyDirections) return find_overlap_by_directions(a, b);
  gap = find_overlap_by_growth(a, b);
  settle(a, b, gap);
  return gap;
}

}  // namespace distal
