// Points of a soft body's surface that are followed as it deforms.
#pragma once
#include <string>

#include "distal/state/state.hpp"

namespace distal {

// Each is carried by a triangle of the skin.
struct SurfacePoints {
  std::vector<Vec3> rest_m;                          // body frame
  std::vector<std::array<std::int32_t, 3>> samples;  // of the skin
  std::vector<std::array<double, 3>> weights;
  std::size_t size() const { return rest_m.size(); }
};

// The points of the surface nearest to the given ones (body frame). Throws InputError that begins with `where` for one
// further than half a cell or edge from it, and names the nearest.
SurfacePoints find_surface_points(const SoftBody& body, const std::vector<Vec3>& points_m, const std::string& where);

// In the world, now.
std::vector<Vec3> find_point_positions(const SoftBody& body, const SurfacePoints& points, const State& state);

}  // namespace distal
