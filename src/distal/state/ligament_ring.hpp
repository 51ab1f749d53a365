// Scratch memory for products with the ligament matrix.
#pragma once
#include <array>

#include "distal/model/ligament_matrix.hpp"

namespace distal {

// Three components over the planes below, at and above another: each LigamentMatrix::plane_length() numbers, the
// components one after the other.
template <typename T>
using LigamentLayers = std::array<T*, 3>;

// Memory for three planes, one after the other: what was found for a plane serves its neighbours too.
template <typename T>
class LigamentRing {
 public:
  void resize(const LigamentMatrix& matrix) {
    length_ = matrix.plane_length();
    numbers_.assign(9 * length_, T(0));
  }
  T* plane(int k) { return numbers_.data() + static_cast<std::size_t>((k + 3) % 3) * 3 * length_; }
  LigamentLayers<T> around(int k) { return {plane(k - 1), plane(k), plane(k + 1)}; }

 private:
  std::size_t length_ = 0;
  AlignedVector<T> numbers_;
};

}  // namespace distal
