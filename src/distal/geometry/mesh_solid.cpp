#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "distal/core/error.hpp"
#include "distal/geometry/closed_mesh.hpp"
#include "distal/geometry/mesh_distance.hpp"
#include "distal/geometry/self_intersection.hpp"
#include "distal/geometry/solid.hpp"

namespace distal {
namespace {

// Whether a triangle is as thin as rounding in its file: nobody can tell then what it cuts.
bool has_slivers(const TriangleMesh& mesh) {
  return std::any_of(mesh.triangles.begin(), mesh.triangles.end(), [&](const auto& t) {
    const Vec3 u = mesh.vertices[t[1]] - mesh.vertices[t[0]], v = mesh.vertices[t[2]] - mesh.vertices[t[0]];
    return u.cross(v).norm() <= 1e-6 * std::max({u.squaredNorm(), v.squaredNorm(), (u - v).squaredNorm()});
  });
}

void check_closed_mesh(const TriangleMesh& mesh) {
  if (mesh.triangles.empty()) throw InputError("the mesh is empty: it has no triangles");
  const std::size_t open_edges = count_open_edges(mesh);
  if (open_edges > 0) {
    throw InputError(
        fmt::format("the mesh is not closed: {} open edges (each edge must join exactly two triangles of equal sense)",
                    open_edges));
  }
  const double volume = enclosed_volume(mesh);
  if (!(volume > 0.0)) {
    throw InputError(fmt::format(
        "the mesh is inside-out: it encloses {:.6g} m^3 (its triangles must run counter-clockwise seen from outside)",
        volume));
  }
  if (has_slivers(mesh)) return;
  if (const auto cut = find_self_intersection(mesh)) {
    throw InputError(
        fmt::format("the mesh cuts itself: triangles {} and {} (counted from 0) meet at ({:.6g}, {:.6g}, {:.6g}) m; "
                    "unite its parts into one surface",
                    cut->first, cut->second, cut->point.x(), cut->point.y(), cut->point.z()));
  }
}

// To the endless rod: a hemisphere at the origin and a cylinder below it.
double rod_signed_distance(double rod_radius_m, const Vec3& p) {
  return (p.z() >= 0.0 ? p.norm() : std::hypot(p.x(), p.y())) - rod_radius_m;
}

// The triangles with rubber under all of them. One that only reaches into the rod is left out too: its vertices would
// be contact samples without rubber.
TriangleMesh without_rod(const TriangleMesh& mesh, double rod_radius_m) {
  // A vertex on the rod itself is not inside it, whatever rounding says.
  const double tolerance_m = 1e-9 * rod_radius_m;
  const auto in_rod = [&](const Vec3& p) { return rod_signed_distance(rod_radius_m, p) < -tolerance_m; };
  TriangleMesh kept;
  std::vector<std::int32_t> new_number(mesh.vertices.size(), -1);
  for (const auto& t : mesh.triangles) {
    const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
    if (in_rod(a) || in_rod(b) || in_rod(c) || in_rod((a + b + c) / 3.0)) continue;
    auto& triangle = kept.triangles.emplace_back();
    for (int k = 0; k < 3; ++k) {
      std::int32_t& number = new_number[t[k]];
      if (number < 0) {
        number = static_cast<std::int32_t>(kept.vertices.size());
        kept.vertices.push_back(mesh.vertices[t[k]]);
      }
      triangle[k] = number;
    }
  }
  return kept;
}

}  // namespace

Solid make_mesh_solid(const TriangleMesh& closed_mesh, double rod_radius_m, double edge_m) {
  DISTAL_ASSERT(rod_radius_m >= 0.0);
  check_closed_mesh(closed_mesh);
  Solid solid;
  for (const Vec3& p : closed_mesh.vertices) solid.bounds.add(p);
  const auto outside = std::make_shared<const MeshDistance>(closed_mesh);
  solid.surface = split_long_edges(closed_mesh, edge_m);
  if (rod_radius_m == 0.0) {
    solid.signed_distance = [outside](const Vec3& p) { return outside->signed_distance(p); };
    return solid;
  }
  solid.surface = without_rod(solid.surface, rod_radius_m);
  if (solid.surface.triangles.empty()) {
    throw InputError(
        fmt::format("the mesh lies inside the rod of radius {:.6g} m: nothing is left of it", rod_radius_m));
  }
  // Exact inside the rubber; outside it is never more than the true distance.
  solid.signed_distance = [outside, rod_radius_m](const Vec3& p) {
    return std::max(outside->signed_distance(p), -rod_signed_distance(rod_radius_m, p));
  };
  return solid;
}

}  // namespace distal
