// A convex shape at its place as collision sees it: a core (point, segment, box,
// cylinder, polyhedron) grown by a radius.
#pragma once
#include <array>
#include <cstdint>

#include "distal/geometry/shape.hpp"

namespace distal {

// What of a core lies towards a direction: a corner, an edge or a face; nearly level counts as level.
struct CoreFeature {
  static constexpr int kMost = 32;
  std::array<Vec3, kMost> points;          // a face's run around it
  std::array<std::uint32_t, kMost> edges;  // number of the edge behind each point
  int count = 0;

  void add(const Vec3& point, std::uint32_t edge) {
    const auto i = static_cast<std::size_t>(count++);
    points[i] = point, edges[i] = edge;
  }
};

class ConvexCore {
 public:
  // Planes and unions have none.
  ConvexCore(const Shape& shape, const PointMap& place);

  double radius_m() const { return radius_m_; }
  // No point of the core is farther from its centre.
  double reach_m() const { return reach_m_; }
  const Vec3& centre() const { return centre_; }

  // The core's farthest point towards a direction of any length.
  Vec3 find_support(const Vec3& direction) const;
  CoreFeature find_feature(const Vec3& direction) const;
  // The same without a limit on its slope: the face (or segment) nearest to level that holds the support.
  CoreFeature find_lowest_feature(const Vec3& direction) const;

  // Directions of faces (to be tried with their opposites) and of edges; a cylinder's side has neither.
  int face_count() const;
  int edge_count() const;
  Vec3 face_normal(int i) const;
  Vec3 edge_direction(int i) const;
  // Supports move smoothly: normals are found by iteration, and settled by find_directions.
  bool is_round() const { return kind_ == Kind::cylinder; }

  // Directions to try instead of `n`, which points out of the core, by `facing`, the nearest point of the other core,
  // and the other's centre.
  struct Directions {
    static constexpr int kMost = 16;
    struct List {
      std::array<Vec3, kMost> all;
      int count = 0;
      void add(const Vec3& v) {
        if (count < kMost) all[static_cast<std::size_t>(count++)] = v;
      }
      const Vec3* begin() const { return all.data(); }
      const Vec3* end() const { return all.data() + count; }
    };
    List faces, edges;
    List radii;  // of a round side, the likeliest first
  };
  Directions find_directions(const Vec3& n, const Vec3& facing, const Vec3& other_centre) const;

 private:
  enum class Kind { point, segment, box, cylinder, polyhedron };

  Vec3 axis() const { return place_.rotation.col(2); }
  Vec3 find_local_support(const Vec3& local) const;
  CoreFeature find_feature_within(const Vec3& direction, double level_sine) const;
  void add_box_feature(const Vec3& local, double level_sine, CoreFeature& feature) const;
  void add_cylinder_feature(const Vec3& local, double level_sine, CoreFeature& feature) const;
  void add_polyhedron_feature(const Vec3& local, double level_sine, CoreFeature& feature) const;
  void add_face(const ConvexHull::Face& face, CoreFeature& feature) const;

  Kind kind_ = Kind::point;
  PointMap place_;
  Vec3 centre_;
  Vec3 half_m_ = Vec3::Zero();  // of a box; of a segment along z; radius, 0 and half length of a cylinder
  const ConvexHull* hull_ = nullptr;
  double radius_m_ = 0.0, reach_m_ = 0.0;
};

}  // namespace distal
