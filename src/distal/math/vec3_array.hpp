// Many vectors, stored by component (structure of arrays), aligned and padded for the vector kernels.
#pragma once
#include <algorithm>
#include <array>

#include "distal/core/aligned.hpp"
#include "distal/math/spatial.hpp"

namespace distal {

template <typename T>
struct BasicVec3Array {
  std::array<AlignedVector<T>, 3> component;

  void resize(std::size_t n) {
    size_ = n;
    for (auto& c : component) c.assign(n + kPadding, T(0));
  }
  std::size_t size() const { return size_; }
  T* data(int axis) { return component[static_cast<std::size_t>(axis)].data(); }
  const T* data(int axis) const { return component[static_cast<std::size_t>(axis)].data(); }
  Vec3 get(std::size_t i) const {
    return {static_cast<double>(component[0][i]), static_cast<double>(component[1][i]),
            static_cast<double>(component[2][i])};
  }
  void set(std::size_t i, const Vec3& v) {
    for (std::size_t a = 0; a < 3; ++a) component[a][i] = static_cast<T>(v[static_cast<Eigen::Index>(a)]);
  }
  void add(std::size_t i, const Vec3& v) {
    for (std::size_t a = 0; a < 3; ++a) component[a][i] += static_cast<T>(v[static_cast<Eigen::Index>(a)]);
  }
  void fill(T value) {
    for (auto& c : component) std::fill(c.begin(), c.end(), value);
  }

 private:
  std::size_t size_ = 0;
};

using Vec3Array = BasicVec3Array<double>;

}  // namespace distal
