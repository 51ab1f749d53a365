// A recorded run that viewers play and search.
#pragma once
#include <atomic>
#include <mutex>
#include <vector>

#include "distal/view/pace.hpp"
#include "distal/view/recorded_run.hpp"
#include "distal/view/view_server.hpp"

namespace distal {

class RecordedScene : public MomentSource {
 public:
  // Both must outlive it. Set `stop` to end.
  RecordedScene(const RecordedRun& run, const std::atomic<bool>* stop);

  // Until it is told to end.
  void serve(ViewServer& server);

  bool update() override;
  void develop(RoleSet roles, ViewMoment& moment) override;

 private:
  bool stopped() const { return stop_ && stop_->load(std::memory_order_relaxed); }
  void handle(const SteerRequest& request);
  void go_to(std::size_t frame);
  ViewMoment load() const;
  void show(ViewServer& server);

  const RecordedRun& run_;
  const std::atomic<bool>* stop_;
  SteeringBox box_;
  Pace pace_{1.0};
  std::size_t frame_;
  bool playing_ = false, changed_ = true;
  std::mutex mutex_;  // of what the server's thread takes
  ViewMoment newest_, front_;
  bool fresh_ = false;
};

}  // namespace distal
