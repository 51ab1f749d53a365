#include "distal/model/ligament_matrix.hpp"

#include <algorithm>
#include <map>

namespace distal {
namespace {

struct Entry {
  double stiffness = 0.0, damping = 0.0;
};
using Rows = std::map<std::int32_t, std::map<std::int32_t, Entry>>;  // by node and node

std::array<int, 3> place_of(const Grid& grid, std::int32_t node) {
  return {node % grid.nx, node / grid.nx % grid.ny, node / grid.plane_size()};
}

Rows sum_rows(const Lattice& lattice, const EmbeddedPoints& points, const std::vector<double>& stiffness_n_m,
              const std::vector<double>& damping_n_s_m) {
  Rows rows;
  for (std::size_t l = 0; l < points.size(); ++l) {
    const auto weight = points.weights(l);
    for (int a = 0; a < kCorners; ++a) {
      const double wa = weight[static_cast<std::size_t>(a)];
      if (wa == 0.0) continue;
      auto& row = rows[points.node[l] + lattice.grid.corner_offset(a)];
      for (int b = 0; b < kCorners; ++b) {
        const double product = wa * weight[static_cast<std::size_t>(b)];
        if (product == 0.0) continue;
        Entry& entry = row[points.node[l] + lattice.grid.corner_offset(b)];
        entry.stiffness += product * stiffness_n_m[l];
        entry.damping += product * damping_n_s_m[l];
      }
    }
  }
  return rows;
}

void find_box(const Grid& grid, const Rows& rows, LigamentMatrix& matrix) {
  std::array<int, 3> low{grid.nx, grid.ny, grid.nz}, high{-1, -1, -1};
  for (const auto& [node, row] : rows) {
    const std::array<int, 3> at = place_of(grid, node);
    for (std::size_t c = 0; c < 3; ++c) low[c] = std::min(low[c], at[c]), high[c] = std::max(high[c], at[c]);
  }
  matrix.first = low;
  for (std::size_t c = 0; c < 3; ++c) matrix.count[c] = high[c] - low[c] + 1;
  matrix.nodes_x = grid.nx, matrix.nodes_y = grid.ny;
  matrix.cell_size_m = grid.cell_size_m;
  matrix.first_rest_m = grid.rest_position(matrix.node(0, 0, 0));
}

// The weights of a tile's nodes for one neighbour; none if all are zero.
void add_neighbour(const Grid& grid, const Rows& rows, std::int32_t first_node, int nodes,
                   const LigamentNeighbour& neighbour, LigamentMatrix& matrix) {
  std::array<float, kLigamentLanes> stiffness{}, damping{};
  bool any = false;
  for (int lane = 0; lane < nodes; ++lane) {
    const auto row = rows.find(first_node + lane);
    if (row == rows.end()) continue;
    const auto entry =
        row->second.find(first_node + lane + neighbour.x + neighbour.y * grid.nx + neighbour.z * grid.plane_size());
    if (entry == row->second.end()) continue;
    stiffness[static_cast<std::size_t>(lane)] = static_cast<float>(entry->second.stiffness);
    damping[static_cast<std::size_t>(lane)] = static_cast<float>(entry->second.damping);
    any = true;
  }
  if (!any) return;
  matrix.neighbour.push_back(neighbour);
  matrix.stiffness.insert(matrix.stiffness.end(), stiffness.begin(), stiffness.end());
  matrix.damping.insert(matrix.damping.end(), damping.begin(), damping.end());
}

}  // namespace

LigamentMatrix make_ligament_matrix(const Lattice& lattice, const EmbeddedPoints& points,
                                    const std::vector<double>& stiffness_n_m,
                                    const std::vector<double>& damping_n_s_m) {
  LigamentMatrix matrix;
  const Rows rows = sum_rows(lattice, points, stiffness_n_m, damping_n_s_m);
  if (rows.empty()) return matrix;
  find_box(lattice.grid, rows, matrix);
  for (int plane = 0; plane < matrix.count[2]; ++plane) {
    for (int row = 0; row < matrix.count[1]; ++row)
      for (int column = 0; column < matrix.count[0]; ++column) {
        const std::int32_t node = matrix.node(column, row, plane);
        if (!rows.contains(node)) continue;
        const int nodes = std::min(kLigamentLanes, matrix.count[0] - column);
        matrix.tiles.push_back({column, row, nodes});
        for (int z = -1; z <= 1; ++z)
          for (int y = -1; y <= 1; ++y)
            for (int x = -1; x <= 1; ++x)
              add_neighbour(lattice.grid, rows, node, nodes,
                            {static_cast<std::int8_t>(x), static_cast<std::int8_t>(y), static_cast<std::int8_t>(z),
                             y * matrix.stride() + x},
                            matrix);
        matrix.begin.push_back(static_cast<std::int32_t>(matrix.neighbour.size()));
        column += nodes - 1;
      }
    matrix.plane_begin.push_back(static_cast<std::int32_t>(matrix.tiles.size()));
  }
  return matrix;
}

}  // namespace distal
