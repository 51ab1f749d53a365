#include "distal/geometry/base64.hpp"

namespace distal {
namespace {

int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

}  // namespace

std::optional<std::string> decode_base64(std::string_view text) {
  std::string bytes;
  unsigned group = 0;
  int digits = 0;
  int padding = 0;
  for (const char c : text) {
    if (c == ' ' || (c >= '\t' && c <= '\r')) continue;
    const int digit = c == '=' ? 0 : base64_digit(c);
    // Padding takes the place of the last one or two digits.
    if (digit < 0 || (c == '=' && digits < 2) || (c != '=' && padding > 0)) return {};
    padding += c == '=';
    group = (group << 6) | static_cast<unsigned>(digit);
    if (++digits < 4) continue;
    for (int k = 0; k < 3 - padding; ++k) bytes += static_cast<char>((group >> (16 - 8 * k)) & 0xff);
    group = 0;
    digits = padding = 0;
  }
  if (digits != 0) return {};
  return bytes;
}

}  // namespace distal
