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

}  // namespace distal
