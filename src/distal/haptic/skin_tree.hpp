// A tree of boxes over the faces of a skin, eight to a node. Boxes are made anew only when the body may have moved by a
// share of its spacing, so that most queries find them ready; until then a search allows for that travel.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "distal/haptic/skin_faces.hpp"

namespace distal {

class SkinTree {
 public:
  // Arranges the faces in the order of its leaves.
  SkinTree(SkinFaces& faces, double spacing_m);

  // Before queries. `travelled_m` bounds how far anything has moved since any time (Workspace::travelled_m).
  void update(const SkinFaces& faces, const Vec3Array& x, double travelled_m);

  // Calls visit(face) for all that may be nearer than the best so far, the nearest boxes first.
  template <typename Visit>
  void visit_near(const Vec3& p, const double& best_squared_m2, const Visit& visit) const;

  std::int64_t updates() const { return updates_; }  // how often all boxes were made anew

 private:
  static constexpr std::size_t kBranches = 8;
  // Boxes and distances to them err by the rounding of their coordinates, as a share of the largest.
  static constexpr double kFloatRounding = 8.0 * static_cast<double>(std::numeric_limits<float>::epsilon());

  // Eight boxes side by side, so that a vector takes all of them; in single precision.
  struct Node {
    std::array<std::array<float, kBranches>, 3> min, max;  // [m]; an empty branch has min > max
    std::array<std::int32_t, kBranches> branch;            // a node, or ~face
  };
  // A face as it was when boxes were made: says without a look at the state whether it can be the nearest.
  using Leaf = std::array<std::array<float, 3>, 3>;  // corners [m]
  struct Waiting {
    float squared_m2;
    std::int32_t branch;
  };

  std::int32_t build(std::span<std::int32_t> faces, std::int32_t first, std::span<const Vec3> middles);
  static void clear_box(Node& node, std::size_t branch);
  void make_box(const SkinFaces& faces, const Vec3Array& x, std::size_t node, std::size_t branch);
  static double squared_when_made(const Leaf& leaf, const Vec3& p);
  static std::array<float, kBranches> squared_to_boxes(const Node& node, const std::array<float, 3>& p);

  double most_slack_m_;
  std::vector<Node> nodes_;                 // branches stand behind their node
  std::vector<Leaf> leaves_;                // by face
  double made_at_m_ = 0.0, slack_m_ = 0.0;  // travel when boxes were made, and since
  double largest_m_ = 0.0;                  // coordinate of a box, for the rounding of its distance
  std::int64_t updates_ = 0;
};

template <typename Visit>
void SkinTree::visit_near(const Vec3& p, const double& best_squared_m2, const Visit& visit) const {
  // Seven of a node wait while its eighth is looked into; eleven levels hold what 32-bit counts allow.
  std::array<Waiting, 96> stack;
  const std::array<float, 3> at = {static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(p.z())};
  const double slack = slack_m_ + kFloatRounding * (largest_m_ + p.cwiseAbs().maxCoeff());
  double best = best_squared_m2;
  const auto find_reach = [&] {
    const double reach = std::sqrt(best) + slack;
    return static_cast<float>(std::min(reach * reach * (1.0 + kFloatRounding), 1e38));
  };
  float reach = find_reach();
  std::size_t height = 0;
  stack[height++] = {0.0F, 0};
  while (height > 0) {
    const Waiting next = stack[--height];
    if (next.squared_m2 > reach) continue;
    if (next.branch < 0) {
      const Leaf& leaf = leaves_[static_cast<std::size_t>(~next.branch)];
      if (squared_when_made(leaf, p) > static_cast<double>(reach)) continue;
      visit(~next.branch);
      if (best_squared_m2 < best) best = best_squared_m2, reach = find_reach();
      continue;
    }
    const Node& node = nodes_[static_cast<std::size_t>(next.branch)];
    const std::array<float, kBranches> squared = squared_to_boxes(node, at);
    // The nearest comes to the top.
    const std::size_t bottom = height;
    for (std::size_t b = 0; b < kBranches; ++b) {
      if (!(squared[b] <= reach)) continue;
      std::size_t place = height++;
      for (; place > bottom && stack[place - 1].squared_m2 < squared[b]; --place) stack[place] = stack[place - 1];
      stack[place] = {squared[b], node.branch[b]};
    }
  }
}

inline std::array<float, SkinTree::kBranches> SkinTree::squared_to_boxes(const Node& node,
                                                                         const std::array<float, 3>& p) {
  std::array<float, kBranches> squared;
  for (std::size_t b = 0; b < kBranches; ++b) {
    const float dx = std::max(std::max(node.min[0][b] - p[0], p[0] - node.max[0][b]), 0.0F),
                dy = std::max(std::max(node.min[1][b] - p[1], p[1] - node.max[1][b]), 0.0F),
                dz = std::max(std::max(node.min[2][b] - p[2], p[2] - node.max[2][b]), 0.0F);
    squared[b] = dx * dx + dy * dy + dz * dz;
  }
  return squared;
}

}  // namespace distal
