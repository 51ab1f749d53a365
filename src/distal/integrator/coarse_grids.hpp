// Coarse grids over a soft body, lattice or tetrahedra, for the preconditioner of implicit steps: the first has cells
// of four times the body's spacing, each next one of twice the last's. What the block of every
// particle does for motions of the size of a cell, they do for longer ones:
//   z = P r + 2 H B H^T r,
// where H are the hat functions of the first grid at the particles and B is a multigrid cycle over all of them, so that
// iterations do not grow with the number of cells. Hats rest in the body's own axes, which turn with it. Symmetric and
// positive; the same bits for any number of threads.
#pragma once
#include "distal/force/lattice_tangent.hpp"
#include "distal/integrator/coarse_transfer.hpp"
#include "distal/state/workspace.hpp"

namespace distal {

class CoarseGrids {
 public:
  CoarseGrids(const Model& model, const SoftBody& body);

  // For a step; levels that mass alone decides are left out.
  void weigh(const TangentWeights& weights, double drag);
  // Then, at every linearisation: where the body is, what holds points of its skin (at rest, in the body's frame), one
  // by one, and the end of it.
  void place(const State& at);
  void add_contact(const Vec3& rest_m, const Eigen::Matrix3f& stiffness);
  void finish();
  // Adds the coarse part of P r to z, and returns its part of r.z. Both arrays run over all particles of the model.
  double correct(ThreadTeam& team, const float* mass, const solve::Array& r, solve::Array& z);

  int levels() const { return static_cast<int>(used_); }

 private:
  void fill_first();
  template <typename Visit>
  void for_springs(const Model& model, const Visit& visit) const;
  void cycle(ThreadTeam& team);

  const SoftBody& body_;
  CoarseTransfer transfer_;
  std::vector<CoarseLevel> levels_;
  std::size_t used_ = 0;
  double density_kg_m3_ = 0.0;
  Mat3 axes_ = Mat3::Identity();  // of the body, in the world
  std::vector<double> plane_rz_;
};

}  // namespace distal
