#include "distal/geometry/self_intersection.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace distal {
namespace {

using Triangle = std::array<Vec3, 3>;

// Shares of a triangle's size; a few hundred times the rounding of a determinant.
constexpr double touching_share = 1e-13;

// Six times the volume over a, b, c and d; 0 where rounding decides.
double orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, double size) {
  const double volume = (b - a).dot((c - a).cross(d - a));
  return std::abs(volume) <= touching_share * size * size * size ? 0.0 : volume;
}

// Whether two segments of a plane with normal n meet, and where.
std::optional<Vec3> cross_in_plane(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& n,
                                   double size) {
  const auto side = [&](const Vec3& from, const Vec3& to, const Vec3& x) {
    const double area = n.dot((to - from).cross(x - from));
    return std::abs(area) <= touching_share * size * size ? 0.0 : area;
  };
  const double side_p = side(a, b, p);
  const double side_q = side(a, b, q);
  if (side_p * side_q > 0.0 || side(p, q, a) * side(p, q, b) > 0.0) return {};
  if (side_p != side_q) return p + side_p / (side_p - side_q) * (q - p);
  // All on one line: they meet where an end of one lies between the ends of the other.
  for (const auto& [x, from, to] : {std::tie(p, a, b), std::tie(q, a, b), std::tie(a, p, q)}) {
    if ((x - from).dot(x - to) <= 0.0) return x;
  }
  return {};
}

// Both ends lie in the triangle's plane.
std::optional<Vec3> cross_flat(const Vec3& p, const Vec3& q, const Triangle& t, double size) {
  const Vec3 n = (t[1] - t[0]).cross(t[2] - t[0]).normalized();
  for (int k = 0; k < 3; ++k) {
    if (auto point = cross_in_plane(p, q, t[k], t[(k + 1) % 3], n, size)) return point;
  }
  // Crosses no edge: wholly inside or wholly outside.
  for (int k = 0; k < 3; ++k) {
    if (n.dot((t[(k + 1) % 3] - t[k]).cross(p - t[k])) < 0.0) return {};
  }
  return p;
}

std::optional<Vec3> cross(const Vec3& p, const Vec3& q, const Triangle& t, double size) {
  const double above = orientation(t[0], t[1], t[2], p, size);
  const double below = orientation(t[0], t[1], t[2], q, size);
  if (above * below > 0.0) return {};
  if (above == 0.0 && below == 0.0) return cross_flat(p, q, t, size);
  // The line p q passes all three edges on the same side.
  double smallest = 0.0;
  double largest = 0.0;
  for (int k = 0; k < 3; ++k) {
    const double turn = orientation(p, q, t[k], t[(k + 1) % 3], size);
    smallest = std::min(smallest, turn);
    largest = std::max(largest, turn);
  }
  if (smallest < 0.0 && largest > 0.0) return {};
  return p + above / (above - below) * (q - p);
}

// Neighbours along an edge lie on one another when they are folded back: their normals are then opposite.
std::optional<Vec3> find_fold(const Triangle& t, const Triangle& s) {
  const Vec3 n = (t[1] - t[0]).cross(t[2] - t[0]).normalized();
  const Vec3 m = (s[1] - s[0]).cross(s[2] - s[0]).normalized();
  if (n.dot(m) > 0.0 || n.cross(m).norm() > 1e-9) return {};
  return (t[0] + t[1] + t[2]) / 3.0;
}

class Surface {
 public:
  explicit Surface(const TriangleMesh& mesh) : mesh_(mesh) {
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
      Aabb box;
      for (const Vec3& p : corners(i)) box.add(p);
      boxes_.push_back(box);
    }
  }

  // Boxes sorted along their longest common extent; only those that overlap there are compared.
  std::optional<SelfIntersection> find() const {
    Aabb all;
    for (const Vec3& p : mesh_.vertices) all.add(p);
    int axis = 0;
    (all.max - all.min).maxCoeff(&axis);
    std::vector<std::size_t> order(boxes_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::tie(boxes_[a].min[axis], a) < std::tie(boxes_[b].min[axis], b);
    });
    std::optional<SelfIntersection> lowest;
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (std::size_t j = i + 1; j < order.size(); ++j) {
        if (boxes_[order[j]].min[axis] > boxes_[order[i]].max[axis]) break;
        const auto [first, second] = std::minmax(order[i], order[j]);
        if (lowest && std::tie(first, second) >= std::tie(lowest->first, lowest->second)) continue;
        if (!overlap(boxes_[first], boxes_[second])) continue;
        if (const auto point = intersect(first, second)) lowest = {first, second, *point};
      }
    }
    return lowest;
  }

 private:
  static bool overlap(const Aabb& a, const Aabb& b) {
    return (a.min.array() <= b.max.array()).all() && (b.min.array() <= a.max.array()).all();
  }

  Triangle corners(std::size_t i) const {
    const auto& t = mesh_.triangles[i];
    return {mesh_.vertices[t[0]], mesh_.vertices[t[1]], mesh_.vertices[t[2]]};
  }

  std::optional<Vec3> intersect(std::size_t i, std::size_t j) const {
    const auto& t = mesh_.triangles[i];
    const auto& s = mesh_.triangles[j];
    const auto is_shared = [](std::int32_t v, const auto& other) {
      return std::find(other.begin(), other.end(), v) != other.end();
    };
    const auto shared = std::count_if(t.begin(), t.end(), [&](std::int32_t v) { return is_shared(v, s); });
    if (shared >= 2) return find_fold(corners(i), corners(j));
    Aabb both = boxes_[i];
    both.add(boxes_[j].min);
    both.add(boxes_[j].max);
    const double size = (both.max - both.min).norm();
    // An edge that starts in a shared corner meets the other triangle there and need not be looked at.
    for (const auto& [edges, other, corner] : {std::tuple(t, s, corners(j)), std::tuple(s, t, corners(i))}) {
      for (int k = 0; k < 3; ++k) {
        const std::int32_t p = edges[k];
        const std::int32_t q = edges[(k + 1) % 3];
        if (is_shared(p, other) || is_shared(q, other)) continue;
        if (auto point = cross(mesh_.vertices[p], mesh_.vertices[q], corner, size)) return point;
      }
    }
    return {};
  }

  const TriangleMesh& mesh_;
  std::vector<Aabb> boxes_;
};

}  // namespace

std::optional<SelfIntersection> find_self_intersection(const TriangleMesh& mesh) { return Surface(mesh).find(); }

}  // namespace distal
