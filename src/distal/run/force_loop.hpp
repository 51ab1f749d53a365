// The force loop of a run in real time: the device's side of every hand, a thousand times a second on a clock of its
// own, beside the loops of deformation and display. Whole states go both ways; nobody waits.
#pragma once
#include <atomic>
#include <chrono>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "distal/haptic/hand_port.hpp"
#include "distal/record/device_results.hpp"
#include "distal/record/statistics.hpp"

namespace distal {

inline constexpr double kForcePeriod_s = 0.001;

class ForceLoop {
 public:
  // Starts. The ports must outlive it; `start_s` is the simulated time now.
  ForceLoop(std::span<HandPort* const> ports, double start_s, double period_s = kForcePeriod_s);
  ~ForceLoop();
  ForceLoop(const ForceLoop&) = delete;
  ForceLoop& operator=(const ForceLoop&) = delete;

  // Ends it: the ports are in lock-step again.
  LoopReport stop();

 private:
  void run();

  std::vector<HandPort*> ports_;
  std::vector<std::unique_ptr<ForceLink>> links_;  // one per port
  double start_s_, period_s_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::atomic<bool> stops_{false};
  // The thread's until it has ended.
  DurationStatistics start_delay_;
  std::uint64_t periods_ = 0, late_ = 0;
  double ran_s_ = 0.0;
  std::thread thread_;
};

}  // namespace distal
