// How far a run is, on standard error: a bar on a terminal, a line every tenth of the run elsewhere.
#pragma once
#include <string>

#include "distal/run/run_scene.hpp"

namespace distal {

class ProgressDisplay {
 public:
  ProgressDisplay();
  ~ProgressDisplay();
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  void show(const RunProgress& progress);
  // `share` of the whole, [0, 1], and what is said beside the bar.
  void show(double share, const std::string& figures);
  // Removes the bar, so that what follows starts on a clean line.
  void clear();

 private:
  void draw_bar(double share, const std::string& figures);

  bool terminal_;
  bool drawn_ = false;
  int tenths_shown_ = 0;
};

}  // namespace distal
