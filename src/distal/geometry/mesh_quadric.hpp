// The quadric of a convex mesh around a contact (paper 3, 4.1), with memory that is kept between calls.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "distal/geometry/quadric_fit.hpp"

namespace distal {

struct MeshQuadric {
  SurfaceQuadric quadric;
  double standard_deviation_m = 0.0;  // of the fit; 0 where the face is flat
};

class MeshQuadrics {
 public:
  // At the surface point nearest to `local_point`, over `radius_m` or as much more as holds enough triangles to show a
  // curvature. A mesh that would need more than a third of its size is as flat as its face.
  MeshQuadric find(const ConvexHull& hull, const Vec3& local_point, double radius_m);

 private:
  QuadricFitter& fitter_of(const ConvexHull& hull);

  std::vector<std::pair<const ConvexHull*, std::unique_ptr<QuadricFitter>>> fitters_;
};

}  // namespace distal
