#include "distal/record/plane_square.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace distal {
namespace {

// From the plane's own triangles, or from its pose where it has none: z is outward.
Vec3 normal_of(const BodySnapshot& plane) {
  if (plane.surface.triangles.empty()) return plane.end_pose.q * Vec3::UnitZ();
  const auto& [a, b, c] = plane.surface.triangles.front();
  const auto& p = plane.surface.vertices;
  return (p[b] - p[a]).cross(p[c] - p[a]).normalized();
}

Vec3 point_of(const BodySnapshot& plane) {
  return plane.surface.triangles.empty() ? plane.end_pose.position
                                         : plane.surface.vertices[plane.surface.triangles.front()[0]];
}

Aabb bounds_of_soft_and_rigid(const Frame& frame) {
  Aabb bounds;
  for (const BodySnapshot& body : frame.bodies)
    if (body.kind != "plane")
      for (const Vec3& vertex : body.surface.vertices) bounds.add(vertex);
  return bounds;
}

}  // namespace

std::optional<Vec3> plane_normal(const Frame& frame) {
  for (const BodySnapshot& body : frame.bodies)
    if (body.kind == "plane") return normal_of(body);
  return std::nullopt;
}

std::string planes_svg(const Frame& frame, const View& view) {
  const Aabb bounds = bounds_of_soft_and_rigid(frame);
  std::string svg;
  for (const BodySnapshot& body : frame.bodies) {
    if (body.kind != "plane" || bounds.min.x() > bounds.max.x()) continue;
    const Vec3 normal = normal_of(body), middle = 0.5 * (bounds.min + bounds.max);
    const Vec3 centre = middle - normal * normal.dot(middle - point_of(body));
    const Vec3 hint = std::abs(normal.x()) < 0.9 ? Vec3(Vec3::UnitX()) : Vec3(Vec3::UnitY());
    const Vec3 u = (hint - normal * normal.dot(hint)).normalized(), v = normal.cross(u);
    const double half = 0.72 * (bounds.max - bounds.min).head<2>().maxCoeff();
    constexpr int squares = 8;
    const auto at = [&](double a, double b) { return view.project(centre + half * (a * u + b * v)); };
    std::string corners, lines;
    for (const auto& [a, b] : {std::pair{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}})
      corners += fmt::format("{},{} ", coordinate(at(a, b).x()), coordinate(at(a, b).y()));
    for (int i = 0; i <= squares; ++i) {
      const double s = -1.0 + 2.0 * i / squares;
      lines += svg_line(at(s, -1.0), at(s, 1.0), "ground") + svg_line(at(-1.0, s), at(1.0, s), "ground");
    }
    svg += fmt::format("<polygon class=\"plane\" points=\"{}\"/>\n", corners) + lines;
  }
  return svg;
}

}  // namespace distal
