#include <bit>

#include "distal/geometry/tet_shape_checks.hpp"

namespace distal {
namespace {

// Corner c of a brick has the offsets (c & 1, c >> 1 & 1, c >> 2): the four whose offsets, with the brick's own place,
// add up to an even number span the tetrahedron in the middle; each of the other four cuts off a corner.
std::array<std::array<unsigned, 4>, 5> cut_brick(bool odd) {
  std::array<std::array<unsigned, 4>, 5> cut;
  cut[0] = odd ? std::array{1u, 2u, 4u, 7u} : std::array{0u, 5u, 3u, 6u};
  std::size_t count = 1;
  for (unsigned c = 0; c < 8; ++c) {
    const bool corner_odd = std::popcount(c) % 2 == 1;
    if (corner_odd == odd) continue;
    // Three steps along x, y, z are right-handed from a corner with an even number of backward ones.
    cut[count++] = corner_odd ? std::array{c, c ^ 1u, c ^ 4u, c ^ 2u} : std::array{c, c ^ 1u, c ^ 2u, c ^ 4u};
  }
  return cut;
}

// Half of all edges are edges of bricks, the others diagonals of their faces.
constexpr double kMeanEdgeOfBrick = 1.2071;

}  // namespace

TetMesh make_cuboid_mesh(const Vec3& size_m, double edge_m) {
  check_size("size_m[0]", size_m.x());
  check_size("size_m[1]", size_m.y());
  check_size("size_m[2]", size_m.z());
  check_size("edge_m", edge_m);
  Vec3 halves;
  for (int axis = 0; axis < 3; ++axis) halves[axis] = count_parts(size_m[axis], 2.0 * edge_m / kMeanEdgeOfBrick, 1.0);
  check_cell_count(40.0 * halves.prod(), edge_m);
  const Eigen::Vector3i count = 2 * halves.cast<int>();

  TetMesh mesh;
  mesh.vertices.reserve(static_cast<std::size_t>(count.x() + 1) * (count.y() + 1) * (count.z() + 1));
  const auto coordinate = [&](int axis, int i) {
    // A whole number first, so that mirror images agree in every bit.
    return size_m[axis] * (2 * i - count[axis]) / (2.0 * count[axis]);
  };
  for (int k = 0; k <= count.z(); ++k) {
    for (int j = 0; j <= count.y(); ++j) {
      for (int i = 0; i <= count.x(); ++i) {
        mesh.vertices.emplace_back(coordinate(0, i), coordinate(1, j), coordinate(2, k));
      }
    }
  }

  const auto index = [&](int i, int j, int k) { return (k * (count.y() + 1) + j) * (count.x() + 1) + i; };
  const std::array cuts{cut_brick(false), cut_brick(true)};
  mesh.cells.reserve(5 * static_cast<std::size_t>(count.x()) * count.y() * count.z());
  for (int k = 0; k < count.z(); ++k) {
    for (int j = 0; j < count.y(); ++j) {
      for (int i = 0; i < count.x(); ++i) {
        for (const auto& corners : cuts[(i + j + k) % 2]) {
          std::array<std::int32_t, 4> cell;
          for (int n = 0; n < 4; ++n) {
            const unsigned c = corners[n];
            cell[n] = index(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2));
          }
          mesh.cells.push_back(cell);
        }
      }
    }
  }
  return mesh;
}

}  // namespace distal
