// Messages for people, on standard error: coloured only on a terminal, and not under NO_COLOR. Control characters of
// what is printed (bold, errors, warnings) are escaped.
#pragma once
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace distal {

bool standard_error_is_terminal();
int terminal_width();  // columns of standard error, 80 when unknown

// A message that cannot be written, to a closed or full standard error, is lost, and nothing else with it.
template <typename... Values>
void say(fmt::format_string<Values...> format, Values&&... values) {
  const std::string text = fmt::format(format, std::forward<Values>(values)...);
  std::fwrite(text.data(), 1, text.size(), stderr);
}
std::string bold(std::string_view text);
void print_error(std::string_view message);
void print_warning(std::string_view message);

// 1.2 kB, 3.4 MB
std::string bytes_text(double bytes);
// 12 s, 3 min 20 s
std::string duration_text(double seconds);

}  // namespace distal
