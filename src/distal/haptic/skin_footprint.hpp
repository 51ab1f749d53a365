// The normal of a skin as a round tip would feel it: the mean over what the tip covers. Turns smoothly, and not with
// the dent of a single vertex (docs/models/haptics.md). The skin is taken in pieces, and what a tip on a piece may
// cover is listed in advance.
#pragma once
#include "distal/haptic/skin_faces.hpp"

namespace distal {

class SkinFootprint {
 public:
  SkinFootprint(const SoftBody& body, const SkinFaces& faces, double radius_m);

  // At a point of a face; not of unit length, zero where all that is covered has no area. Another side of a sharp edge
  // does not count.
  Vec3 find_normal(const SkinFaces& faces, const Vec3Array& x, std::int32_t face, const Vec3& weight) const;

 private:
  static constexpr std::size_t kBundle = 8;
  // Of the skin at rest, in pieces: a face, or all small faces that a cell of a lattice carries. Eight neighbours side
  // by side, so that a vector takes them together; in single precision.
  struct Bundle {
    std::array<std::array<float, kBundle>, 3> middle_m{}, normal{};  // no piece: normal 0
    std::array<float, kBundle> twice_area_m2{};
    std::array<std::int32_t, kBundle> carrier{};  // the face, or ~particle of the cell's lowest corner
  };
  class Builder;

  static std::array<float, kBundle> find_shares(const Bundle& bundle, const std::array<float, 3>& middle_m,
                                                const std::array<float, 3>& facing, float per_square_m2);
  Vec3 area_vector(const SkinFaces& faces, const Vec3Array& x, const Bundle& bundle, std::size_t piece) const;

  double radius_m_;
  double cell_size_m_ = 0.0;  // of a lattice
  std::array<std::size_t, 8> corner_offset_{};
  std::vector<Bundle> bundles_;
  std::vector<std::int32_t> piece_of_face_;
  std::vector<Vec3> vertex_normal_;                    // at rest, of the skin's vertices
  std::vector<std::int32_t> covered_begin_, covered_;  // bundles, for each piece
};

}  // namespace distal
