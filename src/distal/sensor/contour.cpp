#include "distal/sensor/contour.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace distal {
namespace {

using CutEdge = std::array<std::int32_t, 2>;  // the vertex on or above the plane, the one below

// What the plane cuts from one triangle: in over one edge, out over another.
struct CutTriangle {
  CutEdge in, out;
};

std::vector<CutTriangle> find_cut_triangles(const TriangleMesh& surface, const std::vector<double>& height) {
  const auto above = [&](std::int32_t v) { return height[static_cast<std::size_t>(v)] >= 0.0; };
  std::vector<CutTriangle> cuts;
  for (const auto& triangle : surface.triangles) {
    CutTriangle cut{};
    bool is_cut = false;
    for (std::size_t a = 0; a < 3; ++a) {
      const std::int32_t from = triangle[a], to = triangle[(a + 1) % 3];
      if (above(from) == above(to)) continue;
      is_cut = true;
      if (above(from))
        cut.in = {from, to};
      else
        cut.out = {to, from};
    }
    if (is_cut) cuts.push_back(cut);
  }
  return cuts;
}

}  // namespace

std::vector<Polyline> find_contour(const TriangleMesh& surface, const Vec3& point, const Vec3& normal) {
  std::vector<double> height;
  for (const Vec3& vertex : surface.vertices) height.push_back((vertex - point).dot(normal));
  const auto place = [&](const CutEdge& edge) -> Vec3 {
    const auto high = static_cast<std::size_t>(edge[0]), low = static_cast<std::size_t>(edge[1]);
    const double share = height[high] / (height[high] - height[low]);
    return surface.vertices[high] + share * (surface.vertices[low] - surface.vertices[high]);
  };
  // The neighbour over a triangle's last edge begins with that edge: chains follow from the edges alone, whatever the
  // plane passes through.
  std::map<CutEdge, CutEdge> next;
  std::set<CutEdge> entered;
  for (const CutTriangle& cut : find_cut_triangles(surface, height)) {
    next[cut.in] = cut.out;
    entered.insert(cut.out);
  }
  std::vector<Polyline> lines;
  while (!next.empty()) {
    // A line that does not close begins where no other triangle ends.
    auto first = std::find_if(next.begin(), next.end(), [&](const auto& cut) { return !entered.contains(cut.first); });
    if (first == next.end()) first = next.begin();
    Polyline line{place(first->first)};
    for (auto at = first; at != next.end();) {
      const CutEdge to = at->second;
      next.erase(at);
      line.push_back(place(to));
      at = next.find(to);
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace distal
