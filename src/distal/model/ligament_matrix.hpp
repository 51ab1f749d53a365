// All ligaments of a finger at once, as forces between nodes. A ligament l holds the point sum_i w_li x_i at its place
// on the rod, which the same weights give from the rod-carried rest shape X: with u = x - X(rod) its pull is
// k_l sum_i w_li u_i, and nodes feel minus L u, L_ij = sum_l k_l w_li w_lj. Rows are sorted by node.
#pragma once
#include "distal/model/lattice.hpp"

namespace distal {

struct LigamentMatrix {
  std::vector<std::int32_t> node;         // of each row, in the body
  std::vector<Vec3> rest_m;               // its place at rest
  std::vector<std::int32_t> begin;        // first entry of each row, and the end
  std::vector<std::int32_t> column;       // row of the other node
  std::vector<float> stiffness, damping;  // of each entry [N/m], [N s/m]
  std::vector<std::int32_t> plane_begin;  // first row of each plane of nodes, and the end
};

LigamentMatrix make_ligament_matrix(const Lattice& lattice, const EmbeddedPoints& points,
                                    const std::vector<double>& stiffness_n_m, const std::vector<double>& damping_n_s_m);

}  // namespace distal
