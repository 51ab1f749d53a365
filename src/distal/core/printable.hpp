// Text of others (a file, a command line) in messages: a terminal obeys control characters.
#pragma once
#include <string>
#include <string_view>

namespace distal {

enum class LineBreaks { escaped, kept };

// Control characters as \n, \t or \x1b; all else, UTF-8 included, as it is.
std::string printable(std::string_view text, LineBreaks breaks = LineBreaks::escaped);

}  // namespace distal
