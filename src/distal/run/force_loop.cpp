#include "distal/run/force_loop.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>

namespace distal {
namespace {

using ForceClock = std::chrono::steady_clock;

// Before the other loops where the system allows it; as good as it goes elsewhere.
void ask_for_priority() {
  sched_param parameters{};
  parameters.sched_priority = 60;
  sched_setscheduler(0, SCHED_FIFO, &parameters);
}

}  // namespace

ForceLoop::ForceLoop(std::span<HandPort* const> ports, double start_s, double period_s)
    : ports_(ports.begin(), ports.end()), start_s_(start_s), period_s_(period_s) {
  for (HandPort* port : ports_) {
    links_.push_back(std::make_unique<ForceLink>());
    port->set_link(links_.back().get());
  }
  thread_ = std::thread([this] { run(); });
}

ForceLoop::~ForceLoop() { stop(); }

void ForceLoop::run() {
  ask_for_priority();
  const auto after = [&](double seconds) {
    return start_ + std::chrono::duration_cast<ForceClock::duration>(std::chrono::duration<double>(seconds));
  };
  const auto now_s = [&] { return std::chrono::duration<double>(ForceClock::now() - start_).count(); };
  double last_s = 0.0;
  for (std::int64_t n = 1; !stops_.load(std::memory_order_relaxed);) {
    const double due_s = static_cast<double>(n) * period_s_;
    std::this_thread::sleep_until(after(due_s));
    const double woke_s = now_s();
    start_delay_.update(std::max(0.0, woke_s - due_s));
    for (std::size_t p = 0; p < ports_.size(); ++p) {
      ForceLink& link = *links_[p];
      link.to_hand.take();
      if (link.to_hand.front().number == 0) continue;  // the simulation has not begun
      link.to_simulation.back() = ports_[p]->side().advance(start_s_ + woke_s, woke_s - last_s, link.to_hand.front());
      link.to_simulation.publish();
    }
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

LoopReport ForceLoop::stop() {
  stops_ = true;
  if (thread_.joinable()) thread_.join();
  for (HandPort* port : ports_) port->set_link(nullptr);
  LoopReport report;
  report.name = "force";
  report.period_s = period_s_;
  report.periods = periods_;
  report.late = late_;
  report.rate_hz = ran_s_ > 0.0 ? static_cast<double>(start_delay_.count()) / ran_s_ : 0.0;
  report.start_delay_p50_s = start_delay_.quantile_s(0.5);
  report.start_delay_p999_s = start_delay_.quantile_s(0.999);
  report.start_delay_worst_s = start_delay_.worst_s();
  return report;
}

}  // namespace distal
