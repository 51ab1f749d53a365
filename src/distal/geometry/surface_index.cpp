#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "distal/core/error.hpp"
#include "distal/geometry/quadric_fit.hpp"

namespace distal {
namespace {

constexpr std::int32_t kLeafTriangles = 4;

double squared_distance_to_box(const Aabb& box, const Vec3& p) {
  return (p - p.cwiseMax(box.min).cwiseMin(box.max)).squaredNorm();
}

}  // namespace

// Ericson, Real-Time Collision Detection, 5.1.5: the region of the plane in which p lies tells the feature.
Vec3 nearest_on_triangle(const std::array<Vec3, 3>& corners, const Vec3& p) {
  const auto& [a, b, c] = corners;
  const Vec3 ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
  const double d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0.0 && d2 <= 0.0) return a;
  const double d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0.0 && d4 <= d3) return b;
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 && d1 > d3) return a + d1 / (d1 - d3) * ab;
  const double d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0.0 && d5 <= d6) return c;
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 && d2 > d6) return a + d2 / (d2 - d6) * ac;
  const double va = d3 * d6 - d5 * d4, bc = d4 - d3, cb = d5 - d6;
  if (va <= 0.0 && bc >= 0.0 && cb >= 0.0 && bc + cb > 0.0) return b + bc / (bc + cb) * (c - b);
  const double sum = va + vb + vc;
  return sum > 0.0 ? Vec3(a + (vb * ab + vc * ac) / sum) : a;
}

SurfaceIndex::SurfaceIndex(TriangleMesh mesh) : mesh_(std::move(mesh)) {
  if (mesh_.triangles.empty()) throw InputError("a surface without triangles has no curvature");
  const auto vertices = static_cast<std::int32_t>(mesh_.vertices.size());
  for (const auto& triangle : mesh_.triangles)
    for (const std::int32_t corner : triangle)
      if (corner < 0 || corner >= vertices)
        throw InputError(fmt::format("a triangle has the corner {}, the mesh has {} vertices", corner, vertices));
  find_neighbours();
  order_.resize(mesh_.triangles.size());
  std::iota(order_.begin(), order_.end(), 0);
  nodes_.reserve(2 * order_.size());
  build(0, static_cast<std::int32_t>(order_.size()));
}

std::array<Vec3, 3> SurfaceIndex::corners(std::int32_t triangle) const {
  const auto& t = mesh_.triangles[static_cast<std::size_t>(triangle)];
  return {mesh_.vertices[static_cast<std::size_t>(t[0])], mesh_.vertices[static_cast<std::size_t>(t[1])],
          mesh_.vertices[static_cast<std::size_t>(t[2])]};
}

void SurfaceIndex::find_neighbours() {
  struct Side {
    std::int32_t triangle = -1, edge = 0;
    bool crowded = false;  // a third triangle was met
  };
  neighbours_.assign(mesh_.triangles.size(), {-1, -1, -1});
  std::unordered_map<std::uint64_t, std::array<Side, 2>> edges;
  edges.reserve(2 * mesh_.triangles.size());
  for (std::int32_t t = 0; t < static_cast<std::int32_t>(mesh_.triangles.size()); ++t) {
    const auto& corners = mesh_.triangles[static_cast<std::size_t>(t)];
    for (std::int32_t k = 0; k < 3; ++k) {
      const auto from = static_cast<std::uint64_t>(corners[static_cast<std::size_t>(k)]);
      const auto to = static_cast<std::uint64_t>(corners[static_cast<std::size_t>((k + 1) % 3)]);
      auto& sides = edges[std::min(from, to) << 32 | std::max(from, to)];
      if (sides[0].triangle < 0)
        sides[0] = {t, k};
      else if (sides[1].triangle < 0)
        sides[1] = {t, k};
      else
        sides[0].crowded = true;
    }
  }
  for (const auto& [key, sides] : edges) {
    if (sides[1].triangle < 0 || sides[0].crowded) continue;
    for (std::size_t i : {0, 1}) {
      const Side& side = sides[i];
      neighbours_[static_cast<std::size_t>(side.triangle)][static_cast<std::size_t>(side.edge)] = sides[1 - i].triangle;
    }
  }
}

void SurfaceIndex::build(std::int32_t begin, std::int32_t end) {
  const std::size_t node = nodes_.size();
  nodes_.emplace_back();
  Aabb box, middles;
  for (std::int32_t i = begin; i < end; ++i) {
    const auto c = corners(order_[static_cast<std::size_t>(i)]);
    for (const Vec3& corner : c) box.add(corner);
    middles.add((c[0] + c[1] + c[2]) / 3.0);
  }
  nodes_[node].box = box;
  if (end - begin <= kLeafTriangles) {
    nodes_[node].second = begin, nodes_[node].count = end - begin;
    return;
  }
  Eigen::Index axis = 0;
  (middles.max - middles.min).maxCoeff(&axis);
  const std::int32_t half = begin + (end - begin) / 2;
  const auto middle_of = [&](std::int32_t t) {
    const auto c = corners(t);
    return c[0][axis] + c[1][axis] + c[2][axis];
  };
  std::nth_element(order_.begin() + begin, order_.begin() + half, order_.begin() + end,
                   [&](std::int32_t i, std::int32_t j) { return middle_of(i) < middle_of(j); });
  build(begin, half);
  nodes_[node].second = static_cast<std::int32_t>(nodes_.size());
  build(half, end);
}

std::int32_t SurfaceIndex::find_nearest_triangle(const Vec3& p) const {
  std::array<std::int32_t, 96> stack;  // twice the depth of the deepest tree that 32-bit counts allow
  std::size_t height = 0;
  stack[height++] = 0;
  double best = 1e300;
  std::int32_t nearest = 0;
  while (height > 0) {
    const std::int32_t at = stack[--height];
    const Node& node = nodes_[static_cast<std::size_t>(at)];
    if (squared_distance_to_box(node.box, p) >= best) continue;
    if (node.count == 0) {
      const std::int32_t one = at + 1, two = node.second;
      const bool one_first = squared_distance_to_box(nodes_[static_cast<std::size_t>(one)].box, p) <=
                             squared_distance_to_box(nodes_[static_cast<std::size_t>(two)].box, p);
      stack[height++] = one_first ? two : one;
      stack[height++] = one_first ? one : two;
      continue;
    }
    for (std::int32_t i = node.second; i < node.second + node.count; ++i) {
      const std::int32_t triangle = order_[static_cast<std::size_t>(i)];
      const double distance = (p - nearest_on_triangle(corners(triangle), p)).squaredNorm();
      if (distance < best) best = distance, nearest = triangle;
    }
  }
  return nearest;
}

}  // namespace distal
