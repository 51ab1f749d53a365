// Keeping a clock: what the system lets a program do about it, and periods on an absolute schedule.
#pragma once
#include <cstdint>
#include <string>

#include "distal/record/statistics.hpp"

namespace distal {

double monotonic_s();

struct RealTimeRights {
  bool fixed_priority = false, locked_memory = false;
  std::string notice;  // what is missing and how to allow it; empty when all was granted
};
// For every thread of this program as it is now.
RealTimeRights take_real_time_rights();

// Period k starts at start + k * period, whatever happened before: a late one does not move those after it.
class PeriodClock {
 public:
  explicit PeriodClock(double period_s) : period_s_(period_s) {}

  void start(double now_s) { start_s_ = woke_s_ = now_s, done_ = 0; }
  // Sleeps until the next period begins; false when a signal came first.
  bool wait();
  // How far simulated time is behind the clock at the end of a period [s]; 0 when the deadline was met.
  double end_period();

  std::uint64_t periods() const { return start_delay_.count(); }
  std::uint64_t missed() const { return missed_; }
  double largest_lag_s() const { return largest_lag_s_; }
  const DurationStatistics& start_delay() const { return start_delay_; }

 private:
  double period_s_, start_s_ = 0.0, woke_s_ = 0.0, largest_lag_s_ = 0.0;
  std::uint64_t done_ = 0, missed_ = 0;
  DurationStatistics start_delay_;
};

}  // namespace distal
