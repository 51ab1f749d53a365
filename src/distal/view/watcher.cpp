#include "distal/view/watcher.hpp"

#include <algorithm>

#include <time.h>

#include "distal/remote/real_time.hpp"

namespace distal {
namespace {

void sleep_ms(long milliseconds) {
  const timespec time{0, 1'000'000 * milliseconds};
  nanosleep(&time, nullptr);
}

}  // namespace

Watcher::Watcher(ViewServer& server, const WatcherOptions& options)
    : server_(server), options_(options), pace_(options.speed) {}

void Watcher::begin(const Scene& scene, const Session& session) {
  source_.emplace(scene, session, ViewMode::watch, options_.version);
  show(session);
  ViewPowers powers;
  powers.pace = options_.paces;
  powers.touch = powers.reset = false;
  powers.refusal = options_.paces ? "this run is only watched; distal view SCENE can be touched"
                                  : "the scene is commanded from outside, and is only watched here";
  server_.open(source_->scene(), powers, *source_, box_);
  pace_.restart(session.simulation().state().time_s);
}

double Watcher::look(const Session& session) {
  const double simulated_s = session.simulation().state().time_s;
  const double start_s = monotonic_s();
  handle_requests(simulated_s);
  show(session);
  bool was_paused = false;
  while (!stopped()) {
    if (steps_ > 0) {
      --steps_;
      break;
    }
    if (standing_.status != ViewStatus::paused && pace_.wait(simulated_s)) break;
    was_paused = was_paused || standing_.status == ViewStatus::paused;
    if (standing_.status == ViewStatus::paused) sleep_ms(2);
    handle_requests(simulated_s);
    show(session);
  }
  if (was_paused) pace_.restart(simulated_s);
  return monotonic_s() - start_s;
}

void Watcher::end(const Session& session, RunStatus status, const std::string& message) {
  standing_.status = status == RunStatus::failed ? ViewStatus::failed : ViewStatus::ended;
  standing_.message = message;
  show(session);
  constexpr long kFarewell_ms = 200;  // for the last frame to reach those who are there
  if (server_.viewers() > 0) sleep_ms(kFarewell_ms);
  server_.close();
}

void Watcher::handle_requests(double simulated_s) {
  box_.take(requests_);
  for (const SteerRequest& request : requests_) {
    if (request.kind == SteerKind::pause) standing_.status = ViewStatus::paused;
    if (request.kind == SteerKind::resume) standing_.status = ViewStatus::running;
    if (request.kind == SteerKind::speed) pace_.set_speed(request.value, simulated_s);
    if (request.kind != SteerKind::step) continue;
    standing_.status = ViewStatus::paused;
    ++steps_;
  }
}

void Watcher::show(const Session& session) {
  const double simulated_s = session.simulation().state().time_s;
  standing_.speed = pace_.speed();
  standing_.real_time_factor = standing_.status == ViewStatus::running ? pace_.real_time_factor() : 0.0;
  const bool changed = !shown_ || shown_->status != standing_.status || shown_->speed != standing_.speed;
  if (!changed && (shown_s_ == simulated_s || !server_.wants_moment())) return;
  source_->publish(session, standing_);
  server_.announce_moment();
  shown_ = standing_;
  shown_s_ = simulated_s;
  const auto now = std::chrono::steady_clock::now();
  if (shown_at_) between_shown_.update(std::chrono::duration<double>(now - *shown_at_).count());
  shown_at_ = now;
}

std::optional<LoopReport> Watcher::loop() const {
  constexpr double kPeriod_s = 1.0 / 60.0;
  if (between_shown_.count() == 0) return std::nullopt;
  const auto beyond = [](double s) { return std::max(0.0, s - kPeriod_s); };
  LoopReport report;
  report.name = "display";
  report.period_s = kPeriod_s;
  report.periods = between_shown_.count();
  report.rate_hz = static_cast<double>(report.periods) / std::max(between_shown_.total_s(), 1e-9);
  report.start_delay_p50_s = beyond(between_shown_.quantile_s(0.5));
  report.start_delay_p999_s = beyond(between_shown_.quantile_s(0.999));
  report.start_delay_worst_s = beyond(between_shown_.worst_s());
  return report;
}

}  // namespace distal
