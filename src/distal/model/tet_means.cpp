#include "distal/model/tet_means.hpp"

namespace distal {
namespace {

using Gradients = std::array<Vec3, 4>;  // of the four shape functions of a cell

Gradients cell_gradients(const TetMesh& mesh, std::size_t cell) {
  const auto at = [&](std::size_t a) -> const Vec3& {
    return mesh.vertices[static_cast<std::size_t>(mesh.cells[cell][a])];
  };
  Mat3 edges;
  edges << at(1) - at(0), at(2) - at(0), at(3) - at(0);
  const Mat3 inverse = edges.inverse();
  Gradients g;
  for (int a = 0; a < 3; ++a) g[static_cast<std::size_t>(a) + 1] = inverse.row(a).transpose();
  g[0] = -(g[1] + g[2] + g[3]);
  return g;
}

void add_cell(const TetMesh& mesh, std::size_t cell, double part, const Gradients& g, TetMean& mean) {
  mean.volume += part;
  for (std::size_t a = 0; a < 4; ++a) mean.sum[mesh.cells[cell][a]] += part * g[a];
}

}  // namespace

EdgeMeans find_edge_means(const TetMesh& mesh) {
  EdgeMeans edges;
  for (std::size_t c = 0; c < mesh.cells.size(); ++c) {
    const Gradients g = cell_gradients(mesh, c);
    const double part = cell_volume(mesh, c) / 6.0;
    const auto& cell = mesh.cells[c];
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = 0; b < a; ++b)
        add_cell(mesh, c, part, g, edges[{std::min(cell[a], cell[b]), std::max(cell[a], cell[b])}]);
  }
  return edges;
}

std::vector<TetMean> find_vertex_means(const TetMesh& mesh) {
  std::vector<TetMean> around(mesh.vertices.size());
  for (std::size_t c = 0; c < mesh.cells.size(); ++c) {
    const Gradients g = cell_gradients(mesh, c);
    const double part = 0.25 * cell_volume(mesh, c);
    for (const std::int32_t n : mesh.cells[c]) add_cell(mesh, c, part, g, around[static_cast<std::size_t>(n)]);
  }
  return around;
}

}  // namespace distal
