// Products with the ligament matrix, plane by plane of its box, compiled once per instruction set (Highway).
#pragma once
#include <algorithm>
#include <array>

#include "distal/model/ligament_matrix.hpp"
#include "distal/state/workspace.hpp"

namespace distal {

// A vector that is linear over the box, such as where a rod carries its nodes.
struct BoxField {
  Vec3 first;  // at its first node
  Mat3 along;  // by columns: from one node to the next, along x, y and z

  Vec3 row_start(int row, int plane) const { return first + row * along.col(1) + plane * along.col(2); }
};

// Arms of the nodes at rest from the centre of mass of a rod that is turned by `rotation`, and the velocity field of a
// rigid motion on them.
BoxField rest_arms(const LigamentMatrix& matrix, const Vec3& centre_of_mass_m, const Mat3& rotation);
BoxField rigid_velocity(const BoxField& arms, const Vec3& velocity, const Vec3& angular);

// out = in - field on the nodes of a plane of the box; `in` begins with the body's first node, `out` is a layer.
void find_ligament_motion(const LigamentMatrix& matrix, int plane, const std::array<const double*, 3>& in,
                          const BoxField& field, double* out);
void find_ligament_motion(const LigamentMatrix& matrix, int plane, const std::array<const float*, 3>& in,
                          const BoxField& field, float* out);

// force -= K u + C rate on the nodes of a plane, and the opposite wrench on the rod; arms are those at rest.
void pull_ligament_plane(const LigamentMatrix& matrix, int plane, const LigamentLayers<double>& u,
                         const LigamentLayers<double>& rate, const BoxField& arms, const std::array<double*, 3>& force,
                         LigamentSums& sums);
struct LigamentProduct {
  Wrench on_rod;
  double uwu = 0.0;
};
// q += W u, the opposite wrench at the arms at rest, and u.W u; `weight` stands like matrix.stiffness.
LigamentProduct pull_ligament_plane(const LigamentMatrix& matrix, const float* weight, int plane,
                                    const LigamentLayers<float>& u, const BoxField& arms,
                                    const std::array<float*, 3>& q);

// For the planes [first, last) of the body's nodes: calls find(plane) for those of the box and their neighbours, each
// once, and pull(plane) when the neighbours have been found.
template <typename Find, typename Pull>
void for_ligament_planes(const LigamentMatrix& matrix, int first, int last, Find&& find, Pull&& pull) {
  const int begin = std::max(first - matrix.first[2], 0), end = std::min(last - matrix.first[2], matrix.count[2]);
  if (begin >= end) return;
  for (int k = std::max(begin - 1, 0); k <= begin; ++k) find(k);
  for (int k = begin; k < end; ++k) {
    if (k + 1 < matrix.count[2]) find(k + 1);
    pull(k);
  }
}

}  // namespace distal
