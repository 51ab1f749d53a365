#include "distal/geometry/closed_mesh.hpp"

#include <algorithm>
#include <map>
#include <queue>
#include <tuple>
#include <unordered_map>

#include "distal/core/error.hpp"

namespace distal {
namespace {

// Which triangle runs along the edge from one vertex to another.
class DirectedEdges {
 public:
  explicit DirectedEdges(const TriangleMesh& mesh) {
    triangle_.reserve(3 * mesh.triangles.size());
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) set(mesh, static_cast<std::int32_t>(i));
  }

  void set(const TriangleMesh& mesh, std::int32_t triangle) {
    const auto& t = mesh.triangles[triangle];
    for (int k = 0; k < 3; ++k) triangle_[key(t[k], t[(k + 1) % 3])] = triangle;
  }
  void remove(std::int32_t from, std::int32_t to) { triangle_.erase(key(from, to)); }
  std::int32_t triangle(std::int32_t from, std::int32_t to) const { return triangle_.at(key(from, to)); }

 private:
  static std::uint64_t key(std::int32_t from, std::int32_t to) {
    return (static_cast<std::uint64_t>(from) << 32) | static_cast<std::uint32_t>(to);
  }
  std::unordered_map<std::uint64_t, std::int32_t> triangle_;
};

std::int32_t opposite_corner(const std::array<std::int32_t, 3>& t, std::int32_t from, std::int32_t to) {
  return *std::find_if(t.begin(), t.end(), [&](std::int32_t v) { return v != from && v != to; });
}

// Replaces the triangle along from -> to by two that meet in `middle`.
void split_triangle(std::int32_t from, std::int32_t to, std::int32_t middle, TriangleMesh& mesh, DirectedEdges& edges) {
  const std::int32_t old = edges.triangle(from, to);
  const std::int32_t opposite = opposite_corner(mesh.triangles[old], from, to);
  edges.remove(from, to);
  mesh.triangles[old] = {from, middle, opposite};
  mesh.triangles.push_back({middle, to, opposite});
  edges.set(mesh, old);
  edges.set(mesh, static_cast<std::int32_t>(mesh.triangles.size()) - 1);
}

}  // namespace

std::size_t count_open_edges(const TriangleMesh& mesh) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::array<int, 2>> uses;
  for (const auto& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) {
      const std::int32_t from = t[k];
      const std::int32_t to = t[(k + 1) % 3];
      ++uses[std::minmax({from, to})][from < to ? 0 : 1];
    }
  }
  return std::count_if(uses.begin(), uses.end(), [](const auto& edge) { return edge.second != std::array{1, 1}; });
}

double enclosed_volume(const TriangleMesh& closed_mesh) {
  double volume = 0.0;
  if (closed_mesh.vertices.empty()) return volume;
  // From a vertex and not from the origin: far away, the parts would cancel badly.
  const Vec3& base = closed_mesh.vertices.front();
  for (const auto& t : closed_mesh.triangles) {
    const Vec3 a = closed_mesh.vertices[t[0]] - base;
    const Vec3 b = closed_mesh.vertices[t[1]] - base;
    volume += a.dot(b.cross(closed_mesh.vertices[t[2]] - base)) / 6.0;
  }
  return volume;
}

TriangleMesh split_long_edges(TriangleMesh mesh, double edge_m) {
  DISTAL_ASSERT(edge_m > 0.0);
  DirectedEdges edges(mesh);
  // Length, then vertex numbers, so that the order does not depend on chance.
  std::priority_queue<std::tuple<double, std::int32_t, std::int32_t>> longest;
  const auto queue_edge = [&](std::int32_t a, std::int32_t b) {
    const double length = (mesh.vertices[a] - mesh.vertices[b]).norm();
    if (length > edge_m) longest.emplace(length, std::min(a, b), std::max(a, b));
  };
  for (const auto& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) {
      if (t[k] < t[(k + 1) % 3]) queue_edge(t[k], t[(k + 1) % 3]);
    }
  }
  while (!longest.empty()) {
    const auto [length, a, b] = longest.top();
    longest.pop();
    const auto middle = static_cast<std::int32_t>(mesh.vertices.size());
    mesh.vertices.push_back(0.5 * (mesh.vertices[a] + mesh.vertices[b]));
    const std::int32_t left = opposite_corner(mesh.triangles[edges.triangle(a, b)], a, b);
    const std::int32_t right = opposite_corner(mesh.triangles[edges.triangle(b, a)], a, b);
    split_triangle(a, b, middle, mesh, edges);
    split_triangle(b, a, middle, mesh, edges);
    for (const std::int32_t neighbour : {a, b, left, right}) queue_edge(middle, neighbour);
  }
  return mesh;
}

}  // namespace distal
