// A scene that runs in real time, with its controllers, and that viewers can steer and touch.
#pragma once
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "distal/run/control_room.hpp"
#include "distal/run/session.hpp"
#include "distal/view/live_source.hpp"
#include "distal/view/pace.hpp"
#include "distal/view/view_server.hpp"

namespace distal {

struct LiveOptions {
  SessionOptions session;
  const std::atomic<bool>* stop = nullptr;  // set it to end
  std::optional<double> still_at_s;         // goes there as fast as it can, and stands still: for pictures
};

class LiveScene {
 public:
  // `scene` must outlive it. Throws like Session.
  LiveScene(const Scene& scene, const LiveOptions& options);

  // Until it is told to end.
  RunResult run(ViewServer& server);

 private:
  bool stopped() const { return options_.stop && options_.stop->load(std::memory_order_relaxed); }
  double time_s() const { return session_.simulation().state().time_s; }
  bool over();
  void go_to_still();
  void handle_requests();
  void handle(const SteerRequest& request);
  void reset();
  void go_on();
  void advance_period();
  void show(ViewServer& server);

  const Scene& scene_;
  LiveOptions options_;
  Session session_;
  std::optional<ControlRoom> room_;
  LiveSource source_;
  SteeringBox box_;
  Pace pace_{1.0};
  LoopStanding standing_;
  std::optional<LoopStanding> shown_;
  double shown_s_ = -1.0;
  std::vector<SteerRequest> requests_;
  int steps_ = 0;            // single ones asked for
  bool beyond_end_ = false;  // somebody wanted to go on
};

}  // namespace distal
