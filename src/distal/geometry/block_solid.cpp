#include "distal/geometry/box_mesh.hpp"
#include "distal/geometry/solid.hpp"

namespace distal {

Solid make_block_solid(const Vec3& size_m, double edge_m) {
  const Vec3 half_size_m = 0.5 * size_m;
  Solid solid;
  solid.surface = make_box_mesh(size_m, edge_m);
  solid.signed_distance = [half_size_m](const Vec3& p) { return box_signed_distance(half_size_m, p); };
  solid.bounds.add(-half_size_m);
  solid.bounds.add(half_size_m);
  return solid;
}

}  // namespace distal
