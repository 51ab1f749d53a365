#include "distal/haptic/skin_tree.hpp"

#include <numeric>

#include "distal/contact/facet_law.hpp"
#include "distal/geometry/triangle_mesh.hpp"

namespace distal {
namespace {

constexpr double kSlackOfSpacing = 0.5;  // boxes are made anew after so much travel

// Those with the smaller coordinates across the longest side come first; tells how many.
std::size_t halve(std::span<std::int32_t> faces, std::size_t bundle, std::span<const Vec3> middles) {
  const std::size_t half = std::min((faces.size() / 2 + bundle - 1) / bundle * bundle, faces.size());
  Aabb box;
  for (const std::int32_t f : faces) box.add(middles[static_cast<std::size_t>(f)]);
  Eigen::Index axis = 0;
  (box.max - box.min).maxCoeff(&axis);
  std::nth_element(faces.begin(), faces.begin() + static_cast<std::ptrdiff_t>(half), faces.end(),
                   [&](std::int32_t a, std::int32_t b) {
                     return middles[static_cast<std::size_t>(a)][axis] < middles[static_cast<std::size_t>(b)][axis];
                   });
  return half;
}

}  // namespace

SkinTree::SkinTree(SkinFaces& faces, double spacing_m) : most_slack_m_(kSlackOfSpacing * spacing_m) {
  std::vector<Vec3> middles;
  for (std::int32_t f = 0; f < faces.size(); ++f) {
    const auto c = faces.rest_places(f);
    middles.emplace_back((c[0] + c[1] + c[2]) / 3.0);
  }
  std::vector<std::int32_t> order(middles.size());
  std::iota(order.begin(), order.end(), 0);
  leaves_.resize(middles.size());
  build(order, 0, middles);
  faces.arrange(order);
}

// By the shape at rest; boxes come later. Halves, quarters, eighths, in bundles that fill a node.
std::int32_t SkinTree::build(std::span<std::int32_t> faces, std::int32_t first, std::span<const Vec3> middles) {
  const std::size_t bundle = faces.size() > kBranches ? kBranches : 1;
  std::array<std::span<std::int32_t>, kBranches> parts{faces};
  for (std::size_t count = 1; count < kBranches; count *= 2)
    for (std::size_t i = count; i-- > 0;) {
      const std::span<std::int32_t> whole = parts[i];
      const std::size_t half = whole.empty() ? 0 : halve(whole, bundle, middles);
      parts[2 * i] = whole.first(half), parts[2 * i + 1] = whole.subspan(half);
    }
  const std::size_t node = nodes_.size();
  nodes_.emplace_back();
  for (std::size_t b = 0; b < kBranches; ++b) {
    clear_box(nodes_[node], b);
    nodes_[node].branch[b] = 0;
    const auto at = static_cast<std::int32_t>(first + (parts[b].data() - faces.data()));
    if (parts[b].size() == 1) nodes_[node].branch[b] = ~at;
    if (parts[b].size() <= 1) continue;
    const std::int32_t branch = build(parts[b], at, middles);
    nodes_[node].branch[b] = branch;
  }
  return static_cast<std::int32_t>(node);
}

void SkinTree::clear_box(Node& node, std::size_t branch) {
  for (std::size_t a = 0; a < 3; ++a) {
    node.min[a][branch] = std::numeric_limits<float>::infinity();
    node.max[a][branch] = -std::numeric_limits<float>::infinity();
  }
}

void SkinTree::make_box(const SkinFaces& faces, const Vec3Array& x, std::size_t n, std::size_t b) {
  Node& node = nodes_[n];
  clear_box(node, b);
  const auto add = [&](const auto& low, const auto& high) {
    for (std::size_t a = 0; a < 3; ++a) {
      node.min[a][b] = std::min(node.min[a][b], low(a));
      node.max[a][b] = std::max(node.max[a][b], high(a));
    }
  };
  if (const std::int32_t branch = node.branch[b]; branch < 0) {
    Leaf& leaf = leaves_[static_cast<std::size_t>(~branch)];
    const std::array<Vec3, 3> corners = faces.places(x, ~branch);
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t a = 0; a < 3; ++a) leaf[k][a] = static_cast<float>(corners[k][static_cast<Eigen::Index>(a)]);
      largest_m_ = std::max(largest_m_, corners[k].cwiseAbs().maxCoeff());
      const auto at = [&](std::size_t a) { return leaf[k][a]; };
      add(at, at);
    }
  } else if (branch > 0) {
    const Node& child = nodes_[static_cast<std::size_t>(branch)];
    for (std::size_t k = 0; k < kBranches; ++k)
      add([&](std::size_t a) { return child.min[a][k]; }, [&](std::size_t a) { return child.max[a][k]; });
  }
}

void SkinTree::update(const SkinFaces& faces, const Vec3Array& x, double travelled_m) {
  slack_m_ = travelled_m - made_at_m_;
  if (updates_ > 0 && slack_m_ <= most_slack_m_) return;
  largest_m_ = 0.0;
  for (std::size_t n = nodes_.size(); n-- > 0;)
    for (std::size_t b = 0; b < kBranches; ++b) make_box(faces, x, n, b);
  made_at_m_ = travelled_m, slack_m_ = 0.0;
  ++updates_;
}

double SkinTree::squared_when_made(const Leaf& leaf, const Vec3& p) {
  const auto at = [&](std::size_t k) {
    return Vec3(static_cast<double>(leaf[k][0]), static_cast<double>(leaf[k][1]), static_cast<double>(leaf[k][2]));
  };
  const std::array<Vec3, 3> c = {at(0), at(1), at(2)};
  const std::array<double, 3> w = nearest_in_facet(c, p);
  return (w[0] * c[0] + w[1] * c[1] + w[2] * c[2] - p).squaredNorm();
}

}  // namespace distal
