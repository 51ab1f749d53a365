// The layout that the vector loops of tetrahedra share: numbers of consecutive vertices side by side, one array a
// component, `stride` apart; pointers are to vertex 0, with spare numbers on both sides (model/lane_rows.hpp).
#pragma once
#include <cstddef>

#include "distal/model/lane_rows.hpp"

namespace distal::tet {

struct LaneView {
  const std::int32_t *begin, *loose, *first, *index;
  const std::int32_t* weights = nullptr;  // per group: the slot that its weights stand at; none: its own
  // From a slot of a group to that of its weights.
  std::ptrdiff_t to_weights(std::size_t group) const { return weights ? weights[group] - begin[group] : 0; }
};
inline LaneView view_of(const LaneRows& rows, const std::int32_t* weights = nullptr) {
  return {rows.begin.data(), rows.loose.data(), rows.first.data(), rows.index.data(), weights};
}

// Groups of vertices in [begin, end), whose begin is one of a group.
inline std::size_t first_group(std::size_t begin) { return begin / kLanes; }
inline std::size_t end_group(std::size_t end) { return (end + kLanes - 1) / kLanes; }

}  // namespace distal::tet
