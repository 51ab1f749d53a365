// Where two rigid shapes touch or nearly do: contact points with a common normal, one manifold per pair of convex
// parts. Method and limits: docs/models/collision.md.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "distal/geometry/shape.hpp"

namespace distal {

struct ManifoldPoint {
  Vec3 point_m = Vec3::Zero();  // world, half-way between the two surfaces
  double separation_m = 0.0;    // negative: penetration
  std::uint32_t feature = 0;    // the same from step to step while it is the same corner or edge
};

struct Manifold {
  Vec3 normal = Vec3::UnitZ();          // unit, from a to b, world
  std::array<ManifoldPoint, 4> points;  // the deepest, and those that span the widest area
  int count = 0;                        // of them
  std::int32_t part_a = 0, part_b = 0;  // of a union
};

// Appends the manifolds of all convex pairs nearer than margin_m. Exact also where the shapes overlap, however deeply:
// the normal is the direction of the shortest way apart. Two planes never touch.
void find_manifolds(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin_m,
                    std::vector<Manifold>& found);

}  // namespace distal
