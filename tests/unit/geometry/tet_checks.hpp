// What every tetrahedral mesh must satisfy, written independently of the code under test.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "distal/geometry/tet_mesh.hpp"
#include "distal/geometry/triangle_mesh.hpp"

namespace distal::test {

inline TetMesh make_one_tet() { return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}}; }

inline TriangleMesh boundary_surface(const TetMesh& mesh) { return {mesh.vertices, find_boundary(mesh)}; }

// By the determinant, not by the product that the code uses [m^3].
inline double sum_of_volumes(const TetMesh& mesh) {
  double sum = 0.0;
  for (const auto& c : mesh.cells) {
    Mat3 edges;
    for (int k = 0; k < 3; ++k) edges.col(k) = mesh.vertices[c[k + 1]] - mesh.vertices[c[0]];
    sum += edges.determinant() / 6.0;
  }
  return sum;
}

inline double smallest_cell_volume(const TetMesh& mesh) {
  double smallest = 1e300;
  for (std::size_t i = 0; i < mesh.cells.size(); ++i) smallest = std::min(smallest, cell_volume(mesh, i));
  return smallest;
}

// Whether vertices and cells map onto themselves when the given coordinate changes its sign, bit for bit.
inline bool is_mirror_symmetric(const TetMesh& mesh, int axis) {
  std::map<std::array<double, 3>, int> number;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const Vec3& p = mesh.vertices[v];
    number[{p.x(), p.y(), p.z()}] = static_cast<int>(v);
  }
  std::vector<int> image;
  for (Vec3 p : mesh.vertices) {
    p[axis] = -p[axis];
    const auto found = number.find({p.x(), p.y(), p.z()});
    if (found == number.end()) return false;
    image.push_back(found->second);
  }
  std::set<std::array<int, 4>> cells, images;
  for (const auto& c : mesh.cells) {
    std::array<int, 4> cell{c[0], c[1], c[2], c[3]}, mirrored{image[c[0]], image[c[1]], image[c[2]], image[c[3]]};
    std::sort(cell.begin(), cell.end());
    std::sort(mirrored.begin(), mirrored.end());
    cells.insert(cell);
    images.insert(mirrored);
  }
  return cells == images && cells.size() == mesh.cells.size();
}

}  // namespace distal::test
