#include <array>
#include <cmath>

#include "distal/geometry/core_gap.hpp"

namespace distal {
namespace {

constexpr int kMostIterations = 100;
// Nearer than this share of their size, overlap decides: the direction between the nearest points loses its digits.
constexpr double kTouching = 1e-8;
constexpr double kConverged = 1e-13;

// A point of the difference a - b of the cores.
struct DifferencePoint {
  Vec3 a = Vec3::Zero(), b = Vec3::Zero(), w = Vec3::Zero();
};

struct Simplex {
  std::array<DifferencePoint, 4> points;
  std::array<double, 4> weights = {1.0, 0.0, 0.0, 0.0};
  int count = 0;

  Vec3 sum(Vec3 DifferencePoint::*of) const {
    Vec3 total = Vec3::Zero();
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) total += weights[i] * (points[i].*of);
    return total;
  }
};

// Weights of the point nearest to the origin of the plane through the points; false unless it lies inside of them.
bool find_weights(const Simplex& s, std::array<double, 4>& weights) {
  const Vec3 p = -s.points[0].w;
  if (s.count == 1) {
    weights = {1.0, 0.0, 0.0, 0.0};
    return true;
  }
  const Vec3 u = s.points[1].w + p;
  if (s.count == 2) {
    const double t = p.dot(u) / u.squaredNorm();
    weights = {1.0 - t, t, 0.0, 0.0};
    return t > 0.0 && t < 1.0;
  }
  const Vec3 v = s.points[2].w + p, area = u.cross(v);
  if (s.count == 3) {
    const double squared = area.squaredNorm();
    const double along_u = p.cross(v).dot(area) / squared, along_v = u.cross(p).dot(area) / squared;
    weights = {1.0 - along_u - along_v, along_u, along_v, 0.0};
    return along_u > 0.0 && along_v > 0.0 && weights[0] > 0.0;
  }
  const Vec3 z = s.points[3].w + p;
  const double six_volumes = area.dot(z);
  const double along_u = p.dot(v.cross(z)) / six_volumes, along_v = p.dot(z.cross(u)) / six_volumes,
               along_z = p.dot(area) / six_volumes;
  weights = {1.0 - along_u - along_v - along_z, along_u, along_v, along_z};
  return along_u > 0.0 && along_v > 0.0 && along_z > 0.0 && weights[0] > 0.0;
}

// Keeps the points around the one nearest to the origin: of all their subsets, the best.
Simplex find_nearest(const Simplex& all) {
  Simplex best;
  double least = 1e300;
  for (unsigned subset = 1; subset < 1U << all.count; ++subset) {
    Simplex part;
    for (int i = 0; i < all.count; ++i)
      if (subset >> i & 1U)
        part.points[static_cast<std::size_t>(part.count++)] = all.points[static_cast<std::size_t>(i)];
    if (!find_weights(part, part.weights)) continue;
    const double squared = part.count == 4 ? 0.0 : part.sum(&DifferencePoint::w).squaredNorm();
    if (squared < least) least = squared, best = part;
  }
  return best;
}

bool holds(const Simplex& s, const Vec3& w) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(s.count); ++i)
    if (s.points[i].w == w) return true;
  return false;
}

}  // namespace

bool find_distance(const ConvexCore& a, const ConvexCore& b, CoreGap& gap) {
  const double touching = kTouching * (a.reach_m() + b.reach_m());
  const auto support = [&](const Vec3& direction) {
    const Vec3 on_a = a.find_support(direction), on_b = b.find_support(-direction);
    return DifferencePoint{on_a, on_b, on_a - on_b};
  };
  Simplex simplex;
  simplex.points[0] = support(b.centre() - a.centre());
  simplex.count = 1;
  Vec3 nearest = simplex.points[0].w;
  for (int i = 0; i < kMostIterations && nearest.norm() > touching; ++i) {
    const DifferencePoint next = support(-nearest);
    const double squared = nearest.squaredNorm();
    if (squared - nearest.dot(next.w) <= kConverged * squared || holds(simplex, next.w)) break;
    Simplex larger = simplex;
    larger.points[static_cast<std::size_t>(larger.count++)] = next;
    larger = find_nearest(larger);
    if (larger.count == 4) return false;
    const Vec3 nearer = larger.sum(&DifferencePoint::w);
    if (nearer.squaredNorm() >= squared) break;
    simplex = larger, nearest = nearer;
  }
  const double distance = nearest.norm();
  if (distance <= touching) return false;
  gap = {-nearest / distance, distance, simplex.sum(&DifferencePoint::a), simplex.sum(&DifferencePoint::b)};
  return true;
}

}  // namespace distal
