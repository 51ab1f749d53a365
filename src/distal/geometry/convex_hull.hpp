// A convex polyhedron given by a closed triangle mesh, with all that distance, mass and collision need, built once.
#pragma once
#include <memory>
#include <span>
#include <string>

#include "distal/geometry/triangle_mesh.hpp"

namespace distal {

class SurfaceIndex;

// Of a body of unit density.
struct SolidMass {
  double volume_m3 = 0.0;
  Vec3 centre_m = Vec3::Zero();
  Mat3 inertia_per_mass_m2 = Mat3::Zero();  // about the centre
};
SolidMass find_solid_mass(const TriangleMesh& closed_mesh);

class ConvexHull {
 public:
  struct Face {
    Vec3 normal;                        // unit, outwards
    double offset_m = 0.0;              // normal . p of its plane
    std::int32_t first = 0, count = 0;  // in corners(), counter-clockwise seen from outside
  };
  struct Edge {
    std::array<std::int32_t, 2> corners;
    std::array<std::int32_t, 2> faces;
  };

  // Throws InputError for a mesh that is open, turned inside out, flat, or further from its hull than 1 % of its
  // extent.
  explicit ConvexHull(TriangleMesh mesh);
  ~ConvexHull();
  ConvexHull(const ConvexHull&) = delete;
  ConvexHull& operator=(const ConvexHull&) = delete;

  const TriangleMesh& mesh() const { return mesh_; }         // as given
  const SurfaceIndex& surface() const { return *surface_; }  // of the mesh as given
  const std::vector<Vec3>& vertices() const { return vertices_; }
  const std::vector<Face>& faces() const { return faces_; }
  const std::vector<Edge>& edges() const { return edges_; }
  std::span<const std::int32_t> corners(const Face& face) const {
    return std::span(corners_).subspan(static_cast<std::size_t>(face.first), static_cast<std::size_t>(face.count));
  }
  std::span<const std::int32_t> vertices_at(std::int32_t vertex) const { return around(vertex, vertices_at_); }
  std::span<const std::int32_t> faces_at(std::int32_t vertex) const { return around(vertex, faces_at_); }
  const SolidMass& mass() const { return mass_; }
  // Of the farthest vertex from the origin, and from the centre of mass.
  double reach_m() const { return reach_m_; }
  double reach_from_centre_m() const { return reach_from_centre_m_; }
  std::int32_t find_support(const Vec3& direction) const;
  // To the surface, negative inside; the normal as of Shape.
  double signed_distance(const Vec3& p, Vec3& normal) const;

 private:
  struct Neighbours {
    std::vector<std::int32_t> first, list;
  };
  static std::span<const std::int32_t> around(std::int32_t vertex, const Neighbours& all) {
    const auto v = static_cast<std::size_t>(vertex);
    return std::span(all.list).subspan(static_cast<std::size_t>(all.first[v]),
                                       static_cast<std::size_t>(all.first[v + 1] - all.first[v]));
  }
  void check_input(double extent_m) const;
  void check_convex(double extent_m) const;
  void find_edges();

  TriangleMesh mesh_;
  std::vector<Vec3> vertices_;
  std::vector<Face> faces_;
  std::vector<std::int32_t> corners_, face_of_triangle_;  // the latter of hull_surface_
  std::vector<Edge> edges_;
  Neighbours vertices_at_, faces_at_;
  std::array<std::int32_t, 6> extremes_{};  // where the search for a support starts
  SolidMass mass_;
  double reach_m_ = 0.0, reach_from_centre_m_ = 0.0;
  std::unique_ptr<SurfaceIndex> surface_, hull_surface_;
};

// A closed convex surface from an STL, OBJ or PLY file, whose numbers times `scale` are metres; the file is named in
// refusals.
std::shared_ptr<const ConvexHull> load_convex_hull(const std::string& file, const Vec3& scale = Vec3::Ones());

}  // namespace distal
