// Bytes written as letters.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace distal {

// Space between digits does not count, and padding may also stand inside, where two texts were joined. Empty if it is
// anything else than groups of four digits.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace distal
