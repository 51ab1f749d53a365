// Two cores: the shortest way between them, or out of each other.
#pragma once
#include "distal/geometry/convex_core.hpp"

namespace distal {

struct CoreGap {
  Vec3 normal = Vec3::UnitZ();                    // unit, from a to b
  double separation_m = 0.0;                      // negative where they overlap
  Vec3 on_a = Vec3::Zero(), on_b = Vec3::Zero();  // a pair of points that far apart along the normal
};

CoreGap find_core_gap(const ConvexCore& a, const ConvexCore& b);

// The parts of it. Nearest points by the method of Gilbert, Johnson and Keerthi; false if the cores overlap or are too
// near for a direction.
bool find_distance(const ConvexCore& a, const ConvexCore& b, CoreGap& gap);
// Of all directions of faces and of pairs of edges, the one along which overlapping cores come apart soonest.
CoreGap find_overlap_by_directions(const ConvexCore& a, const ConvexCore& b);
// The same for cores with many directions or round ones, one of which has a volume: by an expanding polyhedron.
CoreGap find_overlap_by_growth(const ConvexCore& a, const ConvexCore& b);

}  // namespace distal
