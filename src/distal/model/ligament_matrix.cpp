#include "distal/model/ligament_matrix.hpp"

#include <map>

namespace distal {

LigamentMatrix make_ligament_matrix(const Lattice& lattice, const EmbeddedPoints& points,
                                    const std::vector<double>& stiffness_n_m,
                                    const std::vector<double>& damping_n_s_m) {
  struct Entry {
    double stiffness = 0.0, damping = 0.0;
  };
  std::map<std::int32_t, std::map<std::int32_t, Entry>> rows;
  for (std::size_t l = 0; l < points.size(); ++l)
    for (int a = 0; a < kCorners; ++a) {
      const double wa = points.weight[l][static_cast<std::size_t>(a)];
      if (wa == 0.0) continue;
      auto& row = rows[points.node[l] + lattice.grid.corner_offset(a)];
      for (int b = 0; b < kCorners; ++b) {
        const double product = wa * points.weight[l][static_cast<std::size_t>(b)];
        if (product == 0.0) continue;
        Entry& entry = row[points.node[l] + lattice.grid.corner_offset(b)];
        entry.stiffness += product * stiffness_n_m[l];
        entry.damping += product * damping_n_s_m[l];
      }
    }
  LigamentMatrix matrix;
  matrix.plane_begin.assign(static_cast<std::size_t>(lattice.grid.nz) + 1, 0);
  std::map<std::int32_t, std::int32_t> row_of;
  for (const auto& [node, row] : rows) row_of.emplace(node, static_cast<std::int32_t>(row_of.size()));
  for (const auto& [node, row] : rows) {
    matrix.node.push_back(node);
    matrix.rest_m.push_back(lattice.grid.rest_position(node));
    matrix.begin.push_back(static_cast<std::int32_t>(matrix.column.size()));
    for (const auto& [column, entry] : row) {
      matrix.column.push_back(row_of.at(column));
      matrix.stiffness.push_back(static_cast<float>(entry.stiffness));
      matrix.damping.push_back(static_cast<float>(entry.damping));
    }
    for (auto k = static_cast<std::size_t>(node / lattice.grid.plane_size()) + 1; k < matrix.plane_begin.size(); ++k)
      ++matrix.plane_begin[k];
  }
  matrix.begin.push_back(static_cast<std::int32_t>(matrix.column.size()));
  return matrix;
}

}  // namespace distal
