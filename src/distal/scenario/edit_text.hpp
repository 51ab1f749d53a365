// Changes in the text of a scene that leave everything else as the user wrote it, comments included.
#pragma once
#include <string>
#include <string_view>

namespace distal {

// The text with `key` of the table [header] set to a number. Understands tables with a header line and one key a line,
// as people write them; where there is no such header the text comes back unchanged.
std::string with_number(std::string_view text, std::string_view header, std::string_view key, double value);

}  // namespace distal
