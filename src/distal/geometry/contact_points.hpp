// The points of a manifold: what the level features of two cores have in common, seen along the normal.
#pragma once
#include "distal/geometry/core_gap.hpp"
#include "distal/geometry/manifold.hpp"

namespace distal {

// Candidates, of which the manifold keeps four.
struct PointList {
  static constexpr int kMost = 2 * CoreFeature::kMost + 2;
  std::array<ManifoldPoint, kMost> points;
  int count = 0;

  void add(const Vec3& point, double separation, std::uint32_t feature) {
    if (count < kMost) points[static_cast<std::size_t>(count++)] = {point, separation, feature};
  }
};

// Where both features lie over each other; always with the pair of nearest points itself.
PointList find_contact_points(const ConvexCore& a, const ConvexCore& b, const CoreGap& gap);

// The deepest, the farthest from it, and the two that make the widest triangles with these, among those nearer than
// the margin.
void keep_four(const PointList& list, const Vec3& normal, double margin_m, double size_m, Manifold& manifold);

}  // namespace distal
