#include "distal/remote/real_time.hpp"

#include <sched.h>
#include <sys/mman.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace distal {
namespace {

constexpr int kPriority = 50;  // of 1 to 99: above ordinary programs, below what the kernel runs for its devices

constexpr double kShareOfPause = 0.06;  // of the time spent computing; the kernel asks for 0.05

// The threads that help with a step must not wait for ordinary programs either. One that took itself back (SCHED_BATCH)
// does not help: it stays where it is.
bool raise_all_threads() {
  sched_param parameters{};
  parameters.sched_priority = kPriority;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", error)) {
    const int thread = std::stoi(entry.path().filename());
    if (sched_getscheduler(thread) != SCHED_BATCH && sched_setscheduler(thread, SCHED_FIFO, &parameters) != 0)
      return false;
  }
  return !error;
}

}  // namespace

double monotonic_s() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

RealTimeRights take_real_time_rights() {
  RealTimeRights rights;
  rights.fixed_priority = raise_all_threads();
  rights.locked_memory = mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
  if (!rights.fixed_priority)
    rights.notice += "no real-time priority: other programs may delay a period (ulimit -r, or CAP_SYS_NICE)";
  if (!rights.locked_memory)
    rights.notice += std::string(rights.notice.empty() ? "" : "; ") +
                     "memory is not locked: paging may delay a period (ulimit -l, or CAP_IPC_LOCK)";
  return rights;
}

bool PeriodClock::wait() {
  const double due_s = start_s_ + static_cast<double>(done_) * period_s_;
  // A clock that lags sleeps too: without a pause the kernel would stop a real-time thread for 50 ms of every second,
  // and the controller might never have its turn.
  const double now_s = monotonic_s();
  const double until_s = std::max(due_s, now_s + kShareOfPause * (now_s - woke_s_));
  timespec due{};
  due.tv_sec = static_cast<time_t>(until_s);
  due.tv_nsec = static_cast<long>(1e9 * (until_s - std::floor(until_s)));
  if (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nullptr) != 0) return false;
  woke_s_ = monotonic_s();
  start_delay_.update(std::max(0.0, woke_s_ - due_s));
  return true;
}

double PeriodClock::end_period() {
  ++done_;
  const double lag_s = monotonic_s() - (start_s_ + static_cast<double>(done_) * period_s_);
  if (lag_s <= 0.0) return 0.0;
  ++missed_;
  largest_lag_s_ = std::max(largest_lag_s_, lag_s);
  return lag_s;
}

}  // namespace distal
