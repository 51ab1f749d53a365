// An even sample of a stream of unknown length in bounded memory.
#pragma once
#include <cstddef>
#include <utility>
#include <vector>

namespace distal {

// Keeps every stride-th value; when full, drops every second one and doubles the stride. So between half of the
// capacity and all of it are kept, evenly spaced.
template <typename T>
class Thinned {
 public:
  explicit Thinned(std::size_t capacity) : capacity_(capacity) { values_.reserve(capacity); }

  void add(T value) {
    if (seen_++ % stride_ != 0) return;
    if (values_.size() == capacity_) {
      std::size_t kept = 0;
      for (std::size_t i = 0; i < values_.size(); i += 2, ++kept)
        if (kept != i) values_[kept] = std::move(values_[i]);
      values_.resize(kept);
      stride_ *= 2;
      if ((seen_ - 1) % stride_ != 0) return;
    }
    values_.push_back(std::move(value));
  }

  const std::vector<T>& values() const { return values_; }

 private:
  std::size_t capacity_, stride_ = 1, seen_ = 0;
  std::vector<T> values_;
};

}  // namespace distal
