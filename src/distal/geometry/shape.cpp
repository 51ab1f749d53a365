#include "distal/geometry/shape.hpp"

#include <algorithm>
#include <cmath>
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
  const double edge_m = capsule.radius_m / 8.0;
  Meridian meridian({0.0, capsule.radius_m}, edge_m);
  meridian.add_dome_and_wall(capsule.half_length_m);
  meridian.move(capsule.half_length_m);
  meridian.add_mirror_image();
  return make_revolution_mesh(meridian, edge_m);
}

TriangleMesh mesh_of(const BoxShape& box, double) {
  // One grid cell a face.
  return make_box_mesh(2.0 * box.half_size_m, 2.0 * box.half_size_m.maxCoeff());
}

}  // namespace

Distance signed_distance(const Shape& shape, const Vec3& local_point) {
  return std::visit([&](const auto& s) { return signed_distance_of(s, local_point); }, shape);
}

TriangleMesh make_shape_mesh(const Shape& shape, double plane_half_width_m) {
  return std::visit([&](const auto& s) { return mesh_of(s, plane_half_width_m); }, shape);
}

double volume(const Shape& shape) {
  if (const auto* sphere = std::get_if<SphereShape>(&shape)) {
    return 4.0 / 3.0 * std::numbers::pi * std::pow(sphere->radius_m, 3);
  }
  if (const auto* capsule = std::get_if<CapsuleShape>(&shape)) {
    return std::numbers::pi * capsule->radius_m * capsule->radius_m *
           (2.0 * capsule->half_length_m + 4.0 / 3.0 * capsule->radius_m);
  }
  const auto* box = std::get_if<BoxShape>(&shape);
  DISTAL_ASSERT(box != nullptr);
  return 8.0 * box->half_size_m.prod();
}

Vec3 inertia_per_mass(const Shape& shape) {
  if (const auto* sphere = std::get_if<SphereShape>(&shape)) {
    return Vec3::Constant(0.4 * sphere->radius_m * sphere->radius_m);
  }
  if (const auto* capsule = std::get_if<CapsuleShape>(&shape)) {
    const double r = capsule->radius_m, l = 2.0 * capsule->half_length_m, ball = 4.0 / 3.0 * r / (l + 4.0 / 3.0 * r);
    const double across =
        (1.0 - ball) * (r * r / 4.0 + l * l / 12.0) + ball * (0.4 * r * r + l * l / 4.0 + 3.0 / 8.0 * l * r);
    return {across, across, (1.0 - ball) * r * r / 2.0 + ball * 0.4 * r * r};
  }
  const auto* box = std::get_if<BoxShape>(&shape);
  DISTAL_ASSERT(box != nullptr);
  const Vec3 squared = box->half_size_m.cwiseAbs2() / 3.0;
  return Vec3::Constant(squared.sum()) - squared;
}

}  // namespace distal
