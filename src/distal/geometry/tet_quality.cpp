#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "distal/geometry/tet_mesh.hpp"

namespace distal {
namespace {

// Of the angles between two facets: pi minus that between their outward normals [rad].
std::array<double, 6> dihedral_angles(const TetMesh& mesh, std::size_t cell) {
  std::array<Vec3, 4> normal;
  for (std::size_t k = 0; k < 4; ++k) {
    const auto corner = [&](int i) { return mesh.vertices[mesh.cells[cell][cell_facets[k][i]]]; };
    normal[k] = (corner(1) - corner(0)).cross(corner(2) - corner(0));
  }
  std::array<double, 6> angles{};
  for (std::size_t e = 0; e < 6; ++e) {
    const Vec3& n = normal[cell_edges[e][0]];
    const Vec3& m = normal[cell_edges[e][1]];
    angles[e] = std::atan2(n.cross(m).norm(), -n.dot(m));
  }
  return angles;
}

void measure_angles_and_volumes(const TetMesh& mesh, TetQuality& quality) {
  double smallest = std::numbers::pi;
  double largest = 0.0;
  quality.smallest_volume_m3 = std::numeric_limits<double>::infinity();
  quality.largest_volume_m3 = -std::numeric_limits<double>::infinity();
  for (std::size_t cell = 0; cell < mesh.cells.size(); ++cell) {
    for (const double angle : dihedral_angles(mesh, cell)) {
      smallest = std::min(smallest, angle);
      largest = std::max(largest, angle);
    }
    const double volume = cell_volume(mesh, cell);
    quality.smallest_volume_m3 = std::min(quality.smallest_volume_m3, volume);
    quality.largest_volume_m3 = std::max(quality.largest_volume_m3, volume);
    quality.total_volume_m3 += volume;
  }
  quality.smallest_angle_deg = smallest * 180.0 / std::numbers::pi;
  quality.largest_angle_deg = largest * 180.0 / std::numbers::pi;
}

// Every edge counts once, however many cells share it.
void measure_edges(const TetMesh& mesh, TetQuality& quality) {
  std::vector<std::pair<std::int32_t, std::int32_t>> edges;
  edges.reserve(6 * mesh.cells.size());
  for (const auto& cell : mesh.cells) {
    for (const auto& [a, b] : cell_edges) edges.push_back(std::minmax(cell[a], cell[b]));
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  quality.shortest_edge_m = std::numeric_limits<double>::infinity();
  double sum = 0.0;
  for (const auto& [a, b] : edges) {
    const double length = (mesh.vertices[a] - mesh.vertices[b]).norm();
    quality.shortest_edge_m = std::min(quality.shortest_edge_m, length);
    quality.longest_edge_m = std::max(quality.longest_edge_m, length);
    sum += length;
  }
  quality.mean_edge_m = sum / static_cast<double>(edges.size());
}

}  // namespace

TetQuality measure_quality(const TetMesh& mesh) {
  TetQuality quality{};
  quality.vertices = mesh.vertices.size();
  quality.cells = mesh.cells.size();
  if (mesh.cells.empty()) return quality;
  measure_angles_and_volumes(mesh, quality);
  measure_edges(mesh, quality);
  return quality;
}

}  // namespace distal
