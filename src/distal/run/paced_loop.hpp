// A loop with a thread and a clock of its own: calls its work once a period, before ordinary threads where the system
// allows it, and counts how late periods begin and how many end too late.
#pragma once
#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "distal/record/device_results.hpp"
#include "distal/record/statistics.hpp"

namespace distal {

// Fast on every core before everybody else; between them the one whose lateness is felt goes first.
inline constexpr int kForcePriority = 60, kTouchPriority = 55;  // of 1 to 99

class PacedLoop {
 public:
  // Seconds since the start, and since the work was called last. Must not wait.
  using Work = std::function<void(double now_s, double since_last_s)>;

  // Starts.
  PacedLoop(std::string name, double period_s, int priority, Work work);
  ~PacedLoop();
  PacedLoop(const PacedLoop&) = delete;
  PacedLoop& operator=(const PacedLoop&) = delete;

  // Ends it.
  LoopReport stop();

 private:
  void run();

  std::string name_;
  double period_s_;
  int priority_;
  Work work_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::atomic<bool> stops_{false};
  // The thread's until it has ended.
  DurationStatistics start_delay_;
  std::uint64_t periods_ = 0, late_ = 0;
  double ran_s_ = 0.0;
  bool has_priority_ = false;
  std::thread thread_;
};

}  // namespace distal
