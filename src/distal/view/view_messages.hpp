// The messages of docs/reference/view_protocol.md, to bytes.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "distal/view/view_data.hpp"

namespace distal {

// For one frame: its number and how many look on.
struct FrameNumbers {
  std::uint64_t frame = 0;
  std::size_t viewers = 0;
};

std::string scene_message(const ViewScene& scene);
std::string frame_message(const ViewScene& scene, const ViewMoment& moment, const ViewWish& wish,
                          const FrameNumbers& numbers);
std::string note_message(std::string_view text, bool error);

std::string_view name_of(ViewRole role);
std::string_view name_of(ViewColour colour);

}  // namespace distal
