#include "distal/sensor/surface_points.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "distal/core/error.hpp"
#include "distal/state/embedding.hpp"

namespace distal {
namespace {

using Weights = std::array<double, 3>;

// Of the point between a and b that is nearest to p.
double share_of_edge(const Vec3& p, const Vec3& a, const Vec3& b) {
  const double length = (b - a).squaredNorm();
  return length > 0.0 ? std::clamp((p - a).dot(b - a) / length, 0.0, 1.0) : 0.0;
}

// Barycentric weights of the triangle's point that is nearest to p: inside if p lies above it, else on an edge.
Weights nearest_weights(const Vec3& p, const std::array<Vec3, 3>& corner) {
  const Vec3 normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
  Weights weights{};
  bool inside = normal.squaredNorm() > 0.0;
  for (std::size_t a = 0; a < 3 && inside; ++a) {
    const Vec3 &from = corner[(a + 1) % 3], &to = corner[(a + 2) % 3];
    weights[a] = normal.dot((to - from).cross(p - from)) / normal.squaredNorm();
    inside = weights[a] >= 0.0;
  }
  if (inside) return weights;
  double nearest = 1e300;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::size_t b = (a + 1) % 3;
    const double share = share_of_edge(p, corner[a], corner[b]);
    const double distance = (corner[a] + share * (corner[b] - corner[a]) - p).squaredNorm();
    if (distance >= nearest) continue;
    nearest = distance;
    weights = {};
    weights[a] = 1.0 - share;
    weights[b] = share;
  }
  return weights;
}

}  // namespace

SurfacePoints find_surface_points(const SoftBody& body, const std::vector<Vec3>& points_m, const std::string& where) {
  SurfacePoints result;
  for (std::size_t i = 0; i < points_m.size(); ++i) {
    double nearest = 1e300;
    Vec3 place = Vec3::Zero();
    std::array<std::int32_t, 3> samples{};
    Weights weights{};
    for (const auto& triangle : body.skin_triangles) {
      std::array<Vec3, 3> corner;
      for (std::size_t a = 0; a < 3; ++a) corner[a] = body.skin_rest_m[static_cast<std::size_t>(triangle[a])];
      const Weights here = nearest_weights(points_m[i], corner);
      const Vec3 at = here[0] * corner[0] + here[1] * corner[1] + here[2] * corner[2];
      if (const double distance = (at - points_m[i]).norm(); distance < nearest) {
        nearest = distance;
        place = at;
        samples = triangle;
        weights = here;
      }
    }
    const double allowed = 0.5 * body.spacing_m();
    if (nearest > allowed)
      throw InputError(
          fmt::format("{}: point {} at ({:.6g}, {:.6g}, {:.6g}) m is {:.3g} m from the surface of body.{}, "
                      "allowed: {:.3g} m; the nearest point of the surface is ({:.6g}, {:.6g}, {:.6g}) m",
                      where, i, points_m[i].x(), points_m[i].y(), points_m[i].z(), nearest, body.name, allowed,
                      place.x(), place.y(), place.z()));
    result.rest_m.push_back(place);
    result.samples.push_back(samples);
    result.weights.push_back(weights);
  }
  return result;
}

std::vector<Vec3> find_point_positions(const SoftBody& body, const SurfacePoints& points, const State& state) {
  const CellCorners corners(body);
  std::vector<Vec3> positions(points.size(), Vec3::Zero());
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t a = 0; a < 3; ++a)
      positions[i] += points.weights[i][a] *
                      corners.interpolate(body.skin, static_cast<std::size_t>(points.samples[i][a]), state.x);
  return positions;
}

}  // namespace distal
