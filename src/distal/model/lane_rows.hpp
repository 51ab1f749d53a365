// Sparse rows over vertices, laid out for loops that take kLanes vertices at once.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "distal/core/aligned.hpp"
#include "distal/math/spatial.hpp"

namespace distal {

inline constexpr int kLanes = 8;

// Rows of a sparse matrix over vertices: those that vertex i has to do with, itself among them where it has, stand at
// begin[i] to begin[i + 1], in increasing order.
struct VertexGraph {
  std::vector<std::int32_t> begin;
  std::vector<std::int32_t> neighbour;
};

// A slot holds one neighbour of each of the kLanes vertices of a group. Where meshes are numbered along lines, the
// neighbours of consecutive vertices are consecutive: such a slot is a run, read as one vector. What is left over is
// loose, and gathered. A lane without a neighbour has the weight 0; a run may then reach up to kLanes - 1 numbers over
// either end, so arrays over vertices have kLanes spare ones on both sides.
struct LaneRows {
  std::vector<std::int32_t> begin;  // of slots, per group and the end
  std::vector<std::int32_t> loose;  // per group: its first slot that is no run
  std::vector<std::int32_t>
      first;  // per slot: the neighbour of a run's first lane, or where the loose one's indices are
  AlignedVector<std::int32_t> index;  // kLanes a loose slot
  std::vector<std::int32_t> entry;    // of the graph, kLanes a slot; -1: none. Only needed to lay out weights
};

// Groups go on to `slots` vertices, a multiple of kLanes.
LaneRows make_lane_rows(const VertexGraph& graph, std::size_t slots);

// Weights of entries by slot and lane; vectors by slot, component and lane.
AlignedVector<double> by_lanes(const LaneRows& rows, std::span<const double> weights);
AlignedVector<double> by_lanes(const LaneRows& rows, std::span<const Vec3> weights);

// Where a number of vertex 0 stands in an array of `slots` vertices with its spare ones, and how long such an array is.
inline constexpr std::size_t kSpareLanes = kLanes;
constexpr std::size_t lane_stride(std::size_t slots) { return slots + 2 * kSpareLanes; }

}  // namespace distal
