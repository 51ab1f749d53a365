// The loops of hands in real time (paper 4, 5), beside those of deformation and display: force, the device's side of
// every hand, a thousand times a second; and touch, which finds the touched points of skins. Each has a thread and a
// clock of its own. The newest whole states go between them; nobody waits.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "distal/haptic/skin_touch.hpp"
#include "distal/run/paced_loop.hpp"

namespace distal {

inline constexpr double kForcePeriod_s = 0.001;

class HandLoops {
 public:
  // Starts them; without hands on skins there is no touch loop: what a held body touches is found with its deformation.
  // Ports and touches must outlive it; `start_s` is the simulated time now.
  HandLoops(std::span<HandPort* const> ports, std::span<const std::unique_ptr<SkinTouch>> touches, double start_s);
  ~HandLoops();
  HandLoops(const HandLoops&) = delete;
  HandLoops& operator=(const HandLoops&) = delete;

  // Ends them: hands are in lock-step again.
  std::vector<LoopReport> stop();

 private:
  void advance_hands(double now_s, double since_last_s);

  std::vector<HandPort*> ports_;
  std::vector<SkinTouch*> touches_;
  std::vector<std::unique_ptr<ForceLink>> force_links_;  // one per port
  std::vector<std::unique_ptr<TouchLink>> touch_links_;  // one per touch
  double start_s_;
  std::optional<PacedLoop> force_, touch_;
};

}  // namespace distal
