// The flat faces of a soft body's skin: the facets of its tetrahedra, each of which four triangles of the skin share,
// or on a lattice the triangles themselves.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "distal/state/embedding.hpp"

namespace distal {

// A point of the skin as the rest of the program names it.
struct TrianglePoint {
  std::int32_t triangle;  // of SoftBody::skin_triangles
  Vec3 weight;            // of its corners
};

class SkinFaces {
 public:
  // The body must outlive it. Throws InputError for one without a skin.
  explicit SkinFaces(const SoftBody& body);

  std::size_t vertex_count() const { return body_.skin.size(); }  // of the skin; not all are corners of faces
  std::int32_t size() const { return static_cast<std::int32_t>(corners_.size()); }
  const std::array<std::int32_t, 3>& corners(std::int32_t face) const {  // vertices of the skin
    return corners_[static_cast<std::size_t>(face)];
  }
  std::span<const std::int32_t> around(std::int32_t v) const {  // faces at a vertex
    const auto begin = static_cast<std::size_t>(around_begin_[static_cast<std::size_t>(v)]);
    return std::span(around_).subspan(begin,
                                      static_cast<std::size_t>(around_begin_[static_cast<std::size_t>(v) + 1]) - begin);
  }

  // Gives faces new numbers: those that stand together are then read together.
  void arrange(std::span<const std::int32_t> order);

  // Now.
  Vec3 vertex(const Vec3Array& x, std::int32_t v) const {
    return carriers_.interpolate(body_.skin, static_cast<std::size_t>(v), x);
  }
  std::array<Vec3, 3> places(const Vec3Array& x, std::int32_t face) const {
    if (particles_.empty()) {
      const auto& c = corners(face);
      return {vertex(x, c[0]), vertex(x, c[1]), vertex(x, c[2])};
    }
    const auto& p = particles_[static_cast<std::size_t>(face)];
    return {x.get(static_cast<std::size_t>(p[0])), x.get(static_cast<std::size_t>(p[1])),
            x.get(static_cast<std::size_t>(p[2]))};
  }
  Vec3 area_vector(const Vec3Array& x, std::int32_t face) const {  // twice the area, outwards
    const auto c = places(x, face);
    return (c[1] - c[0]).cross(c[2] - c[0]);
  }
  Vec3 vertex_normal(const Vec3Array& x, std::int32_t v) const;  // angle-weighted, of any length

  // At rest, in the body's frame.
  std::array<Vec3, 3> rest_places(std::int32_t face) const;

  std::int32_t face_of(std::int32_t triangle) const { return face_of_triangle_[static_cast<std::size_t>(triangle)]; }
  TrianglePoint triangle_point(std::int32_t face, const Vec3& weight) const;
  Vec3 face_weight(std::int32_t face, const TrianglePoint& point) const;

 private:
  void take_facets();
  void take_triangles();
  void find_around();

  const SoftBody& body_;
  CellCorners carriers_;
  std::vector<std::array<std::int32_t, 3>> corners_;
  std::vector<std::array<std::int32_t, 3>> particles_;  // at the corners of facets; empty: cells carry them
  std::vector<std::array<std::int32_t, 4>> triangles_;  // of a face: at each corner, and the middle one
  std::vector<std::int32_t> face_of_triangle_;
  std::vector<std::int32_t> around_begin_, around_;
};

// Of a face, in the normal of its corner `k`: by its angle there (paper 4, 4.4.2), which does not depend on how faces
// are cut up.
Vec3 angle_share(const std::array<Vec3, 3>& corners, std::size_t k);

}  // namespace distal
