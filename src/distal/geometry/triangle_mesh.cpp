#include "distal/geometry/triangle_mesh.hpp"

namespace distal {

std::vector<double> vertex_areas(const TriangleMesh& mesh) {
  std::vector<double> areas(mesh.vertices.size(), 0.0);
  for (const auto& t : mesh.triangles) {
    const Vec3& a = mesh.vertices[t[0]];
    const double area = 0.5 * (mesh.vertices[t[1]] - a).cross(mesh.vertices[t[2]] - a).norm();
    for (const std::int32_t v : t) areas[v] += area / 3.0;
  }
  return areas;
}

}  // namespace distal
