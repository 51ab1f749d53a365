#include "distal/model/cell_modes.hpp"

namespace distal {

Vec3 mode_gradient(int mode, const Vec3& xi) {
  Vec3 gradient = Vec3::Zero();
  for (int axis = 0; axis < 3; ++axis) {
    if (!((mode >> axis) & 1)) continue;
    double product = 1.0;
    for (int other = 0; other < 3; ++other)
      if (other != axis && ((mode >> other) & 1)) product *= xi[other];
    gradient[axis] = product;
  }
  return gradient;
}

std::array<double, kCorners> corner_weights(const Vec3& xi) {
  std::array<double, kCorners> weights{};
  for (int a = 0; a < kCorners; ++a) {
    double w = 0.125;
    for (int axis = 0; axis < 3; ++axis) w *= 1.0 + corner_sign(a, axis) * xi[axis];
    weights[static_cast<std::size_t>(a)] = w;
  }
  return weights;
}

}  // namespace distal
