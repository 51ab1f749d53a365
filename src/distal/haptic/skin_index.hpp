// Finds the point of a soft body's skin that is nearest to a point, at a cost that hardly grows with the body, and the
// normal there. Paper 4, 4.2; docs/models/haptics.md.
#pragma once
#include "distal/haptic/skin_footprint.hpp"
#include "distal/haptic/skin_tree.hpp"

namespace distal {

struct SkinPoint {
  std::int32_t triangle = -1;  // of SoftBody::skin_triangles; -1: none
  Vec3 weight = Vec3::UnitX();
  Vec3 place = Vec3::Zero();  // world
  // Out of the body at the nearest face, edge or corner, angle-weighted; unit.
  Vec3 normal = Vec3::UnitZ();
  double distance_m = 0.0;  // negative: inside, paper 4's condition (3)
};

// Of the spacing: the radius of the tip whose footprint tells the normal. One point dents a skin as wide as its
// spacing; the walls of that dent are the mesh's and not what a tip would lean on.
inline constexpr double kTipOfSpacing = 2.0;

class SkinIndex {
 public:
  // The body must outlive it. Throws InputError for one without a skin.
  explicit SkinIndex(const SoftBody& body);

  // Before queries. `travelled_m` bounds how far anything has moved since any time (Workspace::travelled_m).
  void update(const Vec3Array& x, double travelled_m) { tree_.update(faces_, x, travelled_m); }

  // Of all the skin.
  SkinPoint find(const Vec3Array& x, const Vec3& p) const;
  // From a triangle on, as long as it gets nearer: what was touched stays touched where another side of the body is
  // nearer (paper 4, Fig. 11).
  SkinPoint find_from(const Vec3Array& x, const Vec3& p, std::int32_t triangle) const;
  // As printed: the nearest node, then the faces around it.
  SkinPoint find_by_node(const Vec3Array& x, const Vec3& p) const;
  // Where a point of the skin is now.
  Vec3 place(const Vec3Array& x, const SkinPoint& point) const;
  // Of the skin that a round tip would cover.
  Vec3 mean_normal(const Vec3Array& x, const SkinPoint& point) const;
  // The corner of its triangle that is nearest to p.
  SkinPoint nearest_corner(const Vec3Array& x, const SkinPoint& point, const Vec3& p) const;

  std::int64_t updates() const { return tree_.updates(); }  // how often all boxes were made anew

 private:
  struct Nearest {
    std::int32_t face = -1;
    std::array<double, 3> weight{};
    double squared_m2 = 1e300;
  };

  void try_face(const Vec3Array& x, std::int32_t face, const Vec3& p, Nearest& best) const;
  void try_around(const Vec3Array& x, std::int32_t v, const Vec3& p, Nearest& best) const;
  Vec3 normal_at(const Vec3Array& x, std::int32_t face, const Vec3& weight) const;
  SkinPoint finish(const Vec3Array& x, const Vec3& p, const Nearest& nearest) const;

  SkinFaces faces_;
  SkinTree tree_;
  SkinFootprint footprint_;
};

}  // namespace distal
