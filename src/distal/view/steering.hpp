// Requests of viewers on their way to the loop that runs the scene.
#pragma once
#include <atomic>
#include <mutex>
#include <vector>

#include "distal/view/page_message.hpp"

namespace distal {

class SteeringBox {
 public:
  // False when the loop has not looked for too long and the request is lost.
  bool put(const SteerRequest& request);

  // Moves all requests to `requests`, which is emptied first. Never waits: what cannot be had now comes next time.
  void take(std::vector<SteerRequest>& requests);

 private:
  static constexpr std::size_t kMost = 64;
  std::mutex mutex_;
  std::atomic<bool> any_{false};
  std::vector<SteerRequest> waiting_;
};

}  // namespace distal
