#include <algorithm>
#include <limits>

#include "distal/sensor/measure.hpp"
#include "distal/sensor/skin.hpp"

namespace distal {
namespace {

// Where a ray from `start` along `direction` meets a triangle, or infinity.
double meet(const Vec3& start, const Vec3& direction, const Vec3& a, const Vec3& b, const Vec3& c) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const Vec3 ab = b - a, ac = c - a, across = direction.cross(ac), to = start - a;
  const double scale = ab.dot(across);
  if (scale == 0.0) return kNever;
  const double u = to.dot(across) / scale;
  const Vec3 turned = to.cross(ab);
  const double v = direction.dot(turned) / scale, travel = ac.dot(turned) / scale;
  return u >= 0.0 && v >= 0.0 && u + v <= 1.0 && travel >= 0.0 ? travel : kNever;
}

double gap_between(const SkinView& from, const SkinView& to, const SoftBody& partner, const Vec3& direction) {
  double gap = std::numeric_limits<double>::infinity();
  for (const auto& triangle : partner.skin_triangles) {
    const auto corner = [&](std::size_t a) -> const Vec3& {
      return to.positions[static_cast<std::size_t>(triangle[a])];
    };
    for (const Vec3& start : from.positions)
      gap = std::min(gap, meet(start, direction, corner(0), corner(1), corner(2)));
  }
  return gap;
}

}  // namespace

double find_soft_gap(const Model& model, std::size_t soft_index, const State& state, const Vec3& direction) {
  double gap = std::numeric_limits<double>::infinity();
  SkinView own, other;
  find_skin_positions(model.soft[soft_index], state, own);
  for (const SoftPair& pair : model.soft_pairs) {
    const bool sampled = pair.sampled == static_cast<int>(soft_index);
    if (!sampled && pair.partner != static_cast<int>(soft_index)) continue;
    const auto opposite = static_cast<std::size_t>(sampled ? pair.partner : pair.sampled);
    find_skin_positions(model.soft[opposite], state, other);
    // Points of the one against faces of the other, as the contact itself does it.
    gap = std::min(gap, sampled ? gap_between(own, other, model.soft[opposite], direction)
                                : gap_between(other, own, model.soft[soft_index], -direction));
  }
  return gap;
}

}  // namespace distal
