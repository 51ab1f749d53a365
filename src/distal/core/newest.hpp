// One writer hands its newest value to one reader; neither waits for the other, and nothing is copied.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>

namespace distal {

template <typename T>
class Newest {
 public:
  // The writer's: fill it, then hand it over. It holds an old value, whose memory can be used again.
  T& back() { return values_[back_]; }
  void publish() { back_ = between_.exchange(back_ | kFresh, std::memory_order_acq_rel) & kPlace; }

  // The reader's: the value it took last.
  const T& front() const { return values_[front_]; }
  // Takes the newest; false when there is no newer one.
  bool take() {
    if ((between_.load(std::memory_order_relaxed) & kFresh) == 0) return false;
    front_ = between_.exchange(front_, std::memory_order_acq_rel) & kPlace;
    return true;
  }

 private:
  static constexpr std::size_t kPlace = 3, kFresh = 4;
  std::array<T, 3> values_;
  std::size_t back_ = 0, front_ = 1;
  std::atomic<std::size_t> between_{2};
};

}  // namespace distal
