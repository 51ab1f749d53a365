#include "distal/model/paper2_body.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace distal {
namespace {

// Eqs 7 and 8: what one cell gives to each of its edges.
double edge_stiffness(double volume_m3, double youngs_pa) {
  const double length = std::cbrt(volume_m3 * 12.0 / std::sqrt(2.0));
  return 2.0 * std::sqrt(2.0) / 25.0 * length * youngs_pa;
}

// Springs of one stiffness k along lines that point evenly everywhere have the shear modulus sum k l^2 / (15 V). For a
// regular cell and E = 2.6 G this is eq. 8.
double shear_stiffness(const TetMesh& mesh, std::size_t cell, double volume_m3, double shear_pa) {
  double squares = 0.0;
  for (const auto& [a, b] : cell_edges)
    squares += (mesh.vertices[static_cast<std::size_t>(mesh.cells[cell][static_cast<std::size_t>(a)])] -
                mesh.vertices[static_cast<std::size_t>(mesh.cells[cell][static_cast<std::size_t>(b)])])
                   .squaredNorm();
  return 15.0 * shear_pa * volume_m3 / squares;
}

// Eq. 9, mended or as printed.
double edge_damping(const Paper2Description& d, double stiffness, double mass_i, double mass_j, double length) {
  if (d.edge_damping_as_printed) return d.edge_damping_ratio * 2.0 * std::sqrt(stiffness * (mass_i + mass_j)) / length;
  return d.edge_damping_ratio * 2.0 * std::sqrt(stiffness * mass_i * mass_j / (mass_i + mass_j));
}

// Mean size of the volume's gradient by a corner: a third of the facet opposite.
double mean_gradient(const TetMesh& mesh, std::size_t cell) {
  double sum = 0.0;
  for (std::size_t a = 0; a < 4; ++a) {
    const auto at = [&](std::size_t b) -> const Vec3& {
      return mesh.vertices[static_cast<std::size_t>(mesh.cells[cell][(a + b) % 4])];
    };
    sum += (at(2) - at(1)).cross(at(3) - at(1)).norm() / 6.0;
  }
  return 0.25 * sum;
}

// The same energy as its cells in a change of volume that is the same everywhere.
double vertex_stiffness(const VolumeCells& volumes, const std::vector<std::array<std::int32_t, 2>>& cells) {
  double energy = 0.0, volume = 0.0;
  for (const auto& [cell, corner] : cells) {
    const auto c = static_cast<std::size_t>(cell);
    energy += 0.25 * volumes.stiffness_n_m5[c] * volumes.rest_m3[c] * volumes.rest_m3[c];
    volume += 0.25 * volumes.rest_m3[c];
  }
  return energy / (volume * volume);
}

}  // namespace

void add_paper2_springs(TetBody& body) {
  const TetMesh& mesh = body.mesh;
  const Paper2Description& d = body.paper2;
  std::vector<std::map<std::int32_t, double>> stiffness(mesh.vertices.size());
  std::vector<std::vector<std::array<std::int32_t, 2>>> cells_of(mesh.vertices.size());
  for (std::size_t c = 0; c < mesh.cells.size(); ++c) {
    const double volume = cell_volume(mesh, c);
    const double share = d.edge_stiffness == EdgeStiffness::lloyd
                             ? edge_stiffness(volume, body.moduli.youngs_pa)
                             : shear_stiffness(mesh, c, volume, body.moduli.shear_pa);
    for (std::size_t a = 0; a < 4; ++a) {
      const std::int32_t i = mesh.cells[c][a];
      cells_of[static_cast<std::size_t>(i)].push_back({static_cast<std::int32_t>(c), static_cast<std::int32_t>(a)});
      for (std::size_t b = 0; b < 4; ++b)
        if (a != b) stiffness[static_cast<std::size_t>(i)][mesh.cells[c][b]] += share;
    }
    body.volumes.rest_m3.push_back(volume);
    body.volumes.stiffness_n_m5.push_back(
        d.volume == TetVolume::material ? std::max(0.0, body.moduli.lame_lambda_pa - body.moduli.shear_pa) / volume
                                        : d.volume_stiffness_n_m3 / mean_gradient(mesh, c));
  }
  body.edges.begin.push_back(0);
  body.volumes.begin.push_back(0);
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    for (const auto& [j, k] : stiffness[i]) {
      const double length = (mesh.vertices[static_cast<std::size_t>(j)] - mesh.vertices[i]).norm();
      body.edges.neighbour.push_back(j);
      body.edges.stiffness.push_back(k);
      body.edges.rest_length.push_back(length);
      body.edges.damping.push_back(edge_damping(d, k, body.mass[i], body.mass[static_cast<std::size_t>(j)], length));
    }
    body.edges.begin.push_back(static_cast<std::int32_t>(body.edges.neighbour.size()));
    for (const auto& [cell, corner] : cells_of[i]) {
      body.volumes.cell.push_back(cell);
      body.volumes.corner.push_back(corner);
    }
    body.volumes.begin.push_back(static_cast<std::int32_t>(body.volumes.cell.size()));
    if (d.volume == TetVolume::vertex)
      body.volumes.vertex_stiffness_n_m5.push_back(vertex_stiffness(body.volumes, cells_of[i]));
  }
}

}  // namespace distal
