// What every manifold must hold.
#pragma once
#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "distal/geometry/manifold.hpp"

namespace distal {

inline std::vector<Manifold> manifolds(const Shape& a, const Pose& pa, const Shape& b, const Pose& pb, double margin) {
  std::vector<Manifold> found;
  find_manifolds(a, pa, b, pb, margin, found);
  return found;
}

inline double deepest(const Manifold& m) {
  double least = 1e300;
  for (int i = 0; i < m.count; ++i) least = std::min(least, m.points[static_cast<std::size_t>(i)].separation_m);
  return least;
}

class RandomPoses {
 public:
  explicit RandomPoses(unsigned seed) : engine_(seed) {}
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  Vec3 vector() { return {between(-1.0, 1.0), between(-1.0, 1.0), between(-1.0, 1.0)}; }
  Quat turn() {
    std::normal_distribution<double> normal;
    return Quat(normal(engine_), normal(engine_), normal(engine_), normal(engine_)).normalized();
  }
  // One of the 24 turns that map a cube onto itself.
  Quat right_turn() {
    const auto quarter = [&](const Vec3& axis) {
      return Quat(Eigen::AngleAxisd(0.5 * std::numbers::pi * std::floor(between(0.0, 4.0)), axis));
    };
    return quarter(Vec3::UnitX()) * quarter(Vec3::UnitY()) * quarter(Vec3::UnitZ());
  }
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(engine_); }

 private:
  std::mt19937 engine_;
};

inline void expect_sound(const Manifold& m, double margin) {
  ASSERT_NEAR(m.normal.norm(), 1.0, 1e-12);
  ASSERT_GE(m.count, 1);
  ASSERT_LE(m.count, 4);
  for (int i = 0; i < m.count; ++i) {
    const ManifoldPoint& p = m.points[static_cast<std::size_t>(i)];
    ASSERT_TRUE(p.point_m.allFinite());
    ASSERT_LT(p.separation_m, margin);
    for (int k = 0; k < i; ++k) ASSERT_NE(p.feature, m.points[static_cast<std::size_t>(k)].feature);
  }
}

}  // namespace distal
