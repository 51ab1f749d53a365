// Between the particles of a soft body and the first of its coarse grids, along the body's axes on the grid and the
// world's at the particles: hat functions of the grid at the particles. Lattices go through a grid of half the spacing
// by whole rows; vertices of tetrahedra are sorted by the cell that they are in. The same bits for any number of
// threads.
#pragma once
#include "distal/core/parallel.hpp"
#include "distal/integrator/coarse_level.hpp"
#include "distal/integrator/transfer_kernels.hpp"
#include "distal/model/model.hpp"

namespace distal {

class CoarseTransfer {
 public:
  explicit CoarseTransfer(const SoftBody& body, int threads);

  CoarseLevel make_first() const;  // not filled yet
  Vec3 place_of(const Vec3& rest_m) const { return (rest_m - origin_m_) / spacing_m_; }
  double spacing_m() const { return spacing_m_; }

  // r of the grid: what lies under its hats. Arrays run over all particles of the model; `axes` are the body's.
  void gather(ThreadTeam& team, const solve::Array& r, const Mat3& axes, CoarseLevel& first);
  // z += factor times x of the grid, where there is a mass.
  void hand_out(ThreadTeam& team, const CoarseLevel& first, const Mat3& axes, double factor, const float* mass,
                solve::Array& z);

 private:
  using Vector = CoarseLevel::Vector;
  using Axes = Eigen::Array<float, 4, 3>;
  struct Size {
    int nx = 0, ny = 0, nz = 0;
    std::size_t row(int j, int k) const {
      return (static_cast<std::size_t>(k) * static_cast<std::size_t>(ny) + static_cast<std::size_t>(j)) *
             static_cast<std::size_t>(nx);
    }
  };
  struct Cell {
    std::size_t node, begin, end;  // lowest node, vertices
  };
  void sort_vertices();
  CellVertices vertices_in(const Cell& cell) const;
  static void interpolate_plane(int k, const solve::Array& from, const Size& coarse, const Size& to, const float* mass,
                                solve::Array& out, std::size_t begin);
  void gather_lattice(ThreadTeam& team, const solve::Array& r, const Axes& to_body, CoarseLevel& first);
  void gather_vertices(ThreadTeam& team, const solve::Array& r, const Axes& to_body, CoarseLevel& first);
  void hand_out_lattice(ThreadTeam& team, const CoarseLevel& first, const Axes& to_world, const float* mass,
                        solve::Array& z);
  void hand_out_vertices(ThreadTeam& team, const CoarseLevel& first, const Axes& to_world, const float* mass,
                         solve::Array& z);

  const SoftBody& body_;
  double spacing_m_ = 0.0;
  Vec3 origin_m_ = Vec3::Zero();
  Size size_;
  // Lattices
  Size lattice_, half_size_;
  solve::Array half_, first_x_;
  std::vector<AlignedVector<float>> scratch_;  // per thread: four rows
  // Tetrahedra
  std::vector<Cell> cells_;
  std::vector<std::int32_t> vertices_;       // particles, by cell
  std::array<std::vector<float>, 3> place_;  // of vertices in their cell, 0 to 1
  std::vector<std::int32_t> cell_at_;        // per node, the cell above it, or -1
  std::vector<Vector> corner_sums_;          // eight per cell
};

}  // namespace distal
