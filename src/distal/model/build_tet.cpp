#include "distal/model/build_tet.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <map>

#include "distal/core/error.hpp"
#include "distal/geometry/fill_surface.hpp"
#include "distal/geometry/tet_files.hpp"
#include "distal/geometry/tet_shapes.hpp"
#include "distal/model/skin_curvature.hpp"

namespace distal {
namespace {

TetMesh mesh_of(const std::string& where, const TetDescription& d) {
  switch (d.shape) {
    case TetShape::cuboid:
      return make_cuboid_mesh(d.size_m, d.edge_m);
    case TetShape::cylinder:
      return make_cylinder_mesh(d.radius_m, d.height_m, d.edge_m);
    case TetShape::sphere:
      return make_sphere_mesh(d.radius_m, d.edge_m);
    case TetShape::capsule:
      return make_capsule_mesh(d.radius_m, d.height_m, d.edge_m);
    case TetShape::mesh:
      return load_tet_mesh(d.file);
    case TetShape::surface:
      return fill_surface(load_surface(d.file), d.edge_m, fmt::format("{}: {}", where, d.file));
  }
  return {};
}

}  // namespace

// Half an edge apart, as on a lattice.
void add_tet_skin(SoftBody& body) {
  const TetBody& tet = *body.tet;
  body.vertex_sample.assign(tet.mesh.vertices.size(), -1);
  TriangleMesh skin;
  std::map<std::array<std::int32_t, 2>, std::int32_t> known;  // by its two ends, which are one for a vertex
  const auto sample = [&](const std::array<std::int32_t, 3>& facet, std::size_t a, std::size_t b) {
    const std::array<std::int32_t, 2> ends{std::min(facet[a], facet[b]), std::max(facet[a], facet[b])};
    const auto [found, is_new] = known.try_emplace(ends, static_cast<std::int32_t>(skin.vertices.size()));
    if (is_new) {
      std::array<double, 3> weight{};
      weight[a] += 0.5, weight[b] += 0.5;
      body.skin.node.push_back(facet[0]);
      body.skin.facet.push_back(facet);
      body.skin.place.push_back(weight);
      if (a == b) body.vertex_sample[static_cast<std::size_t>(facet[a])] = found->second;
      skin.vertices.push_back(0.5 * (tet.mesh.vertices[static_cast<std::size_t>(facet[a])] +
                                     tet.mesh.vertices[static_cast<std::size_t>(facet[b])]));
    }
    return found->second;
  };
  for (const auto& facet : tet.facets) {
    std::array<std::int32_t, 3> corner{}, middle{};
    for (std::size_t a = 0; a < 3; ++a) corner[a] = sample(facet, a, a), middle[a] = sample(facet, a, (a + 1) % 3);
    for (std::size_t a = 0; a < 3; ++a) skin.triangles.push_back({corner[a], middle[a], middle[(a + 2) % 3]});
    skin.triangles.push_back(middle);
  }
  // Sorted by their last vertex, as the sensors want them.
  std::stable_sort(skin.triangles.begin(), skin.triangles.end(), [](const auto& a, const auto& b) {
    return *std::max_element(a.begin(), a.end()) < *std::max_element(b.begin(), b.end());
  });
  body.skin_area_m2 = vertex_areas(skin);
  // Vertices carry what touches them directly: their springs may be stiffer than those on cut cells.
  constexpr double kFacetStiffness = 8.0;
  body.skin_stiffness_share.assign(skin.vertices.size(), kFacetStiffness);
  body.skin_curvature_per_m = find_skin_curvature(skin.vertices, skin.triangles);
  body.skin_rest_m = std::move(skin.vertices);
  body.skin_triangles = std::move(skin.triangles);
}

TetMesh make_mesh(const std::string& body, const TetDescription& d) {
  const bool is_read = d.shape == TetShape::mesh || d.shape == TetShape::surface;
  const std::string where = fmt::format("body.{}{}", body, is_read ? ".file" : "");
  try {
    TetMesh mesh = mesh_of(where, d);
    check_tet_mesh(mesh, where);
    return mesh;
  } catch (const InputError& error) {
    const std::string message = error.what();
    throw InputError(message.starts_with(where) ? message : fmt::format("{}: {}", where, message));
  }
}

SoftBody make_tet_soft(const std::string& name, const TetDescription& d, const ElasticModuli& moduli,
                       double density_kg_m3, double relaxation_time_s) {
  SoftBody body;
  body.kind = "tet";
  body.tet = make_tet_body(make_mesh(name, d), moduli, density_kg_m3, relaxation_time_s, d);
  add_tet_skin(body);
  return body;
}

}  // namespace distal
