#include "distal/haptic/skin_index.hpp"

#include "distal/contact/facet_law.hpp"

namespace distal {

SkinIndex::SkinIndex(const SoftBody& body)
    : faces_(body), tree_(faces_, body.spacing_m()), footprint_(body, faces_, kTipOfSpacing * body.spacing_m()) {}

void SkinIndex::try_face(const Vec3Array& x, std::int32_t face, const Vec3& p, Nearest& best) const {
  const auto c = faces_.places(x, face);
  const std::array<double, 3> w = nearest_in_facet(c, p);
  const double squared = (w[0] * c[0] + w[1] * c[1] + w[2] * c[2] - p).squaredNorm();
  if (squared < best.squared_m2) best = {face, w, squared};
}

void SkinIndex::try_around(const Vec3Array& x, std::int32_t v, const Vec3& p, Nearest& best) const {
  for (const std::int32_t face : faces_.around(v)) try_face(x, face, p, best);
}

SkinPoint SkinIndex::find(const Vec3Array& x, const Vec3& p) const {
  Nearest best;
  tree_.visit_near(p, best.squared_m2, [&](std::int32_t face) { try_face(x, face, p, best); });
  return finish(x, p, best);
}

SkinPoint SkinIndex::find_from(const Vec3Array& x, const Vec3& p, std::int32_t triangle) const {
  Nearest best;
  try_face(x, faces_.face_of(triangle), p, best);
  for (std::int32_t from = -1; from != best.face;) {
    from = best.face;
    for (const std::int32_t v : faces_.corners(from)) try_around(x, v, p, best);
  }
  return finish(x, p, best);
}

SkinPoint SkinIndex::find_by_node(const Vec3Array& x, const Vec3& p) const {
  double squared = 1e300;
  std::int32_t node = -1;
  tree_.visit_near(p, squared, [&](std::int32_t face) {
    for (const std::int32_t v : faces_.corners(face))
      if (const double distance = (faces_.vertex(x, v) - p).squaredNorm(); distance < squared)
        squared = distance, node = v;
  });
  Nearest best;
  try_around(x, node, p, best);
  return finish(x, p, best);
}

// Of the face, the edge or the corner: by what has weight.
Vec3 SkinIndex::normal_at(const Vec3Array& x, std::int32_t face, const Vec3& weight) const {
  const auto& corners = faces_.corners(face);
  Vec3 normal = faces_.area_vector(x, face).normalized();
  std::size_t with_weight = 0, with = 0, without = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    if (weight[static_cast<Eigen::Index>(a)] > 0.0)
      ++with_weight, with = a;
    else
      without = a;
  }
  if (with_weight == 1) return faces_.vertex_normal(x, corners[with]).normalized();
  if (with_weight == 3) return normal;
  const std::int32_t from = corners[(without + 1) % 3], to = corners[(without + 2) % 3];
  for (const std::int32_t other : faces_.around(from)) {
    const auto& c = faces_.corners(other);
    if (other != face && std::find(c.begin(), c.end(), to) != c.end())
      normal += faces_.area_vector(x, other).normalized();
  }
  return normal.normalized();
}

SkinPoint SkinIndex::finish(const Vec3Array& x, const Vec3& p, const Nearest& nearest) const {
  const Vec3 weight(nearest.weight[0], nearest.weight[1], nearest.weight[2]);
  const auto c = faces_.places(x, nearest.face);
  const TrianglePoint at = faces_.triangle_point(nearest.face, weight);
  SkinPoint point;
  point.triangle = at.triangle;
  point.weight = at.weight;
  point.place = weight[0] * c[0] + weight[1] * c[1] + weight[2] * c[2];
  point.normal = normal_at(x, nearest.face, weight);
  const double distance = std::sqrt(nearest.squared_m2);
  point.distance_m = (p - point.place).dot(point.normal) < 0.0 ? -distance : distance;
  return point;
}

Vec3 SkinIndex::place(const Vec3Array& x, const SkinPoint& point) const {
  const std::int32_t face = faces_.face_of(point.triangle);
  const Vec3 w = faces_.face_weight(face, {point.triangle, point.weight});
  const auto c = faces_.places(x, face);
  return w[0] * c[0] + w[1] * c[1] + w[2] * c[2];
}

Vec3 SkinIndex::mean_normal(const Vec3Array& x, const SkinPoint& point) const {
  const std::int32_t face = faces_.face_of(point.triangle);
  const Vec3 normal = footprint_.find_normal(faces_, x, face, faces_.face_weight(face, {point.triangle, point.weight}));
  return normal.norm() > 0.0 ? Vec3(normal.normalized()) : point.normal;
}

SkinPoint SkinIndex::nearest_corner(const Vec3Array& x, const SkinPoint& point, const Vec3& p) const {
  SkinPoint corner = point;
  double nearest = 1e300;
  for (Eigen::Index a = 0; a < 3; ++a) {
    SkinPoint at = point;
    at.weight = Vec3::Unit(a);
    at.place = place(x, at);
    if (const double squared = (at.place - p).squaredNorm(); squared < nearest) nearest = squared, corner = at;
  }
  const std::int32_t face = faces_.face_of(corner.triangle);
  corner.normal = normal_at(x, face, faces_.face_weight(face, {corner.triangle, corner.weight}));
  return corner;
}

}  // namespace distal
