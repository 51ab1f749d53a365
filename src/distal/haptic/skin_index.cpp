#include "distal/haptic/skin_index.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "distal/contact/facet_law.hpp"
#include "distal/core/error.hpp"

namespace distal {
namespace {

constexpr std::int32_t kLeaf = 4;
constexpr double kSlackOfSpacing = 0.5;  // boxes are made anew after so much travel

}  // namespace

SkinIndex::SkinIndex(const SoftBody& body) : body_(body), corners_(body) {
  const auto& triangles = body.skin_triangles;
  if (triangles.empty()) throw InputError("body '" + body.name + "' has no skin that could be touched");
  around_begin_.assign(body.skin.size() + 1, 0);
  for (const auto& t : triangles)
    for (const std::int32_t v : t) ++around_begin_[static_cast<std::size_t>(v) + 1];
  std::partial_sum(around_begin_.begin(), around_begin_.end(), around_begin_.begin());
  around_.resize(3 * triangles.size());
  std::vector<std::int32_t> next(around_begin_.begin(), around_begin_.end() - 1);
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (const std::int32_t v : triangles[t])
      around_[static_cast<std::size_t>(next[static_cast<std::size_t>(v)]++)] = static_cast<std::int32_t>(t);
  std::vector<Vec3> middles;
  for (const auto& t : triangles) {
    Vec3 sum = Vec3::Zero();
    for (const std::int32_t v : t) sum += body.skin_rest_m[static_cast<std::size_t>(v)];
    middles.push_back(sum);
  }
  order_.resize(triangles.size());
  std::iota(order_.begin(), order_.end(), 0);
  nodes_.reserve(2 * triangles.size());
  build(middles, 0, static_cast<std::int32_t>(order_.size()));
}

// By the shape at rest; boxes come later.
void SkinIndex::build(const std::vector<Vec3>& middles, std::int32_t begin, std::int32_t end) {
  const std::size_t node = nodes_.size();
  nodes_.emplace_back();
  if (end - begin <= kLeaf) {
    nodes_[node].second = begin, nodes_[node].count = end - begin;
    return;
  }
  Aabb box;
  for (std::int32_t i = begin; i < end; ++i)
    box.add(middles[static_cast<std::size_t>(order_[static_cast<std::size_t>(i)])]);
  Eigen::Index axis = 0;
  (box.max - box.min).maxCoeff(&axis);
  const std::int32_t half = begin + (end - begin) / 2;
  std::nth_element(order_.begin() + begin, order_.begin() + half, order_.begin() + end,
                   [&](std::int32_t i, std::int32_t j) {
                     return middles[static_cast<std::size_t>(i)][axis] < middles[static_cast<std::size_t>(j)][axis];
                   });
  build(middles, begin, half);
  nodes_[node].second = static_cast<std::int32_t>(nodes_.size());
  build(middles, half, end);
}

void SkinIndex::update(const State& state, double travelled_m) {
  slack_m_ = travelled_m - made_at_m_;
  if (updates_ > 0 && slack_m_ <= kSlackOfSpacing * body_.spacing_m()) return;
  // Children stand behind their parents.
  for (std::size_t n = nodes_.size(); n-- > 0;) {
    Node& node = nodes_[n];
    node.box = Aabb{};
    if (node.count == 0) {
      for (const std::size_t child : {n + 1, static_cast<std::size_t>(node.second)}) {
        node.box.add(nodes_[child].box.min);
        node.box.add(nodes_[child].box.max);
      }
      continue;
    }
    for (std::int32_t i = node.second; i < node.second + node.count; ++i)
      for (const Vec3& corner : triangle(state, order_[static_cast<std::size_t>(i)])) node.box.add(corner);
  }
  made_at_m_ = travelled_m, slack_m_ = 0.0;
  ++updates_;
}

std::array<Vec3, 3> SkinIndex::triangle(const State& state, std::int32_t t) const {
  const auto& corners = body_.skin_triangles[static_cast<std::size_t>(t)];
  return {vertex(state, corners[0]), vertex(state, corners[1]), vertex(state, corners[2])};
}

Vec3 SkinIndex::area_vector(const State& state, std::int32_t t) const {
  const auto c = triangle(state, t);
  return (c[1] - c[0]).cross(c[2] - c[0]);
}

// Faces count by their angle at the vertex (paper 4, 4.4.2): does not depend on how faces are cut up.
Vec3 SkinIndex::vertex_normal(const State& state, std::int32_t v) const {
  Vec3 sum = Vec3::Zero();
  const auto at = static_cast<std::size_t>(v);
  for (std::int32_t i = around_begin_[at]; i < around_begin_[at + 1]; ++i) {
    const std::int32_t t = around_[static_cast<std::size_t>(i)];
    const auto& corners = body_.skin_triangles[static_cast<std::size_t>(t)];
    const auto c = triangle(state, t);
    const auto k = static_cast<std::size_t>(std::find(corners.begin(), corners.end(), v) - corners.begin());
    const Vec3 one = c[(k + 1) % 3] - c[k], two = c[(k + 2) % 3] - c[k], area = one.cross(two);
    const double size = area.norm();
    if (size > 0.0) sum += std::atan2(size, one.dot(two)) / size * area;
  }
  return sum;
}

void SkinIndex::try_triangle(const State& state, std::int32_t t, const Vec3& p, Nearest& best) const {
  const auto c = triangle(state, t);
  const std::array<double, 3> w = nearest_in_facet(c, p);
  const double squared = (w[0] * c[0] + w[1] * c[1] + w[2] * c[2] - p).squaredNorm();
  if (squared < best.squared_m2) best = {t, w, squared};
}

void SkinIndex::try_around(const State& state, std::int32_t v, const Vec3& p, Nearest& best) const {
  const auto at = static_cast<std::size_t>(v);
  for (std::int32_t i = around_begin_[at]; i < around_begin_[at + 1]; ++i)
    try_triangle(state, around_[static_cast<std::size_t>(i)], p, best);
}

// Calls visit(triangle) for all that may be nearer than the best so far, the nearest boxes first.
template <typename Visit>
void SkinIndex::visit_near(const Vec3& p, const double& best_squared_m2, const Visit& visit) const {
  const auto least = [&](std::size_t n) {
    const Aabb& box = nodes_[n].box;
    const double distance = std::max(0.0, (p - p.cwiseMax(box.min).cwiseMin(box.max)).norm() - slack_m_);
    return distance * distance;
  };
  std::array<std::int32_t, 96> stack;  // twice the depth of the deepest tree that 32-bit counts allow
  std::size_t height = 0;
  stack[height++] = 0;
  while (height > 0) {
    const auto at = static_cast<std::size_t>(stack[--height]);
    if (least(at) >= best_squared_m2) continue;
    const Node& node = nodes_[at];
    if (node.count == 0) {
      const std::size_t one = at + 1, two = static_cast<std::size_t>(node.second);
      const bool one_first = least(one) <= least(two);
      stack[height++] = static_cast<std::int32_t>(one_first ? two : one);
      stack[height++] = static_cast<std::int32_t>(one_first ? one : two);
      continue;
    }
    for (std::int32_t i = node.second; i < node.second + node.count; ++i) visit(order_[static_cast<std::size_t>(i)]);
  }
}

SkinPoint SkinIndex::finish(const State& state, const Vec3& p, const Nearest& nearest) const {
  SkinPoint point;
  point.triangle = nearest.triangle;
  point.weight = Vec3(nearest.weight[0], nearest.weight[1], nearest.weight[2]);
  const auto& corners = body_.skin_triangles[static_cast<std::size_t>(nearest.triangle)];
  const auto c = triangle(state, nearest.triangle);
  point.place = point.weight[0] * c[0] + point.weight[1] * c[1] + point.weight[2] * c[2];
  // Face, edge or corner: by what has weight.
  int with_weight = 0, last = 0;
  for (int a = 0; a < 3; ++a)
    if (point.weight[a] > 0.0) ++with_weight, last = a;
  Vec3 normal = area_vector(state, nearest.triangle);
  if (with_weight == 1) {
    normal = vertex_normal(state, corners[static_cast<std::size_t>(last)]);
  } else if (with_weight == 2) {
    const auto without = static_cast<std::size_t>(point.weight[0] > 0.0 ? (point.weight[1] > 0.0 ? 2 : 1) : 0);
    const std::int32_t from = corners[(without + 1) % 3], to = corners[(without + 2) % 3];
    normal.normalize();
    const auto at = static_cast<std::size_t>(from);
    for (std::int32_t i = around_begin_[at]; i < around_begin_[at + 1]; ++i) {
      const std::int32_t t = around_[static_cast<std::size_t>(i)];
      const auto& other = body_.skin_triangles[static_cast<std::size_t>(t)];
      if (t != nearest.triangle && std::find(other.begin(), other.end(), to) != other.end())
        normal += area_vector(state, t).normalized();
    }
  }
  point.normal = normal.normalized();
  const double distance = std::sqrt(nearest.squared_m2);
  point.distance_m = (p - point.place).dot(point.normal) < 0.0 ? -distance : distance;
  return point;
}

SkinPoint SkinIndex::find(const State& state, const Vec3& p) const {
  Nearest best;
  visit_near(p, best.squared_m2, [&](std::int32_t t) { try_triangle(state, t, p, best); });
  return finish(state, p, best);
}

SkinPoint SkinIndex::find_from(const State& state, const Vec3& p, std::int32_t triangle) const {
  Nearest best;
  try_triangle(state, triangle, p, best);
  for (std::int32_t from = -1; from != best.triangle;) {
    from = best.triangle;
    for (const std::int32_t v : body_.skin_triangles[static_cast<std::size_t>(from)]) try_around(state, v, p, best);
  }
  return finish(state, p, best);
}

SkinPoint SkinIndex::find_by_node(const State& state, const Vec3& p) const {
  double squared = 1e300;
  std::int32_t node = -1;
  visit_near(p, squared, [&](std::int32_t t) {
    for (const std::int32_t v : body_.skin_triangles[static_cast<std::size_t>(t)])
      if (const double distance = (vertex(state, v) - p).squaredNorm(); distance < squared)
        squared = distance, node = v;
  });
  Nearest best;
  try_around(state, node, p, best);
  return finish(state, p, best);
}

Vec3 SkinIndex::smooth_normal(const State& state, const SkinPoint& point) const {
  const auto& corners = body_.skin_triangles[static_cast<std::size_t>(point.triangle)];
  Vec3 normal = Vec3::Zero();
  for (std::size_t a = 0; a < 3; ++a)
    if (const double w = point.weight[static_cast<Eigen::Index>(a)]; w > 0.0)
      normal += w * vertex_normal(state, corners[a]).normalized();
  return normal.norm() > 0.0 ? Vec3(normal.normalized()) : point.normal;
}

SkinPoint SkinIndex::nearest_corner(const State& state, const SkinPoint& point, const Vec3& p) const {
  SkinPoint corner = point;
  const auto& corners = body_.skin_triangles[static_cast<std::size_t>(point.triangle)];
  const auto c = triangle(state, point.triangle);
  std::size_t nearest = 0;
  for (std::size_t a = 1; a < 3; ++a)
    if ((c[a] - p).squaredNorm() < (c[nearest] - p).squaredNorm()) nearest = a;
  corner.weight = Vec3::Unit(static_cast<Eigen::Index>(nearest));
  corner.place = c[nearest];
  corner.normal = vertex_normal(state, corners[nearest]).normalized();
  return corner;
}

}  // namespace distal
