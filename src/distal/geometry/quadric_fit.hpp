// Least-squares quadric of a triangle mesh around a contact point: over the surface itself, not its vertices, so that
// uneven triangles weigh what they should. Method and limits: docs/models/soft_finger.md.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "distal/geometry/surface_quadric.hpp"

namespace distal {

// A mesh with its neighbours and a box tree, built once. Open edges and edges of more than two triangles end a walk.
class SurfaceIndex {
 public:
  // Throws InputError for a mesh without triangles or with a corner that does not exist.
  explicit SurfaceIndex(TriangleMesh mesh);

  const TriangleMesh& mesh() const { return mesh_; }
  // Across the edge from corner k to corner k + 1; -1 where there is none.
  const std::array<std::int32_t, 3>& neighbours(std::int32_t triangle) const {
    return neighbours_[static_cast<std::size_t>(triangle)];
  }
  std::array<Vec3, 3> corners(std::int32_t triangle) const;
  // In time that grows like the logarithm of the mesh.
  std::int32_t find_nearest_triangle(const Vec3& p) const;

 private:
  struct Node {
    Aabb box;
    std::int32_t second = 0;  // the second child (the first follows its parent), or a leaf's first triangle in order_
    std::int32_t count = 0;   // triangles of a leaf, 0 otherwise
  };
  void find_neighbours();
  void build(std::int32_t begin, std::int32_t end);

  TriangleMesh mesh_;
  std::vector<std::array<std::int32_t, 3>> neighbours_;
  std::vector<std::int32_t> order_;
  std::vector<Node> nodes_;
};

// Nearest point of a triangle.
Vec3 nearest_on_triangle(const std::array<Vec3, 3>& corners, const Vec3& p);

struct QuadricFit {
  SurfaceQuadric quadric;
  double standard_deviation_m = 0.0;  // of the distance between quadric and mesh, over the region
  double offset_m = 0.0;              // of the quadric's top from the given point, into the body
  double area_m2 = 0.0;               // of mesh inside the region
  int triangles = 0;                  // with a part in it: with few of them the fit sees facets and no curvature
};

// Fits, with memory that is kept between calls; one for each thread.
class QuadricFitter {
 public:
  explicit QuadricFitter(const SurfaceIndex& index);

  // Around `point` with the outward unit `normal`, over what hangs together with the nearest triangle within `radius_m`
  // and does not turn away from the normal by 60 degrees or more: beyond that lies another face. Throws InputError for
  // a radius that is not positive, and if no triangle faces the normal there.
  QuadricFit fit(const Vec3& point, const Vec3& normal, double radius_m);
  // The same from a known triangle, at a cost that does not depend on the mesh.
  QuadricFit fit_from(std::int32_t triangle, const Vec3& point, const Vec3& normal, double radius_m);

 private:
  struct Sample {
    Vec3 place;     // along x, y and into the body [m]
    double weight;  // [m^2]
  };
  using Terms = Eigen::Matrix<double, 7, 1>;  // A, B, C, shift, tilt along x and y, and that of z^2
  Terms solve(double radius_m, int triangles) const;
  void collect(std::int32_t first, const Vec3& point, const Mat3& frame, double radius_m, QuadricFit& fit);
  void add_samples(const std::array<Vec3, 3>& corners, const Vec3& point, const Mat3& frame, double radius_m,
                   QuadricFit& fit);
  void add_part(const std::array<Vec3, 3>& corners, double radius_m, QuadricFit& fit);

  const SurfaceIndex& index_;
  std::vector<std::uint32_t> seen_;  // the walk that saw a triangle last
  std::uint32_t walk_ = 0;
  std::vector<std::int32_t> queue_;
  std::vector<Sample> samples_;
};

}  // namespace distal
