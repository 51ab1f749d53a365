// Separation of any two convex shapes from their supports alone: the largest, over all directions, of the gap that the
// shapes leave between their shadows.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "distal/geometry/shape.hpp"
#include "distal/geometry/surface_quadric.hpp"

namespace distal {

// How far a placed shape reaches along a unit direction.
inline double shadow(const Shape& shape, const Pose& pose, const Vec3& n) {
  const Vec3 d = pose.q.conjugate() * n;
  const double base = n.dot(pose.position);
  if (const auto* sphere = std::get_if<SphereShape>(&shape)) return base + sphere->radius_m;
  if (const auto* box = std::get_if<BoxShape>(&shape)) return base + box->half_size_m.dot(d.cwiseAbs());
  if (const auto* capsule = std::get_if<CapsuleShape>(&shape))
    return base + capsule->half_length_m * std::abs(d.z()) + capsule->radius_m;
  if (const auto* cylinder = std::get_if<CylinderShape>(&shape))
    return base + cylinder->half_length_m * std::abs(d.z()) + cylinder->radius_m * std::hypot(d.x(), d.y());
  double most = -1e300;
  for (const Vec3& v : std::get<ConvexShape>(shape).hull->mesh().vertices) most = std::max(most, d.dot(v));
  return base + most;
}

inline double shadow_gap(const Shape& a, const Pose& pa, const Shape& b, const Pose& pb, const Vec3& n) {
  return -shadow(b, pb, -n) - shadow(a, pa, n);
}

inline std::vector<Vec3> spread_directions(int count) {
  std::vector<Vec3> directions;
  for (int i = 0; i < count; ++i) {
    const double z = 1.0 - (2.0 * i + 1.0) / count, angle = 2.399963229728653 * i, r = std::sqrt(1.0 - z * z);
    directions.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
  }
  return directions;
}

inline double sampled_separation(const Shape& a, const Pose& pa, const Shape& b, const Pose& pb) {
  std::vector<std::pair<double, Vec3>> tried;
  for (const Vec3& n : spread_directions(1000)) tried.emplace_back(shadow_gap(a, pa, b, pb, n), n);
  std::sort(tried.begin(), tried.end(), [](const auto& x, const auto& y) { return x.first > y.first; });
  double best = -1e300;
  // Uphill from the best few, in ever smaller steps.
  for (std::size_t i = 0; i < 12; ++i) {
    auto [value, n] = tried[i];
    for (double step = 0.05; step > 1e-9;) {
      const Vec3 x = any_tangent(n), y = n.cross(x);
      double higher = value;
      Vec3 to = n;
      for (int k = 0; k < 12; ++k) {
        const double angle = 0.5235987755982988 * k;
        const Vec3 next = (n + step * (std::cos(angle) * x + std::sin(angle) * y)).normalized();
        if (const double v = shadow_gap(a, pa, b, pb, next); v > higher) higher = v, to = next;
      }
      if (higher > value + 1e-14)
        value = higher, n = to;
      else
        step *= 0.6;
    }
    best = std::max(best, value);
  }
  return best;
}

}  // namespace distal
