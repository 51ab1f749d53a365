#include "distal/model/skin_curvature.hpp"

namespace distal {

std::vector<double> find_skin_curvature(const std::vector<Vec3>& vertices_m,
                                        const std::vector<std::array<std::int32_t, 3>>& triangles) {
  const auto vertex = [&](std::int32_t i) -> const Vec3& { return vertices_m[static_cast<std::size_t>(i)]; };
  std::vector<Vec3> normal(vertices_m.size(), Vec3::Zero());
  for (const auto& t : triangles) {
    const Vec3 area = (vertex(t[1]) - vertex(t[0])).cross(vertex(t[2]) - vertex(t[0]));
    for (const std::int32_t i : t) normal[static_cast<std::size_t>(i)] += area;
  }
  std::vector<double> sum(vertices_m.size(), 0.0), count(vertices_m.size(), 0.0);
  for (const auto& t : triangles)
    for (std::size_t corner = 0; corner < 3; ++corner)
      for (std::size_t other : {(corner + 1) % 3, (corner + 2) % 3}) {
        const auto i = static_cast<std::size_t>(t[corner]);
        const Vec3 edge = vertices_m[i] - vertex(t[other]);
        sum[i] += 2.0 * normal[i].normalized().dot(edge) / edge.squaredNorm();
        count[i] += 1.0;
      }
  for (std::size_t i = 0; i < sum.size(); ++i)
    if (count[i] > 0.0) sum[i] /= count[i];
  return sum;
}

}  // namespace distal
