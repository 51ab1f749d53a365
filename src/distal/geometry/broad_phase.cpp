#include "distal/geometry/broad_phase.hpp"

#include <algorithm>
#include <numeric>

#include "distal/geometry/convex_core.hpp"

namespace distal {
namespace {

void add_bounds(const Shape& shape, const PointMap& place, Aabb& box) {
  if (std::holds_alternative<PlaneShape>(shape)) {
    box = {Vec3::Constant(-1e300), Vec3::Constant(1e300)};
    return;
  }
  if (const auto* all = std::get_if<UnionShape>(&shape)) {
    for (const UnionShape::Part& part : all->parts) {
      PointMap own = place;
      own.position = place.to_world(part.pose.position), own.rotation = place.rotation * part.pose.rotation;
      add_bounds(part.shape, own, box);
    }
    return;
  }
  const ConvexCore core(shape, place);
  const double r = core.radius_m();
  for (Eigen::Index axis = 0; axis < 3; ++axis) {
    const Vec3 n = Vec3::Unit(axis);
    box.max[axis] = std::max(box.max[axis], core.find_support(n)[axis] + r);
    box.min[axis] = std::min(box.min[axis], core.find_support(-n)[axis] - r);
  }
}

Eigen::Index find_sweep_axis(std::span<const Aabb> boxes) {
  // Of the middles of what is finite.
  Vec3 sum = Vec3::Zero(), squares = Vec3::Zero();
  double count = 0.0;
  for (const Aabb& box : boxes) {
    if (!((box.max - box.min).maxCoeff() < 1e200)) continue;
    const Vec3 middle = 0.5 * (box.min + box.max);
    sum += middle, squares += middle.cwiseAbs2(), count += 1.0;
  }
  Eigen::Index axis = 0;
  if (count > 0.0) (squares - sum.cwiseAbs2() / count).maxCoeff(&axis);
  return axis;
}

}  // namespace

Aabb find_bounds(const Shape& shape, const Pose& pose) {
  Aabb box;
  add_bounds(shape, PointMap(pose), box);
  return box;
}

const std::vector<BoxPair>& BroadPhase::find_pairs(std::span<const Aabb> boxes, double margin_m) {
  const Eigen::Index axis = find_sweep_axis(boxes);
  const auto box = [&](std::int32_t i) -> const Aabb& { return boxes[static_cast<std::size_t>(i)]; };
  if (order_.size() != boxes.size()) {
    order_.resize(boxes.size());
    std::iota(order_.begin(), order_.end(), 0);
  }
  for (std::size_t i = 1; i < order_.size(); ++i) {
    const std::int32_t moved = order_[i];
    std::size_t k = i;
    for (; k > 0 && box(order_[k - 1]).min[axis] > box(moved).min[axis]; --k) order_[k] = order_[k - 1];
    order_[k] = moved;
  }
  pairs_.clear();
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const Aabb& one = box(order_[i]);
    for (std::size_t k = i + 1; k < order_.size(); ++k) {
      const Aabb& other = box(order_[k]);
      if (other.min[axis] >= one.max[axis] + margin_m) break;
      if ((one.min.array() < other.max.array() + margin_m).all() &&
          (other.min.array() < one.max.array() + margin_m).all())
        pairs_.push_back({std::min(order_[i], order_[k]), std::max(order_[i], order_[k])});
    }
  }
  std::sort(pairs_.begin(), pairs_.end());
  return pairs_;
}

}  // namespace distal
