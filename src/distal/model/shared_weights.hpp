// Weights by slot and lane (lane_rows.hpp) that groups of vertices share. On regular meshes nearly all groups have the
// same ones: what every loop reads then stays in the cache.
#pragma once
#include <cstddef>
#include <span>

#include "distal/model/lane_rows.hpp"

namespace distal {

template <typename T>
struct SlotWeights {
  AlignedVector<T>* numbers;
  std::size_t width;  // numbers a slot
};

// Leaves every kind of group once, and returns the first slot of each group's kind. Weights are the same that differ by
// no more than `tolerance` of the largest: rounding makes small differences between alike places.
template <typename T>
std::vector<std::int32_t> share_weights(const LaneRows& rows, std::span<const SlotWeights<T>> arrays, T tolerance);

}  // namespace distal
