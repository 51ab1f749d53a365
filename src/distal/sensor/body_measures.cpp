#include "distal/sensor/body_measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "distal/core/error.hpp"
#include "distal/geometry/closed_mesh.hpp"
#include "distal/sensor/skin.hpp"

namespace distal {
namespace {

std::optional<double> volume_inside(const std::vector<Vec3>& vertices, const SoftBody& body) {
  if (body.skin_triangles.empty()) return std::nullopt;
  const TriangleMesh skin{vertices, body.skin_triangles};
  if (count_open_edges(skin) > 0) return std::nullopt;
  return enclosed_volume(skin);
}

}  // namespace

std::optional<double> measure_volume(const SoftBody& body, const State& state) {
  if (!body.tet) {
    SkinView view;
    find_skin_positions(body, state, view);
    return volume_inside(view.positions, body);
  }
  double sum = 0.0;
  for (const auto& cell : body.tet->mesh.cells) {
    const auto at = [&](std::size_t a) { return state.x.get(static_cast<std::size_t>(body.first_particle + cell[a])); };
    const Vec3 origin = at(0);
    sum += (at(1) - origin).cross(at(2) - origin).dot(at(3) - origin) / 6.0;
  }
  return sum;
}

std::optional<double> measure_rest_volume(const SoftBody& body) {
  return body.tet ? std::optional(body.tet->volume_m3) : volume_inside(body.skin_rest_m, body);
}

double find_length(const SoftBody& body) {
  Aabb bounds;
  for (const Vec3& point : body.skin_rest_m) bounds.add(point);
  return (bounds.max - bounds.min).maxCoeff();
}

PressedSide find_pressed_side(const SoftBody& body, const Vec3& direction, const std::string& where) {
  double first = 1e300, last = -1e300;
  for (const Vec3& point : body.skin_rest_m) {
    first = std::min(first, point.dot(direction));
    last = std::max(last, point.dot(direction));
  }
  PressedSide side{0.0, last - first};
  for (const auto& triangle : body.skin_triangles) {
    const auto at = [&](std::size_t a) -> const Vec3& {
      return body.skin_rest_m[static_cast<std::size_t>(triangle[a])];
    };
    const auto lies_in_side = [&](std::size_t a) { return at(a).dot(direction) - first <= 1e-6 * side.height_m; };
    if (lies_in_side(0) && lies_in_side(1) && lies_in_side(2))
      side.area_m2 += 0.5 * (at(1) - at(0)).cross(at(2) - at(0)).norm();
  }
  // A curved side touches such a plane in a point or a few triangles of its mesh.
  if (side.area_m2 < 4.0 * body.spacing_m() * body.spacing_m())
    throw InputError(
        fmt::format("{}: body.{} has no flat side that faces the motion, whose direction is ({:.3g}, "
                    "{:.3g}, {:.3g}) in its frame; stress needs an area",
                    where, body.name, direction.x(), direction.y(), direction.z()));
  return side;
}

double initial_slope(const std::vector<double>& strain, const std::vector<double>& stress_pa, double tolerance) {
  double xx = 0.0, xy = 0.0;
  for (std::size_t i = 0; i < strain.size(); ++i) {
    if (i > 0 &&
        std::abs(stress_pa[i] * strain[0] - stress_pa[0] * strain[i]) > tolerance * std::abs(stress_pa[0] * strain[i]))
      break;
    xx += strain[i] * strain[i];
    xy += strain[i] * stress_pa[i];
  }
  return xx > 0.0 ? xy / xx : 0.0;
}

}  // namespace distal
