// The live page of a run that is commanded from elsewhere: `run --view` and `serve --view`.
#pragma once
#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "distal/run/onlooker.hpp"
#include "distal/view/live_source.hpp"
#include "distal/view/pace.hpp"
#include "distal/view/view_server.hpp"

namespace distal {

struct WatcherOptions {
  std::string version;                      // of the program
  bool paces = true;                        // viewers may pause, step and change speed
  double speed = 0.0;                       // at the start; 0 is as fast as it goes
  const std::atomic<bool>* stop = nullptr;  // a run that ends is not held up
};

class Watcher : public Onlooker {
 public:
  // The server must outlive it.
  Watcher(ViewServer& server, const WatcherOptions& options);

  void begin(const Scene& scene, const Session& session) override;
  double look(const Session& session) override;
  void end(const Session& session, RunStatus status, const std::string& message) override;

  std::optional<LoopReport> loop() const override;  // of the moments that were shown

  // Of a run that was to keep a speed.
  std::uint64_t late_periods() const { return pace_.late_periods(); }

 private:
  bool stopped() const { return options_.stop && options_.stop->load(std::memory_order_relaxed); }
  void handle_requests(double simulated_s);
  void show(const Session& session);

  ViewServer& server_;
  WatcherOptions options_;
  std::optional<LiveSource> source_;
  SteeringBox box_;
  std::vector<SteerRequest> requests_;
  Pace pace_;
  LoopStanding standing_;
  std::optional<LoopStanding> shown_;
  double shown_s_ = -1.0;
  DurationStatistics between_shown_;
  std::optional<std::chrono::steady_clock::time_point> shown_at_;
  int steps_ = 0;  // single ones asked for
};

}  // namespace distal
