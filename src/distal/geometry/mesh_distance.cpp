#include "distal/geometry/mesh_distance.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "distal/core/error.hpp"

namespace distal {
namespace {

constexpr std::int32_t leaf_size = 4;
constexpr int max_tree_depth = 64;

double squared_distance(const Aabb& box, const Vec3& p) {
  return (p - p.cwiseMax(box.min).cwiseMin(box.max)).squaredNorm();
}

// The parameter of the closest point on a segment, 0 at a and 1 at b.
double closest_parameter(const Vec3& a, const Vec3& b, const Vec3& p) {
  const Vec3 along = b - a;
  const double length_squared = along.squaredNorm();
  return length_squared > 0.0 ? std::clamp((p - a).dot(along) / length_squared, 0.0, 1.0) : 0.0;
}

}  // namespace

MeshDistance::MeshDistance(TriangleMesh mesh) : mesh_(std::move(mesh)), order_(mesh_.triangles.size()) {
  DISTAL_ASSERT(!mesh_.triangles.empty());
  compute_normals();
  std::iota(order_.begin(), order_.end(), 0);
  nodes_.reserve(2 * order_.size());
  build(0, static_cast<std::int32_t>(order_.size()));
}

void MeshDistance::compute_normals() {
  face_normals_.resize(mesh_.triangles.size());
  edge_normals_.resize(mesh_.triangles.size());
  vertex_normals_.assign(mesh_.vertices.size(), Vec3::Zero());
  std::map<std::pair<std::int32_t, std::int32_t>, Vec3> edge_sums;
  const auto edge_of = [](const std::array<std::int32_t, 3>& t, int k) { return std::minmax({t[k], t[(k + 1) % 3]}); };
  for (std::size_t i = 0; i < mesh_.triangles.size(); ++i) {
    const auto& t = mesh_.triangles[i];
    const Vec3& a = mesh_.vertices[t[0]];
    face_normals_[i] = (mesh_.vertices[t[1]] - a).cross(mesh_.vertices[t[2]] - a).stableNormalized();
    for (int k = 0; k < 3; ++k) {
      const Vec3 to_next = mesh_.vertices[t[(k + 1) % 3]] - mesh_.vertices[t[k]];
      const Vec3 to_previous = mesh_.vertices[t[(k + 2) % 3]] - mesh_.vertices[t[k]];
      const double angle = std::atan2(to_next.cross(to_previous).norm(), to_next.dot(to_previous));
      vertex_normals_[t[k]] += angle * face_normals_[i];
      edge_sums.try_emplace(edge_of(t, k), Vec3::Zero()).first->second += face_normals_[i];
    }
  }
  for (std::size_t i = 0; i < mesh_.triangles.size(); ++i) {
    for (int k = 0; k < 3; ++k) edge_normals_[i][k] = edge_sums.at(edge_of(mesh_.triangles[i], k));
  }
}

std::int32_t MeshDistance::build(std::int32_t begin, std::int32_t end) {
  const auto self = static_cast<std::int32_t>(nodes_.size());
  nodes_.emplace_back();
  Aabb box;
  for (std::int32_t i = begin; i < end; ++i) {
    for (const std::int32_t v : mesh_.triangles[order_[i]]) box.add(mesh_.vertices[v]);
  }
  nodes_[self].box = box;
  if (end - begin <= leaf_size) {
    nodes_[self].first = begin;
    nodes_[self].count = end - begin;
    return self;
  }
  // Halve the count along the longest side: the depth is logarithmic whatever the mesh looks like.
  int axis = 0;
  (box.max - box.min).maxCoeff(&axis);
  const auto centre = [&](std::int32_t triangle) {
    double sum = 0.0;
    for (const std::int32_t v : mesh_.triangles[triangle]) sum += mesh_.vertices[v][axis];
    return sum;
  };
  const std::int32_t middle = begin + (end - begin) / 2;
  std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                   [&](std::int32_t a, std::int32_t b) { return centre(a) < centre(b); });
  build(begin, middle);
  const std::int32_t second = build(middle, end);
  nodes_[self].first = second;
  return self;
}

void MeshDistance::update_closest(std::int32_t triangle, const Vec3& p, Closest& best) const {
  const auto& t = mesh_.triangles[triangle];
  const Vec3& normal = face_normals_[triangle];
  const auto consider = [&](const Vec3& point, const Vec3& pseudonormal) {
    const Vec3 offset = p - point;
    const double squared = offset.squaredNorm();
    if (squared < best.squared_distance) best = {squared, offset, pseudonormal};
  };
  // Within the prism over the triangle the foot of the perpendicular is closest, otherwise a point of the outline.
  bool over_face = normal.squaredNorm() > 0.0;
  for (int k = 0; k < 3 && over_face; ++k) {
    const Vec3& a = mesh_.vertices[t[k]];
    over_face = normal.cross(mesh_.vertices[t[(k + 1) % 3]] - a).dot(p - a) > 0.0;
  }
  if (over_face) {
    const double height = normal.dot(p - mesh_.vertices[t[0]]);
    consider(p - height * normal, normal);
    return;
  }
  for (int k = 0; k < 3; ++k) {
    const std::int32_t from = t[k];
    const std::int32_t to = t[(k + 1) % 3];
    const double s = closest_parameter(mesh_.vertices[from], mesh_.vertices[to], p);
    if (s == 0.0) {
      consider(mesh_.vertices[from], vertex_normals_[from]);
    } else if (s == 1.0) {
      consider(mesh_.vertices[to], vertex_normals_[to]);
    } else {
      consider(mesh_.vertices[from] + s * (mesh_.vertices[to] - mesh_.vertices[from]), edge_normals_[triangle][k]);
    }
  }
}

double MeshDistance::signed_distance(const Vec3& p) const {
  Closest best;
  std::array<std::int32_t, max_tree_depth> stack;
  int size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const std::int32_t self = stack[--size];
    const Node& node = nodes_[self];
    if (squared_distance(node.box, p) >= best.squared_distance) continue;
    if (node.count > 0) {
      for (std::int32_t i = 0; i < node.count; ++i) update_closest(order_[node.first + i], p, best);
      continue;
    }
    // The nearer child is visited first, so that the other is mostly skipped.
    std::int32_t near = self + 1;
    std::int32_t far = node.first;
    if (squared_distance(nodes_[far].box, p) < squared_distance(nodes_[near].box, p)) std::swap(near, far);
    stack[size++] = far;
    stack[size++] = near;
  }
  return std::copysign(std::sqrt(best.squared_distance), best.offset.dot(best.normal));
}

}  // namespace distal
