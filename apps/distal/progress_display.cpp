#include "distal/progress_display.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "distal/terminal.hpp"

namespace distal {

ProgressDisplay::ProgressDisplay() : terminal_(standard_error_is_terminal()) {}
ProgressDisplay::~ProgressDisplay() { clear(); }

void ProgressDisplay::show(const RunProgress& progress) {
  std::string figures = fmt::format("{:.3f} s  {:.2f}x real time  {} left", progress.simulated_s,
                                    progress.real_time_factor, duration_text(progress.left_s));
  if (!progress.note.empty()) figures += "  " + progress.note;
  show(progress.share, figures);
}

void ProgressDisplay::show(double share, const std::string& figures) {
  if (terminal_) return draw_bar(share, figures);
  const int tenths = static_cast<int>(10.0 * share);
  if (tenths <= tenths_shown_ || tenths >= 10) return;
  tenths_shown_ = tenths;
  say("{:3.0f} %  {}\n", 100.0 * share, figures);
}

void ProgressDisplay::draw_bar(double share, const std::string& figures) {
  const int width = std::max(terminal_width(), 20), bar = std::clamp(width - 60, 0, 30);
  const int filled = static_cast<int>(std::clamp(share, 0.0, 1.0) * bar);
  std::string line = fmt::format("{}{}  {:3.0f} %  {}", std::string(static_cast<std::size_t>(filled), '#'),
                                 std::string(static_cast<std::size_t>(bar - filled), '.'), 100.0 * share, figures);
  // A line that wraps could not be drawn over.
  if (line.size() >= static_cast<std::size_t>(width)) line.resize(static_cast<std::size_t>(width) - 1);
  say("\r\033[K{}", line);
  std::fflush(stderr);
  drawn_ = true;
}

void ProgressDisplay::clear() {
  if (!drawn_) return;
  say("\r\033[K");
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace distal
