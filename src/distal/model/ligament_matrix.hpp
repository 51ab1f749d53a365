// All ligaments of a finger at once, as forces between nodes. A ligament l holds the point sum_i w_li x_i at its place
// on the rod, which the same weights give from the rod-carried rest shape X: with u = x - X(rod) its pull is
// k_l sum_i w_li u_i, and nodes feel minus L u, L_ij = sum_l k_l w_li w_lj.
// The points of a cell tie its corners together, so that a row of L has at most 27 weights, at a node and its
// neighbours. Rows are stored by tiles of nodes side by side along x, for vectors.
#pragma once
#include <array>

#include "distal/model/lattice.hpp"

namespace distal {

inline constexpr int kLigamentLanes = 8;

struct LigamentTile {
  std::int32_t column, row;  // of its first node in the box
  std::int32_t nodes;        // how many there are, at most kLigamentLanes
};

struct LigamentNeighbour {
  std::int8_t x, y, z;    // each -1, 0 or 1
  std::int32_t in_plane;  // where it stands against the node, in arrays over a plane
};

struct LigamentMatrix {
  // The box of nodes that ligaments reach: its first node in the grid and its size.
  std::array<int, 3> first{}, count{};
  int nodes_x = 0, nodes_y = 0;  // of the grid
  double cell_size_m = 0.0;
  Vec3 first_rest_m = Vec3::Zero();          // where its first node rests
  std::vector<LigamentTile> tiles;           // by planes
  std::vector<std::int32_t> plane_begin{0};  // first tile of each plane of the box, and the end
  std::vector<std::int32_t> begin{0};        // first entry of each tile, and the end
  std::vector<LigamentNeighbour> neighbour;  // of each entry
  AlignedVector<float> stiffness, damping;   // kLigamentLanes for each entry [N/m], [N s/m]

  int node(int column, int row, int plane) const {
    return ((first[2] + plane) * nodes_y + first[1] + row) * nodes_x + first[0] + column;
  }
  // Arrays over one plane of the box have a node more on every side, and room for vectors behind each row.
  int stride() const { return count[0] + 2 + kLigamentLanes; }
  int place(int column, int row) const { return (row + 1) * stride() + column + 1; }
  std::size_t plane_length() const { return static_cast<std::size_t>(place(0, count[1] + 1)); }
};

LigamentMatrix make_ligament_matrix(const Lattice& lattice, const EmbeddedPoints& points,
                                    const std::vector<double>& stiffness_n_m, const std::vector<double>& damping_n_s_m);

}  // namespace distal
