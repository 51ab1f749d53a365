#include "distal/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>

#include "distal/core/printable.hpp"

namespace distal {
namespace {

bool colours() {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return standard_error_is_terminal() && (no_colour == nullptr || *no_colour == '\0') &&
         !(terminal != nullptr && std::string_view(terminal) == "dumb");
}

std::string painted(std::string_view text, std::string_view code) {
  const std::string plain = printable(text);
  return colours() ? fmt::format("\033[{}m{}\033[0m", code, plain) : plain;
}

}  // namespace

bool standard_error_is_terminal() { return isatty(STDERR_FILENO) == 1; }

int terminal_width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

std::string bold(std::string_view text) { return painted(text, "1"); }

void print_error(std::string_view message) {
  say("{} {}\n", painted("distal: error:", "1;31"), printable(message, LineBreaks::kept));
}

void print_warning(std::string_view message) {
  say("{} {}\n", painted("distal: note:", "1;33"), printable(message, LineBreaks::kept));
}

std::string bytes_text(double bytes) {
  if (bytes < 1e3) return fmt::format("{:.0f} bytes", bytes);
  if (bytes < 1e6) return fmt::format("{:.1f} kB", bytes / 1e3);
  if (bytes < 1e9) return fmt::format("{:.1f} MB", bytes / 1e6);
  return fmt::format("{:.2f} GB", bytes / 1e9);
}

std::string duration_text(double seconds) {
  if (!(seconds < 1e8)) return "long";
  const auto whole = static_cast<long>(std::ceil(std::max(0.0, seconds)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

}  // namespace distal
