#include "distal/geometry/mesh_quadric.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "distal/geometry/convex_hull.hpp"

namespace distal {
namespace {

// With fewer triangles under the patch, a fit sees facets and no curvature.
constexpr int kFewTriangles = 24;
constexpr double kWidest = 1.0 / 3.0;  // of the mesh's reach
constexpr double kWiden = 1.3;

}  // namespace

QuadricFitter& MeshQuadrics::fitter_of(const ConvexHull& hull) {
  const auto same = [&](const auto& known) { return known.first == &hull; };
  auto known = std::find_if(fitters_.begin(), fitters_.end(), same);
  if (known == fitters_.end())
    known = fitters_.emplace(fitters_.end(), &hull, std::make_unique<QuadricFitter>(hull.surface()));
  return *known->second;
}

MeshQuadric MeshQuadrics::find(const ConvexHull& hull, const Vec3& local_point, double radius_m) {
  const SurfaceIndex& surface = hull.surface();
  const std::int32_t nearest = surface.find_nearest_triangle(local_point);
  const auto corners = surface.corners(nearest);
  const Vec3 area = 0.5 * (corners[1] - corners[0]).cross(corners[2] - corners[0]);
  MeshQuadric flat;
  flat.quadric.normal = area.stableNormalized();
  flat.quadric.x_axis = any_tangent(flat.quadric.normal);
  const Vec3 point = nearest_on_triangle(corners, local_point);
  double radius = std::max(radius_m, std::sqrt(kFewTriangles * area.norm() / std::numbers::pi));
  for (; radius <= kWidest * hull.reach_from_centre_m(); radius *= kWiden) {
    const QuadricFit fit = fitter_of(hull).fit_from(nearest, point, flat.quadric.normal, radius);
    if (fit.triangles >= kFewTriangles) return {fit.quadric, fit.standard_deviation_m};
  }
  return flat;
}

}  // namespace distal
