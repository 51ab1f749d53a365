// A scene that runs in real time, with its controllers, and that viewers can steer and touch.
#pragma once
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "distal/haptic/devices.hpp"
#include "distal/run/control_room.hpp"
#include "distal/run/session.hpp"
#include "distal/view/hand.hpp"
#include "distal/view/live_source.hpp"
#include "distal/view/pace.hpp"
#include "distal/view/pointer.hpp"
#include "distal/view/view_server.hpp"

namespace distal {

class LiveScene {
 public:
  // A pointer is added to the scene. Throws like Session.
  LiveScene(const Scene& scene, const SessionOptions& options);

  // As fast as it can, and then stands still: for pictures.
  void go_to(double wanted_s, const std::atomic<bool>& stop);
  // Until it is told to end.
  RunResult run(ViewServer& server, const std::atomic<bool>& stop);

  double time_s() const { return session_.simulation().state().time_s; }

 private:
  bool stopped() const { return stop_ && stop_->load(std::memory_order_relaxed); }
  bool over();
  void handle_requests();
  void handle(const SteerRequest& request);
  void reset();
  void go_on();
  void go_on_beyond_end();
  void touch(const SteerRequest& request);
  bool tell_mouse(const SteerRequest& request, bool with_ball, std::size_t body);
  ToldDevice* find_mouse(const std::string& body);
  void advance_period();
  std::span<const BodyCommand> find_commands();
  void show(ViewServer& server);

  std::string pointer_name_;
  Scene scene_;
  const std::atomic<bool>* stop_ = nullptr;
  Session session_;
  std::size_t pointer_index_;  // among commanded bodies
  std::optional<ControlRoom> room_;
  std::vector<std::optional<Hand>> hands_;  // one per commanded body
  std::optional<Pointer> pointer_;
  std::vector<BodyCommand> commands_;
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
