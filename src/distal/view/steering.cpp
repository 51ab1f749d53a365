#include "distal/view/steering.hpp"

namespace distal {
namespace {

// Of these only the newest counts.
bool replaces(const SteerRequest& later, const SteerRequest& earlier) {
  return later.kind == earlier.kind && later.body == earlier.body && later.kind != SteerKind::step &&
         later.kind != SteerKind::grab && later.kind != SteerKind::give_back;
}

}  // namespace

bool SteeringBox::put(const SteerRequest& request) {
  const std::lock_guard lock(mutex_);
  if (!waiting_.empty() && replaces(request, waiting_.back()))
    waiting_.back() = request;
  else if (waiting_.size() < kMost)
    waiting_.push_back(request);
  else
    return false;
  any_.store(true, std::memory_order_release);
  return true;
}

void SteeringBox::take(std::vector<SteerRequest>& requests) {
  requests.clear();
  if (!any_.load(std::memory_order_acquire)) return;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return;
  requests.swap(waiting_);
  any_.store(false, std::memory_order_relaxed);
}

}  // namespace distal
