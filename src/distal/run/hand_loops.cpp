#include "distal/run/hand_loops.hpp"

namespace distal {

HandLoops::HandLoops(std::span<HandPort* const> ports, std::span<const std::unique_ptr<SkinTouch>> touches,
                     double start_s)
    : ports_(ports.begin(), ports.end()), start_s_(start_s) {
  for (HandPort* port : ports_) {
    force_links_.push_back(std::make_unique<ForceLink>());
    port->set_link(force_links_.back().get());
  }
  for (const auto& touch : touches) {
    touches_.push_back(touch.get());
    touch_links_.push_back(std::make_unique<TouchLink>());
    touch->set_link(touch_links_.back().get());
  }
  force_.emplace("force", kForcePeriod_s, kForcePriority,
                 [this](double now_s, double since_last_s) { advance_hands(now_s, since_last_s); });
  if (!touches_.empty())
    touch_.emplace("touch", kForcePeriod_s, kTouchPriority, [this](double, double) {
      for (SkinTouch* touch : touches_) touch->serve_link();
    });
}

HandLoops::~HandLoops() { stop(); }

void HandLoops::advance_hands(double now_s, double since_last_s) {
  for (std::size_t p = 0; p < ports_.size(); ++p) {
    ForceLink& link = *force_links_[p];
    link.to_hand.take();
    if (link.to_hand.front().number == 0) continue;  // the simulation has not begun
    link.to_simulation.back() = ports_[p]->side().advance(start_s_ + now_s, since_last_s, link.to_hand.front());
    link.to_simulation.publish();
  }
}

std::vector<LoopReport> HandLoops::stop() {
  std::vector<LoopReport> reports;
  if (touch_) reports.push_back(touch_->stop());
  reports.push_back(force_->stop());
  for (SkinTouch* touch : touches_) touch->set_link(nullptr);
  for (HandPort* port : ports_) port->set_link(nullptr);
  return reports;
}

}  // namespace distal
