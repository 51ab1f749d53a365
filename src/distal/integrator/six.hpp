// Small algebra of rigid bodies: force and torque or velocity and angular velocity as six numbers, and their blocks.
#pragma once
#include <Eigen/Dense>
#include <array>

#include "distal/state/state.hpp"

namespace distal {

using Six = Eigen::Matrix<double, 6, 1>;  // force and torque, or velocity and angular velocity
using Six2 = Eigen::Matrix<double, 6, 6>;

inline Mat3 cross_matrix(const Vec3& a) {
  Mat3 m;
  m << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  return m;
}

// Adds J^T K J' for points at two arms of one body, J = (I, -[arm]). Rows and columns are crossed one by one: a third
// of the work of products of matrices.
inline void add_spring(const Mat3& k, const Vec3& arm, const Vec3& other_arm, Six2& block) {
  Mat3 torque;  // [arm] K
  for (int c = 0; c < 3; ++c) torque.col(c) = arm.cross(k.col(c));
  block.topLeftCorner<3, 3>() += k;
  block.bottomLeftCorner<3, 3>() += torque;
  for (int r = 0; r < 3; ++r) {
    block.block<1, 3>(r, 3) -= k.row(r).cross(other_arm.transpose());
    block.block<1, 3>(3 + r, 3) -= torque.row(r).cross(other_arm.transpose());
  }
}

// A block of forces and torques along other axes.
inline Six2 turned(const Six2& block, const Mat3& rotation) {
  Six2 both = Six2::Zero();
  both.topLeftCorner<3, 3>() = both.bottomRightCorner<3, 3>() = rotation;
  return both * block * both.transpose();
}

inline std::array<std::size_t, kCorners> corner_offsets(const SoftBody& body) {
  std::array<std::size_t, kCorners> offset;
  for (int a = 0; a < kCorners; ++a)
    offset[static_cast<std::size_t>(a)] = static_cast<std::size_t>(body.lattice.grid.corner_offset(a));
  return offset;
}

inline Vec3 middle_of(const SoftBody& body, const State& state) {
  if (body.tet) {
    Vec3 sum = Vec3::Zero();
    const std::size_t vertices = body.tet->mesh.vertices.size();
    for (std::size_t n = 0; n < vertices; ++n) sum += state.x.get(static_cast<std::size_t>(body.first_particle) + n);
    return sum / static_cast<double>(vertices);
  }
  const Grid& grid = body.lattice.grid;
  return state.x.get(static_cast<std::size_t>(body.first_particle + grid.node(grid.nx / 2, grid.ny / 2, grid.nz / 2)));
}

inline Vec3 velocity_at(const Six& motion, const Vec3& arm) { return motion.head<3>() + motion.tail<3>().cross(arm); }

inline void add_force(const Vec3& force, const Vec3& arm, Six& sum) {
  sum.head<3>() += force;
  sum.tail<3>() += arm.cross(force);
}

}  // namespace distal
