#include "distal/model/lane_rows.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace distal {
namespace {

constexpr std::size_t kLaneCount = kLanes;
using Slot = std::array<std::int32_t, kLaneCount>;  // entries of the graph, or -1

Slot empty_slot() {
  Slot slot;
  slot.fill(-1);
  return slot;
}

struct Group {
  std::map<std::int32_t, Slot> runs;  // by the neighbour of the first lane
  std::vector<Slot> loose;
};

Group sort_entries(const VertexGraph& graph, std::size_t first_vertex) {
  // Of a run, so that it is read faster than its entries one by one.
  constexpr std::ptrdiff_t kLeastRun = 3;
  Group group;
  const std::size_t vertices = graph.begin.size() - 1;
  for (std::size_t lane = 0; lane < kLaneCount && first_vertex + lane < vertices; ++lane)
    for (std::int32_t e = graph.begin[first_vertex + lane]; e < graph.begin[first_vertex + lane + 1]; ++e) {
      const std::int32_t base = graph.neighbour[static_cast<std::size_t>(e)] - static_cast<std::int32_t>(lane);
      group.runs.try_emplace(base, empty_slot()).first->second[lane] = e;
    }
  // Loose slots take the next entry of every lane.
  std::array<std::size_t, kLaneCount> used{};
  std::size_t short_runs = 0;
  std::vector<Slot> loose;
  for (const auto& [base, slot] : group.runs) {
    if (kLanes - std::count(slot.begin(), slot.end(), -1) >= kLeastRun) continue;
    ++short_runs;
    for (std::size_t lane = 0; lane < kLaneCount; ++lane) {
      if (slot[lane] < 0) continue;
      if (used[lane] == loose.size()) loose.push_back(empty_slot());
      loose[used[lane]++][lane] = slot[lane];
    }
  }
  // Indices take as much memory as weights: a few short runs are as good.
  if (short_runs <= 2 * loose.size()) return group;
  std::erase_if(group.runs, [&](const auto& run) {
    return kLanes - std::count(run.second.begin(), run.second.end(), -1) < kLeastRun;
  });
  group.loose = std::move(loose);
  return group;
}

}  // namespace

LaneRows make_lane_rows(const VertexGraph& graph, std::size_t slots) {
  LaneRows rows;
  rows.begin.push_back(0);
  for (std::size_t vertex = 0; vertex < slots; vertex += kLaneCount) {
    const Group group = sort_entries(graph, vertex);
    for (const auto& [base, slot] : group.runs) {
      rows.first.push_back(base);
      rows.entry.insert(rows.entry.end(), slot.begin(), slot.end());
    }
    rows.loose.push_back(static_cast<std::int32_t>(rows.first.size()));
    for (const Slot& slot : group.loose) {
      rows.first.push_back(static_cast<std::int32_t>(rows.index.size()));
      rows.entry.insert(rows.entry.end(), slot.begin(), slot.end());
      for (const std::int32_t e : slot)
        rows.index.push_back(e < 0 ? static_cast<std::int32_t>(vertex) : graph.neighbour[static_cast<std::size_t>(e)]);
    }
    rows.begin.push_back(static_cast<std::int32_t>(rows.first.size()));
  }
  return rows;
}

AlignedVector<double> by_lanes(const LaneRows& rows, std::span<const double> weights) {
  AlignedVector<double> result(rows.entry.size(), 0.0);
  for (std::size_t i = 0; i < rows.entry.size(); ++i)
    if (rows.entry[i] >= 0) result[i] = weights[static_cast<std::size_t>(rows.entry[i])];
  return result;
}

AlignedVector<double> by_lanes(const LaneRows& rows, std::span<const Vec3> weights) {
  AlignedVector<double> result(3 * rows.entry.size(), 0.0);
  for (std::size_t i = 0; i < rows.entry.size(); ++i) {
    if (rows.entry[i] < 0) continue;
    const Vec3& weight = weights[static_cast<std::size_t>(rows.entry[i])];
    for (std::size_t c = 0; c < 3; ++c)
      result[(3 * (i / kLaneCount) + c) * kLaneCount + i % kLaneCount] = weight[static_cast<Eigen::Index>(c)];
  }
  return result;
}

}  // namespace distal
