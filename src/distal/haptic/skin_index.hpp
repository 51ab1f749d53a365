// Finds the point of a soft body's skin that is nearest to a point, at a cost that hardly grows with the body: a tree
// of boxes over its triangles. Boxes are made anew only when the body may have moved by a share of its spacing, so that
// most queries find them ready; they are exact all the same. Paper 4, 4.2; docs/models/haptics.md.
#pragma once
#include <array>
#include <vector>

#include "distal/geometry/triangle_mesh.hpp"
#include "distal/state/embedding.hpp"

namespace distal {

struct SkinPoint {
  std::int32_t triangle = -1;  // of SoftBody::skin_triangles; -1: none
  Vec3 weight = Vec3::UnitX();
  Vec3 place = Vec3::Zero();  // world
  // Out of the body at the nearest face, edge or corner, angle-weighted; unit.
  Vec3 normal = Vec3::UnitZ();
  double distance_m = 0.0;  // negative: inside, paper 4's condition (3)
};

class SkinIndex {
 public:
  explicit SkinIndex(const SoftBody& body);

  // Before queries. `travelled_m` bounds how far anything has moved since any time (Workspace::travelled_m).
  void update(const State& state, double travelled_m);

  // Of all the skin.
  SkinPoint find(const State& state, const Vec3& p) const;
  // From a triangle on, as long as it gets nearer: what was touched stays touched where another side of the body is
  // nearer (paper 4, Fig. 11).
  SkinPoint find_from(const State& state, const Vec3& p, std::int32_t triangle) const;
  // As printed: the nearest node, then the faces around it.
  SkinPoint find_by_node(const State& state, const Vec3& p) const;
  // The mean of the corners' normals: turns smoothly over edges.
  Vec3 smooth_normal(const State& state, const SkinPoint& point) const;
  // The corner of its triangle that is nearest to p.
  SkinPoint nearest_corner(const State& state, const SkinPoint& point, const Vec3& p) const;

  std::int64_t updates() const { return updates_; }  // how often all boxes were made anew

 private:
  struct Node {
    Aabb box;
    std::int32_t second = 0;  // its second child, the first follows it; leaf: its first triangle in order_
    std::int32_t count = 0;   // triangles of a leaf, 0 otherwise
  };
  struct Nearest {
    std::int32_t triangle = -1;
    std::array<double, 3> weight{};
    double squared_m2 = 1e300;
  };

  Vec3 vertex(const State& state, std::int32_t v) const {
    return corners_.interpolate(body_.skin, static_cast<std::size_t>(v), state.x);
  }
  std::array<Vec3, 3> triangle(const State& state, std::int32_t t) const;
  Vec3 area_vector(const State& state, std::int32_t t) const;
  Vec3 vertex_normal(const State& state, std::int32_t v) const;
  void build(const std::vector<Vec3>& middles, std::int32_t begin, std::int32_t end);
  void try_triangle(const State& state, std::int32_t t, const Vec3& p, Nearest& best) const;
  void try_around(const State& state, std::int32_t v, const Vec3& p, Nearest& best) const;
  SkinPoint finish(const State& state, const Vec3& p, const Nearest& nearest) const;
  template <typename Visit>
  void visit_near(const Vec3& p, const double& best_squared_m2, const Visit& visit) const;

  const SoftBody& body_;
  CellCorners corners_;
  std::vector<std::int32_t> order_;
  std::vector<Node> nodes_;
  std::vector<std::int32_t> around_begin_, around_;  // triangles around each vertex of the skin
  double made_at_m_ = 0.0, slack_m_ = 0.0;           // travel when boxes were made, and since
  std::int64_t updates_ = 0;
};

}  // namespace distal
