// Which bodies may touch: pairs of overlapping bounding boxes.
#pragma once
#include <span>

#include "distal/geometry/shape.hpp"

namespace distal {

// The box of a placed shape along the world's axes, exact for convex shapes; a plane's is all of space.
Aabb find_bounds(const Shape& shape, const Pose& pose);

struct BoxPair {
  std::int32_t a = 0, b = 0;  // a < b
  auto operator<=>(const BoxPair&) const = default;
};

// Sorts the boxes along the axis on which they spread most and sweeps over them. The order is kept from call to call
// and repaired by insertion, so that slow motion costs little. Allocates only while the numbers of boxes or pairs grow.
class BroadPhase {
 public:
  // All pairs of boxes that come nearer than margin_m on every axis, in the order of their numbers.
  const std::vector<BoxPair>& find_pairs(std::span<const Aabb> boxes, double margin_m);

 private:
  std::vector<std::int32_t> order_;
  std::vector<BoxPair> pairs_;
};

}  // namespace distal
