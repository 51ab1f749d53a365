// Many vectors, stored by component (structure of arrays), aligned and padded for the vector kernels.
#pragma once
#include <algorithm>
#include <array>

#include "distal/core/aligned.hpp"
#include "distal/math/spatial.hpp"

namespace distal {

struct Vec3Array {
  std::array<AlignedVector<double>, 3> component;

  void resize(std::size_t n) {
    size_ = n;
    for (auto& c : component) c.assign(n + kPadding, 0.0);
  }
  std::size_t size() const { return size_; }
  double* data(int axis) { return component[static_cast<std::size_t>(axis)].data(); }
  const double* data(int axis) const { return component[static_cast<std::size_t>(axis)].data(); }
  Vec3 get(std::size_t i) const { return {component[0][i], component[1][i], component[2][i]}; }
  void set(std::size_t i, const Vec3& v) {
    for (std::size_t a = 0; a < 3; ++a) component[a][i] = v[static_cast<Eigen::Index>(a)];
  }
  void add(std::size_t i, const Vec3& v) {
    for (std::size_t a = 0; a < 3; ++a) component[a][i] += v[static_cast<Eigen::Index>(a)];
  }
  void fill(double value) {
    for (auto& c : component) std::fill(c.begin(), c.end(), value);
  }

 private:
  std::size_t size_ = 0;
};

}  // namespace distal
