// The size of a snapshot picture [pixels].
#pragma once

namespace distal {

inline constexpr double picture_width = 270.0, picture_height = 380.0;
inline constexpr double picture_margin = 22.0;
inline constexpr double arrow_room = 56.0;  // above the bodies
inline constexpr double longest_arrow = 62.0;

}  // namespace distal
