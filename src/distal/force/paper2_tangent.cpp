#include "distal/force/paper2_tangent.hpp"

#include <algorithm>

#include "distal/force/paper2_force.hpp"

namespace distal {

Paper2Tangent::Paper2Tangent(const SoftBody& body)
    : body_(body),
      first_particle_(static_cast<std::size_t>(body.first_particle)),
      vertices_(body.tet->mesh.vertices.size()),
      blocks_(vertices_ + body.tet->edges.neighbour.size(), Eigen::Matrix3f::Zero()) {}

Eigen::Matrix3f& Paper2Tangent::block(std::size_t i, std::int32_t j) {
  const SpringNetwork& edges = body_.tet->edges;
  const auto begin = edges.neighbour.begin() + edges.begin[i], end = edges.neighbour.begin() + edges.begin[i + 1];
  const std::size_t row = static_cast<std::size_t>(edges.begin[i]) + i;
  if (j == static_cast<std::int32_t>(i)) return blocks_[row];
  return blocks_[row + 1 + static_cast<std::size_t>(std::lower_bound(begin, end, j) - begin)];
}

void Paper2Tangent::add_edges(std::size_t i, const BasicVec3Array<float>& x, const TangentWeights& weights,
                              const SpringsNow& now) {
  const SpringNetwork& edges = body_.tet->edges;
  const std::size_t row = static_cast<std::size_t>(edges.begin[i]) + i;
  for (auto e = static_cast<std::size_t>(edges.begin[i]); e < static_cast<std::size_t>(edges.begin[i + 1]); ++e) {
    const Vec3 d = x.get(first_particle_ + static_cast<std::size_t>(edges.neighbour[e])) - x.get(first_particle_ + i);
    const double length = d.norm();
    const Mat3 along = d * d.transpose() / (length * length);
    // A compressed spring gives way sideways: left out where the tangent must not be indefinite.
    const double rest = now.rest_m == nullptr
                            ? edges.rest_length[e]
                            : now.rest_m[static_cast<std::size_t>(body_.tet->strand.slot_of_entry[e])];
    EdgePull pull{edges.stiffness[e] * (length - rest), edges.stiffness[e], 0.0};
    if (body_.tet->model == TetModel::paper2) pull = edge_pull(*body_.tet, e, length);
    double across = pull.force_n / length;
    if (weights.convex) across = std::max(across, 0.0);
    const double share =
        now.node_factor == nullptr
            ? 1.0
            : 0.5 * (now.node_factor[i] + now.node_factor[static_cast<std::size_t>(edges.neighbour[e])]);
    const Mat3 k = share * weights.stiffness * (pull.slope_n_m * along + across * (Mat3::Identity() - along)) +
                   share * weights.damping * edges.damping[e] * along;
    blocks_[row] += k.cast<float>();
    blocks_[row + 1 + e - static_cast<std::size_t>(edges.begin[i])] -= k.cast<float>();
  }
}

void Paper2Tangent::add_cells(std::size_t i, const BasicVec3Array<float>& x, double stiffness) {
  const TetBody& tet = *body_.tet;
  for (auto e = static_cast<std::size_t>(tet.volumes.begin[i]); e < static_cast<std::size_t>(tet.volumes.begin[i + 1]);
       ++e) {
    const auto c = static_cast<std::size_t>(tet.volumes.cell[e]);
    std::array<Vec3, 4> corners;
    for (std::size_t a = 0; a < 4; ++a)
      corners[a] = x.get(first_particle_ + static_cast<std::size_t>(tet.mesh.cells[c][a]));
    const std::array<Vec3, 4> g = volume_gradient(corners);
    const Vec3 own = stiffness * tet.volumes.stiffness_n_m5[c] * g[static_cast<std::size_t>(tet.volumes.corner[e])];
    for (std::size_t a = 0; a < 4; ++a) block(i, tet.mesh.cells[c][a]) += (own * g[a].transpose()).cast<float>();
  }
}

void Paper2Tangent::linearise(int first, int last, const BasicVec3Array<float>& x, const TangentWeights& weights,
                              const SpringsNow& now) {
  const std::vector<std::int32_t>& begin = body_.tet->edges.begin;
  for (auto i = static_cast<std::size_t>(first) * kTetChunk;
       i < std::min(static_cast<std::size_t>(last) * kTetChunk, vertices_); ++i) {
    std::fill(blocks_.begin() + begin[i] + static_cast<std::ptrdiff_t>(i),
              blocks_.begin() + begin[i + 1] + static_cast<std::ptrdiff_t>(i) + 1, Eigen::Matrix3f::Zero());
    add_edges(i, x, weights, now);
    if (body_.tet->model == TetModel::paper2)
      add_cells(i, x, weights.stiffness);
    else
      blocks_[static_cast<std::size_t>(begin[i]) + i].diagonal().array() +=
          static_cast<float>(weights.damping * body_.tet->paper4.velocity_damping_n_s_m);
  }
}

void Paper2Tangent::find_diagonal(int first, int last, BasicVec3Array<float>& straight,
                                  BasicVec3Array<float>& mixed) const {
  for (auto i = static_cast<std::size_t>(first) * kTetChunk;
       i < std::min(static_cast<std::size_t>(last) * kTetChunk, vertices_); ++i) {
    const Eigen::Matrix3f& own = blocks_[static_cast<std::size_t>(body_.tet->edges.begin[i]) + i];
    const std::size_t p = first_particle_ + i;
    for (std::size_t c = 0; c < 3; ++c)
      straight.component[c][p] = own(static_cast<Eigen::Index>(c), static_cast<Eigen::Index>(c));
    mixed.component[0][p] = own(0, 1), mixed.component[1][p] = own(0, 2), mixed.component[2][p] = own(1, 2);
  }
}

void Paper2Tangent::multiply(int first, int last, const BasicVec3Array<float>& p, BasicVec3Array<float>& out) const {
  const SpringNetwork& edges = body_.tet->edges;
  const auto at = [&](std::size_t n) {
    return Eigen::Vector3f(p.component[0][first_particle_ + n], p.component[1][first_particle_ + n],
                           p.component[2][first_particle_ + n]);
  };
  for (auto i = static_cast<std::size_t>(first) * kTetChunk;
       i < std::min(static_cast<std::size_t>(last) * kTetChunk, vertices_); ++i) {
    const Eigen::Matrix3f* row = blocks_.data() + static_cast<std::size_t>(edges.begin[i]) + i;
    Eigen::Vector3f sum = row[0] * at(i);
    for (auto e = static_cast<std::size_t>(edges.begin[i]); e < static_cast<std::size_t>(edges.begin[i + 1]); ++e)
      sum += row[1 + e - static_cast<std::size_t>(edges.begin[i])] * at(static_cast<std::size_t>(edges.neighbour[e]));
    for (int c = 0; c < 3; ++c) out.data(c)[first_particle_ + i] = -sum[c];
  }
}

}  // namespace distal
