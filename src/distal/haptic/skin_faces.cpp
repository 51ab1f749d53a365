#include "distal/haptic/skin_faces.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <type_traits>

#include "distal/core/error.hpp"

namespace distal {
namespace {

std::array<std::int32_t, 3> sorted(std::array<std::int32_t, 3> three) {
  std::sort(three.begin(), three.end());
  return three;
}

// The three vertices of the mesh that carry a triangle of the skin.
std::array<std::int32_t, 3> carriers_of(const EmbeddedPoints& skin, const std::array<std::int32_t, 3>& triangle) {
  std::vector<std::int32_t> found;
  for (const std::int32_t v : triangle)
    for (std::size_t a = 0; a < 3; ++a)
      if (skin.place[static_cast<std::size_t>(v)][a] > 0.0) found.push_back(skin.facet[static_cast<std::size_t>(v)][a]);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  DISTAL_ASSERT(found.size() == 3);
  return {found[0], found[1], found[2]};
}

constexpr std::size_t kMiddle = 3;

}  // namespace

Vec3 angle_share(const std::array<Vec3, 3>& c, std::size_t k) {
  const Vec3 one = c[(k + 1) % 3] - c[k], two = c[(k + 2) % 3] - c[k], area = one.cross(two);
  const double size = area.norm();
  return size > 0.0 ? Vec3(std::atan2(size, one.dot(two)) / size * area) : Vec3(Vec3::Zero());
}

SkinFaces::SkinFaces(const SoftBody& body) : body_(body), carriers_(body) {
  if (body.skin_triangles.empty()) throw InputError("body '" + body.name + "' has no skin that could be touched");
  if (body.skin.facet.empty())
    take_triangles();
  else
    take_facets();
  find_around();
}

void SkinFaces::take_triangles() {
  corners_ = body_.skin_triangles;
  face_of_triangle_.resize(corners_.size());
  std::iota(face_of_triangle_.begin(), face_of_triangle_.end(), 0);
  for (const std::int32_t t : face_of_triangle_) triangles_.push_back({t, t, t, t});
}

// Every facet has been cut at the middles of its edges: a triangle at each corner, with the corner first, and the
// middle one (add_tet_skin).
void SkinFaces::take_facets() {
  const TetBody& tet = *body_.tet;
  std::map<std::array<std::int32_t, 3>, std::int32_t> face_at;
  for (const auto& facet : tet.facets) {
    face_at[sorted(facet)] = size();
    std::array<std::int32_t, 3> corner, particle;
    for (std::size_t a = 0; a < 3; ++a) {
      corner[a] = body_.vertex_sample[static_cast<std::size_t>(facet[a])];
      particle[a] = body_.first_particle + facet[a];
    }
    corners_.push_back(corner), particles_.push_back(particle);
  }
  triangles_.resize(corners_.size());
  for (std::size_t t = 0; t < body_.skin_triangles.size(); ++t) {
    const auto& triangle = body_.skin_triangles[t];
    const std::int32_t face = face_at.at(carriers_of(body_.skin, triangle));
    const auto& c = corners(face);
    const auto part = static_cast<std::size_t>(std::find(c.begin(), c.end(), triangle[0]) - c.begin());
    triangles_[static_cast<std::size_t>(face)][part] = static_cast<std::int32_t>(t);
    face_of_triangle_.push_back(face);
  }
}

void SkinFaces::find_around() {
  around_begin_.assign(body_.skin.size() + 1, 0);
  for (const auto& face : corners_)
    for (const std::int32_t v : face) ++around_begin_[static_cast<std::size_t>(v) + 1];
  std::partial_sum(around_begin_.begin(), around_begin_.end(), around_begin_.begin());
  around_.resize(3 * corners_.size());
  std::vector<std::int32_t> next(around_begin_.begin(), around_begin_.end() - 1);
  for (std::int32_t face = 0; face < size(); ++face)
    for (const std::int32_t v : corners(face))
      around_[static_cast<std::size_t>(next[static_cast<std::size_t>(v)]++)] = face;
}

void SkinFaces::arrange(std::span<const std::int32_t> order) {
  const auto arranged = [&](const auto& old) {
    std::remove_cvref_t<decltype(old)> all;
    for (const std::int32_t face : order)
      if (!old.empty()) all.push_back(old[static_cast<std::size_t>(face)]);
    return all;
  };
  corners_ = arranged(corners_), particles_ = arranged(particles_), triangles_ = arranged(triangles_);
  std::vector<std::int32_t> number(order.size());
  for (std::size_t f = 0; f < order.size(); ++f)
    number[static_cast<std::size_t>(order[f])] = static_cast<std::int32_t>(f);
  for (std::int32_t& face : face_of_triangle_) face = number[static_cast<std::size_t>(face)];
  find_around();
}

Vec3 SkinFaces::vertex_normal(const Vec3Array& x, std::int32_t v) const {
  Vec3 sum = Vec3::Zero();
  for (const std::int32_t face : around(v)) {
    const auto& c = corners(face);
    sum += angle_share(places(x, face), static_cast<std::size_t>(std::find(c.begin(), c.end(), v) - c.begin()));
  }
  return sum;
}

std::array<Vec3, 3> SkinFaces::rest_places(std::int32_t face) const {
  const auto& c = corners(face);
  const auto at = [&](std::size_t a) { return body_.skin_rest_m[static_cast<std::size_t>(c[a])]; };
  return {at(0), at(1), at(2)};
}

// Corner a's triangle has the corner, the middle of the edge to the next corner and that of the edge to the last one;
// the one in the middle has the middles of the edges from corner 0, 1 and 2 on.
TrianglePoint SkinFaces::triangle_point(std::int32_t face, const Vec3& w) const {
  const auto& parts = triangles_[static_cast<std::size_t>(face)];
  if (particles_.empty()) return {parts[kMiddle], w};
  for (Eigen::Index a = 0; a < 3; ++a)
    if (w[a] >= 0.5)
      return {
          parts[static_cast<std::size_t>(a)],
          {std::max(0.0, 1.0 - 2.0 * (w[(a + 1) % 3] + w[(a + 2) % 3])), 2.0 * w[(a + 1) % 3], 2.0 * w[(a + 2) % 3]}};
  return {parts[kMiddle], {1.0 - 2.0 * w[2], 1.0 - 2.0 * w[0], 1.0 - 2.0 * w[1]}};
}

Vec3 SkinFaces::face_weight(std::int32_t face, const TrianglePoint& point) const {
  if (particles_.empty()) return point.weight;
  const auto& parts = triangles_[static_cast<std::size_t>(face)];
  const auto part = static_cast<std::size_t>(std::find(parts.begin(), parts.end(), point.triangle) - parts.begin());
  const Vec3& w = point.weight;
  if (part == kMiddle) return {0.5 * (w[0] + w[2]), 0.5 * (w[0] + w[1]), 0.5 * (w[1] + w[2])};
  Vec3 whole;
  const auto a = static_cast<Eigen::Index>(part);
  whole[a] = w[0] + 0.5 * (w[1] + w[2]), whole[(a + 1) % 3] = 0.5 * w[1], whole[(a + 2) % 3] = 0.5 * w[2];
  return whole;
}

}  // namespace distal
