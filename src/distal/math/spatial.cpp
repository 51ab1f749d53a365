#include "distal/math/spatial.hpp"

#include <cmath>

namespace distal {

Quat rotation_from_vector(const Vec3& angle_axis_rad) {
  const double angle = angle_axis_rad.norm();
  // sin(a/2)/a, by its series where the quotient would lose digits.
  const double scale = angle < 1e-4 ? 0.5 - angle * angle / 48.0 : std::sin(0.5 * angle) / angle;
  Quat q(std::cos(0.5 * angle), scale * angle_axis_rad.x(), scale * angle_axis_rad.y(), scale * angle_axis_rad.z());
  q.normalize();
  return q;
}

Vec3 vector_from_rotation(const Quat& q) {
  const double sign = q.w() < 0.0 ? -1.0 : 1.0;
  const Vec3 v = sign * q.vec();
  const double s = v.norm();
  if (s < 1e-9) return 2.0 * v;
  return (2.0 * std::atan2(s, sign * q.w()) / s) * v;
}

}  // namespace distal
