#include "distal/geometry/shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "distal/core/error.hpp"
#include "distal/geometry/box_mesh.hpp"
#include "distal/geometry/revolution_mesh.hpp"

namespace distal {
namespace {

Distance signed_distance_of(const PlaneShape&, const Vec3& p) { return {p.z(), Vec3::UnitZ()}; }

Distance signed_distance_of(const SphereShape& sphere, const Vec3& p) {
  const double from_centre = p.stableNorm();
  // At the centre every direction is as good; the answer must still be a unit vector.
  const Vec3 normal = from_centre > 0.0 ? Vec3(p.stableNormalized()) : Vec3(Vec3::UnitZ());
  return {from_centre - sphere.radius_m, normal};
}

Distance signed_distance_of(const BoxShape& box, const Vec3& p) {
  const Vec3 beyond = p.cwiseAbs() - box.half_size_m;
  const double value = box_signed_distance(box.half_size_m, p);
  Vec3 normal = Vec3::Zero();
  if (value > 0.0) {
    // Face, edge or corner: the direction from the closest point.
    for (int axis = 0; axis < 3; ++axis) normal[axis] = std::copysign(std::max(beyond[axis], 0.0), p[axis]);
    normal.stableNormalize();
  } else {
    int axis = 0;
    for (int other = 1; other < 3; ++other) {
      if (beyond[other] > beyond[axis]) axis = other;
    }
    normal[axis] = p[axis] < 0.0 ? -1.0 : 1.0;
  }
  return {value, normal};
}

Distance signed_distance_of(const CapsuleShape& capsule, const Vec3& p) {
  const Vec3 nearest(0.0, 0.0, std::clamp(p.z(), -capsule.half_length_m, capsule.half_length_m));
  const Vec3 out = p - nearest;
  const double from_axis = out.stableNorm();
  return {from_axis - capsule.radius_m, from_axis > 0.0 ? Vec3(out.stableNormalized()) : Vec3(Vec3::UnitX())};
}

Distance signed_distance_of(const CylinderShape& cylinder, const Vec3& p) {
  const double from_axis = std::hypot(p.x(), p.y());
  const Vec3 radial = from_axis > 0.0 ? Vec3(p.x() / from_axis, p.y() / from_axis, 0.0) : Vec3(Vec3::UnitX());
  const Vec3 axial(0.0, 0.0, std::copysign(1.0, p.z()));
  const double beyond_side = from_axis - cylinder.radius_m, beyond_end = std::abs(p.z()) - cylinder.half_length_m;
  if (beyond_side > 0.0 && beyond_end > 0.0) {
    const double value = std::hypot(beyond_side, beyond_end);
    return {value, (beyond_side * radial + beyond_end * axial) / value};
  }
  return beyond_side >= beyond_end ? Distance{beyond_side, radial} : Distance{beyond_end, axial};
}

Distance signed_distance_of(const ConvexShape& convex, const Vec3& p) {
  Distance d{0.0, Vec3::UnitZ()};
  d.value = convex.hull->signed_distance(p, d.normal);
  return d;
}

Distance signed_distance_of(const UnionShape& all, const Vec3& p) {
  Distance nearest{std::numeric_limits<double>::infinity(), Vec3::UnitZ()};
  for (const UnionShape::Part& part : all.parts)
    if (const Distance d = signed_distance(part.shape, part.pose.to_local(p)); d.value < nearest.value)
      nearest = {d.value, part.pose.rotation * d.normal};
  return nearest;
}

TriangleMesh mesh_of(const PlaneShape&, double half_width) {
  const double w = half_width;
  return {{{-w, -w, 0.0}, {w, -w, 0.0}, {w, w, 0.0}, {-w, w, 0.0}}, {{0, 1, 2}, {0, 2, 3}}};
}

TriangleMesh mesh_of(const SphereShape& sphere, double) {
  const double edge_m = sphere.radius_m / 8.0;
  Meridian meridian({0.0, sphere.radius_m}, edge_m);
  meridian.add_dome_and_wall(0.0);
  meridian.add_mirror_image();
  return make_revolution_mesh(meridian, edge_m);
}

TriangleMesh mesh_of(const CapsuleShape& capsule, double) {
  const double edge_m = drawn_edge(capsule.radius_m / 8.0, capsule.half_length_m);
  Meridian meridian({0.0, capsule.radius_m}, edge_m);
  meridian.add_dome_and_wall(capsule.half_length_m);
  meridian.move(capsule.half_length_m);
  meridian.add_mirror_image();
  return make_revolution_mesh(meridian, edge_m);
}

TriangleMesh mesh_of(const CylinderShape& cylinder, double) {
  const double edge_m = drawn_edge(cylinder.radius_m / 8.0, cylinder.half_length_m);
  Meridian meridian({0.0, cylinder.half_length_m}, edge_m);
  meridian.add_line({cylinder.radius_m, cylinder.half_length_m});
  meridian.add_line({cylinder.radius_m, 0.0});
  meridian.add_mirror_image();
  return make_revolution_mesh(meridian, edge_m);
}

TriangleMesh mesh_of(const ConvexShape& convex, double) { return convex.hull->mesh(); }

TriangleMesh mesh_of(const BoxShape& box, double) {
  // One grid cell a face.
  return make_box_mesh(2.0 * box.half_size_m, 2.0 * box.half_size_m.maxCoeff());
}

TriangleMesh mesh_of(const UnionShape& all, double half_width) {
  TriangleMesh mesh;
  for (const UnionShape::Part& part : all.parts) {
    const TriangleMesh one = make_shape_mesh(part.shape, half_width);
    const auto first = static_cast<std::int32_t>(mesh.vertices.size());
    for (const Vec3& vertex : one.vertices) mesh.vertices.push_back(part.pose.to_world(vertex));
    for (const auto& triangle : one.triangles)
      mesh.triangles.push_back({first + triangle[0], first + triangle[1], first + triangle[2]});
  }
  return mesh;
}

}  // namespace

Distance signed_distance(const Shape& shape, const Vec3& local_point) {
  return std::visit([&](const auto& s) { return signed_distance_of(s, local_point); }, shape);
}

TriangleMesh make_shape_mesh(const Shape& shape, double plane_half_width_m) {
  return std::visit([&](const auto& s) { return mesh_of(s, plane_half_width_m); }, shape);
}

double turning_reach(const Shape& shape) {
  if (const auto* box = std::get_if<BoxShape>(&shape)) return box->half_size_m.norm();
  if (const auto* capsule = std::get_if<CapsuleShape>(&shape)) return capsule->half_length_m + capsule->radius_m;
  if (const auto* cylinder = std::get_if<CylinderShape>(&shape))
    return std::hypot(cylinder->half_length_m, cylinder->radius_m);
  if (const auto* convex = std::get_if<ConvexShape>(&shape)) return convex->hull->reach_m();
  double reach = 0.0;
  if (const auto* all = std::get_if<UnionShape>(&shape))
    for (const UnionShape::Part& part : all->parts) {
      const auto* sphere = std::get_if<SphereShape>(&part.shape);
      const double own = sphere != nullptr ? sphere->radius_m : turning_reach(part.shape);
      reach = std::max(reach, part.pose.position.norm() + own);
    }
  return reach;
}

SolidMass find_solid_mass(const Shape& shape) {
  constexpr double kPi = std::numbers::pi;
  const auto centred = [](double volume, const Vec3& principal) {
    return SolidMass{volume, Vec3::Zero(), principal.asDiagonal()};
  };
  if (const auto* sphere = std::get_if<SphereShape>(&shape)) {
    const double r = sphere->radius_m;
    return centred(4.0 / 3.0 * kPi * r * r * r, Vec3::Constant(0.4 * r * r));
  }
  if (const auto* capsule = std::get_if<CapsuleShape>(&shape)) {
    const double r = capsule->radius_m, l = 2.0 * capsule->half_length_m, ball = 4.0 / 3.0 * r / (l + 4.0 / 3.0 * r);
    const double across =
        (1.0 - ball) * (r * r / 4.0 + l * l / 12.0) + ball * (0.4 * r * r + l * l / 4.0 + 3.0 / 8.0 * l * r);
    return centred(kPi * r * r * (l + 4.0 / 3.0 * r),
                   {across, across, (1.0 - ball) * r * r / 2.0 + ball * 0.4 * r * r});
  }
  if (const auto* cylinder = std::get_if<CylinderShape>(&shape)) {
    const double r = cylinder->radius_m, h = cylinder->half_length_m, across = r * r / 4.0 + h * h / 3.0;
    return centred(2.0 * kPi * r * r * h, {across, across, 0.5 * r * r});
  }
  if (const auto* convex = std::get_if<ConvexShape>(&shape)) return convex->hull->mass();
  const auto* box = std::get_if<BoxShape>(&shape);
  DISTAL_ASSERT(box != nullptr);
  const Vec3 squared = box->half_size_m.cwiseAbs2() / 3.0;
  return centred(8.0 * box->half_size_m.prod(), Vec3::Constant(squared.sum()) - squared);
}

}  // namespace distal
