#include "distal/run/paced_loop.hpp"

#include <sched.h>
#include <sys/prctl.h>

#include <algorithm>
#include <cmath>

namespace distal {
namespace {

using LoopClock = std::chrono::steady_clock;

// As good as it goes where the system does not allow it: without its usual slack of 50 us at least.
bool ask_for_priority(int priority) {
  sched_param parameters{};
  parameters.sched_priority = priority;
  prctl(PR_SET_TIMERSLACK, 1UL);
  return sched_setscheduler(0, SCHED_FIFO, &parameters) == 0;
}

}  // namespace

PacedLoop::PacedLoop(std::string name, double period_s, int priority, Work work)
    : name_(std::move(name)), period_s_(period_s), priority_(priority), work_(std::move(work)) {
  thread_ = std::thread([this] { run(); });
}

PacedLoop::~PacedLoop() { stop(); }

void PacedLoop::run() {
  has_priority_ = ask_for_priority(priority_);
  const auto after = [&](double seconds) {
    return start_ + std::chrono::duration_cast<LoopClock::duration>(std::chrono::duration<double>(seconds));
  };
  const auto now_s = [&] { return std::chrono::duration<double>(LoopClock::now() - start_).count(); };
  double last_s = 0.0;
  for (std::int64_t n = 1; !stops_.load(std::memory_order_relaxed);) {
    const double due_s = static_cast<double>(n) * period_s_;
    std::this_thread::sleep_until(after(due_s));
    const double woke_s = now_s();
    start_delay_.update(std::max(0.0, woke_s - due_s));
    work_(woke_s, woke_s - last_s);
    last_s = woke_s;
    // A period is late that ends after the next one was due; those it ran over are lost and counted too.
    const auto next = static_cast<std::int64_t>(std::floor(now_s() / period_s_)) + 1;
    ++periods_;
    if (next > n + 1) {
      late_ += static_cast<std::uint64_t>(next - n - 1);
      periods_ += static_cast<std::uint64_t>(next - n - 2);
    }
    n = std::max(n + 1, next);
  }
  ran_s_ = now_s();
}

LoopReport PacedLoop::stop() {
  stops_ = true;
  if (thread_.joinable()) thread_.join();
  LoopReport report;
  report.name = name_;
  report.period_s = period_s_;
  report.periods = periods_;
  report.late = late_;
  report.real_time_priority = has_priority_;
  report.rate_hz = ran_s_ > 0.0 ? static_cast<double>(start_delay_.count()) / ran_s_ : 0.0;
  report.start_delay_p50_s = start_delay_.quantile_s(0.5);
  report.start_delay_p999_s = start_delay_.quantile_s(0.999);
  report.start_delay_worst_s = start_delay_.worst_s();
  return report;
}

}  // namespace distal
