// Means of the deformation gradient over the cells around edges and vertices of a mesh (docs/models/tetrahedra.md).
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

#include "distal/geometry/tet_mesh.hpp"

namespace distal {

// A few entries by vertex. A search from the front is quicker than a tree at such lengths.
template <typename T>
struct SparseRow {
  std::vector<std::pair<std::int32_t, T>> entries;

  T& operator[](std::int32_t vertex) {
    for (auto& [v, value] : entries)
      if (v == vertex) return value;
    return entries.emplace_back(vertex, zero()).second;
  }
  void sort() {
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  }
  static T zero() {
    if constexpr (std::is_same_v<T, Vec3>)
      return Vec3::Zero();
    else
      return T{};
  }
};

// The volume that something stands for, and per vertex the sum of volume times gradient of its shape function.
struct TetMean {
  double volume = 0.0;
  SparseRow<Vec3> sum;
};

using EdgeMeans = std::map<std::array<std::int32_t, 2>, TetMean>;  // by its two ends, the lower first
EdgeMeans find_edge_means(const TetMesh& mesh);
std::vector<TetMean> find_vertex_means(const TetMesh& mesh);

}  // namespace distal
