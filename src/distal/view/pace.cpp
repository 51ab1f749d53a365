#include "distal/view/pace.hpp"

#include <time.h>

#include <algorithm>
#include <cmath>

#include "distal/remote/real_time.hpp"

namespace distal {
namespace {

constexpr double kLongestWait_s = 0.01;  // requests are looked at in between
constexpr double kMostLag_s = 0.1;       // more is not made up for
constexpr double kWindow_s = 0.5;        // of the real-time factor

void sleep_until(double monotonic) {
  timespec due{};
  due.tv_sec = static_cast<time_t>(monotonic);
  due.tv_nsec = static_cast<long>(1e9 * (monotonic - std::floor(monotonic)));
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nullptr);
}

}  // namespace

void Pace::set_speed(double speed, double simulated_s) {
  speed_ = speed;
  restart(simulated_s);
}

void Pace::restart(double simulated_s) {
  start_s_ = mark_s_ = monotonic_s();
  start_simulated_s_ = mark_simulated_s_ = simulated_s;
  factor_ = 0.0;
  started_ = true;
  measured_ = false;
}

bool Pace::wait(double simulated_s) {
  if (!started_) restart(simulated_s);
  double now_s = monotonic_s();
  if (speed_ > 0.0) {
    const double due_s = start_s_ + (simulated_s - start_simulated_s_) / speed_;
    if (now_s > due_s) ++late_;
    if (now_s - due_s > kMostLag_s) start_s_ += now_s - due_s - kMostLag_s;
    if (now_s < due_s) {
      sleep_until(std::min(due_s, now_s + kLongestWait_s));
      now_s = monotonic_s();
      if (now_s < due_s) return false;
    }
  }
  measure(now_s, simulated_s);
  return true;
}

void Pace::measure(double now_s, double simulated_s) {
  const double wall_s = now_s - mark_s_;
  if (wall_s <= 0.0 || (measured_ && wall_s < kWindow_s)) return;
  factor_ = (simulated_s - mark_simulated_s_) / wall_s;
  if (wall_s < kWindow_s) return;  // the first figures come from what there is
  measured_ = true;
  mark_s_ = now_s;
  mark_simulated_s_ = simulated_s;
}

}  // namespace distal
