#include "distal/core/printable.hpp"

#include <fmt/format.h>

namespace distal {

std::string printable(std::string_view text, LineBreaks breaks) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // U+0080 to U+009F, which some terminals take for escape sequences, are two bytes.
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : '\0');
    if (byte == 0xC2 && next >= 0x80 && next < 0xA0) {
      result += fmt::format("\\x{:02x}", next);
      ++i;
    } else if (byte == '\n') {
      result += breaks == LineBreaks::kept ? "\n" : "\\n";
    } else if (byte == '\t') {
      result += "\\t";
    } else if (byte < 0x20 || byte == 0x7F) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += text[i];
    }
  }
  return result;
}

}  // namespace distal
