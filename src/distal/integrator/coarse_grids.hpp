// Coarse grids over a lattice, for the preconditioner of implicit steps: level l has a node at every 2^l-th of the
// lattice along each axis, and a hat function phi around it. What the block of every particle does for motions of the
// size of a cell, the block of every hat does for longer ones (Bramble, Pasciak, Xu 1990):
//   z = P r + sum_l sum_c phi_c D_c^-1 (phi_c . r),   D_c = phi_c . (M + s K + d C) phi_c
// so that iterations stop growing with the number of cells. D is taken at rest, where inside the body it is a number
// times the identity, with the ligaments' and contacts' springs added. The same bits for any number of threads.
#pragma once
#include "distal/force/lattice_tangent.hpp"
#include "distal/integrator/solve_kernels.hpp"
#include "distal/state/workspace.hpp"

namespace distal {

class CoarseGrids {
 public:
  CoarseGrids(const Model& model, const SoftBody& body);

  // The blocks without contacts, for a step; levels that mass alone decides are left out.
  void weigh(const TangentWeights& weights, double drag);
  // Then, at every linearisation: what holds points of the skin, one by one, and the inverse.
  void clear_contacts();
  void add_contact(std::int32_t node, const std::array<float, kCorners>& weight, const Eigen::Matrix3f& stiffness);
  void invert();
  // Adds the coarse part of P r to z, and returns its part of r.z. Both arrays run over all particles of the model.
  double correct(ThreadTeam& team, const float* mass, const solve::Array& r, solve::Array& z);

  int levels() const { return used_; }

 private:
  struct Size {
    int nx, ny, nz;
    std::size_t row(int j, int k) const {
      return (static_cast<std::size_t>(k) * static_cast<std::size_t>(ny) + static_cast<std::size_t>(j)) *
             static_cast<std::size_t>(nx);
    }
    std::size_t count() const { return row(0, nz); }
  };
  struct Level {
    Size size;
    int width;                                                // in cells of the lattice
    AlignedVector<float> mass, gradient, stiffness, damping;  // of phi: m phi^2, V |grad phi|^2, ligaments' k, c phi^2
    AlignedVector<float> block;                               // of phi without contacts; 0: not used
    solve::Array straight, mixed;                             // inverse blocks
    solve::Array r, z;
    std::vector<double> plane_rz;
  };
  // Calls visit(coarse node, phi) for the hats of a level that reach a place, given in cells from the first node.
  template <typename Visit>
  static void for_hats(const Level& level, const std::array<double, 3>& place, const Visit& visit);
  template <typename Work>
  void for_planes(ThreadTeam& team, const Size& size, const Work& work);
  void add_cells(Level& level) const;
  void add_masses(const Model& model, Level& level) const;
  void add_ligaments(Level& level) const;
  std::array<double, 3> place_of(std::int32_t node) const;

  const SoftBody& body_;
  std::vector<Level> levels_;
  std::size_t used_levels() const { return static_cast<std::size_t>(used_); }
  int used_ = 0;
  std::vector<AlignedVector<float>> scratch_;  // per thread: a row
};

}  // namespace distal
