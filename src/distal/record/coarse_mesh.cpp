#include "distal/record/coarse_mesh.hpp"

#include <array>
#include <cmath>
#include <map>

namespace distal {
namespace {

double area_of(const TriangleMesh& mesh) {
  double area = 0.0;
  for (const auto& [a, b, c] : mesh.triangles)
    area += 0.5 * (mesh.vertices[b] - mesh.vertices[a]).cross(mesh.vertices[c] - mesh.vertices[a]).norm();
  return area;
}

}  // namespace

ColoredMesh coarse_mesh(ColoredMesh fine, std::size_t most_triangles) {
  if (fine.mesh.triangles.size() <= most_triangles) return fine;
  // A cube of this edge holds two triangles' worth of surface, and curved surfaces cross a few more cubes.
  const double edge = 1.2 * std::sqrt(2.0 * area_of(fine.mesh) / static_cast<double>(most_triangles));
  ColoredMesh coarse;
  std::map<std::array<long, 3>, std::int32_t> cubes;
  std::vector<std::int32_t> cluster(fine.mesh.vertices.size());
  std::vector<double> members;
  for (std::size_t i = 0; i < fine.mesh.vertices.size(); ++i) {
    const Vec3& p = fine.mesh.vertices[i];
    const std::array<long, 3> cube = {std::lround(p.x() / edge), std::lround(p.y() / edge), std::lround(p.z() / edge)};
    const auto [place, is_new] = cubes.try_emplace(cube, static_cast<std::int32_t>(members.size()));
    if (is_new) {
      coarse.mesh.vertices.push_back(Vec3::Zero());
      coarse.values.push_back(0.0);
      members.push_back(0.0);
    }
    const auto to = cluster[i] = place->second;
    coarse.mesh.vertices[to] += p;
    coarse.values[to] += fine.values[i];
    members[to] += 1.0;
  }
  for (std::size_t i = 0; i < members.size(); ++i) {
    coarse.mesh.vertices[i] /= members[i];
    coarse.values[i] /= members[i];
  }
  for (const auto& [a, b, c] : fine.mesh.triangles)
    if (cluster[a] != cluster[b] && cluster[b] != cluster[c] && cluster[c] != cluster[a])
      coarse.mesh.triangles.push_back({cluster[a], cluster[b], cluster[c]});
  return coarse;
}

}  // namespace distal
