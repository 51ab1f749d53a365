#include "distal/model/rigid_body.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>
#include <set>

#include "distal/core/error.hpp"

namespace distal {
namespace {

// Rigid objects rest on penalty points that sink this far under their own weight.
constexpr double kSinkUnderWeight_m = 1e-5;
constexpr double kStandardGravity_m_s2 = 9.80665;
constexpr double kSampleDampingRatio = 0.7;

constexpr double kMassWithoutDensity_kg = 0.05;
// Points of a cylinder's rim, and most of a mesh, with which they touch.
constexpr int kRimSamples = 8, kMeshSamples = 64;

// Inertia of mass m at `offset` from the reference point, added about that point.
Mat3 point_inertia(double mass, const Vec3& offset) {
  return mass * (offset.squaredNorm() * Mat3::Identity() - offset * offset.transpose());
}

Mat3 diagonal(const Vec3& moments) { return moments.asDiagonal(); }

void set_sample_stiffness(RigidBody& body, double carrying_samples) {
  const double share = body.mass_kg / carrying_samples;
  body.sample_stiffness_n_m = share * kStandardGravity_m_s2 / kSinkUnderWeight_m;
  body.sample_damping_n_s_m = 2.0 * kSampleDampingRatio * std::sqrt(body.sample_stiffness_n_m * share);
}

}  // namespace

RigidBody make_rod(const std::string& name, const FingertipDescription& d) {
  RigidBody rod;
  rod.name = name;
  rod.mount = d.mount;
  rod.end_m = Vec3(0.0, 0.0, -d.rod_length_m);
  const double r = d.rod_radius_m, l = d.rod_length_m;
  const double cylinder = std::numbers::pi * r * r * l, hemisphere = 2.0 / 3.0 * std::numbers::pi * r * r * r;
  const double mc = d.rod_mass_kg * cylinder / (cylinder + hemisphere), mh = d.rod_mass_kg - mc;
  const Vec3 centre_c(0.0, 0.0, -0.5 * l), centre_h(0.0, 0.0, 0.375 * r);
  const Vec3 centre = (mc * centre_c + mh * centre_h) / d.rod_mass_kg;
  const double across_c = mc * (3.0 * r * r + l * l) / 12.0, across_h = 83.0 / 320.0 * mh * r * r;
  const Mat3 inertia = diagonal({across_c + across_h, across_c + across_h, 0.5 * mc * r * r + 0.4 * mh * r * r}) +
                       point_inertia(mc, centre_c - centre) + point_inertia(mh, centre_h - centre);
  rod.beyond_flange_mass_kg = d.rod_mass_kg;
  rod.beyond_flange_centre_m = centre;
  rod.beyond_flange_inertia_kg_m2 = inertia;
  const double flange = d.mount == Mount::inertia ? d.flange_mass_kg : 0.0;
  rod.mass_kg = d.rod_mass_kg + flange;
  rod.centre_of_mass_m = (d.rod_mass_kg * centre + flange * rod.end_m) / rod.mass_kg;
  rod.set_inertia(inertia + point_inertia(d.rod_mass_kg, centre - rod.centre_of_mass_m) +
                  point_inertia(flange, rod.end_m - rod.centre_of_mass_m));
  if (d.mount == Mount::inertia) {
    rod.damping_n_s_m = d.flange_damping_n_s_m;
    rod.angular_damping_n_m_s_rad = d.flange_angular_damping_n_m_s_rad;
  }
  return rod;
}

void RigidBody::set_inertia(const Mat3& about_centre_kg_m2) {
  inertia_kg_m2 = about_centre_kg_m2;
  if (inertia_kg_m2.isDiagonal(0.0)) {
    inverse_inertia = diagonal(inertia_kg_m2.diagonal().cwiseInverse());
    inverse_root_inertia = diagonal(inertia_kg_m2.diagonal().cwiseSqrt().cwiseInverse());
    return;
  }
  const Eigen::SelfAdjointEigenSolver<Mat3> turned(inertia_kg_m2);
  inverse_root_inertia = turned.operatorInverseSqrt();
  inverse_inertia = inverse_root_inertia * inverse_root_inertia;
}

namespace {

// `path` is for refusals.
template <typename Description>
Shape make_shape(const std::string& path, const Description& d) {
  switch (d.shape) {
    case RigidShapeKind::sphere:
      return SphereShape{d.radius_m};
    case RigidShapeKind::capsule:
      return CapsuleShape{d.radius_m, 0.5 * d.length_m};
    case RigidShapeKind::cylinder:
      return CylinderShape{d.radius_m, 0.5 * d.length_m};
    case RigidShapeKind::mesh:
      try {
        return ConvexShape{load_convex_hull(d.file, d.mesh_scale)};
      } catch (const InputError& error) { throw InputError(fmt::format("{}.file: {}", path, error.what())); }
    case RigidShapeKind::box:
      break;
  }
  return BoxShape{0.5 * d.size_m};
}

// Of a mesh with many vertices, those that stand out most in directions spread over the sphere.
std::vector<Vec3> find_mesh_samples(const ConvexHull& hull) {
  if (hull.vertices().size() <= static_cast<std::size_t>(kMeshSamples)) return hull.vertices();
  std::set<std::int32_t> chosen;
  for (int i = 0; i < kMeshSamples; ++i) {
    const double z = 1.0 - (2.0 * i + 1.0) / kMeshSamples, angle = std::numbers::pi * (3.0 - std::sqrt(5.0)) * i;
    const double r = std::sqrt(1.0 - z * z);
    chosen.insert(hull.find_support({r * std::cos(angle), r * std::sin(angle), z}));
  }
  std::vector<Vec3> samples;
  for (const std::int32_t v : chosen) samples.push_back(hull.vertices()[static_cast<std::size_t>(v)]);
  return samples;
}

// Adds the points with which a shape touches; returns how many of them carry it on a table.
double add_samples(const Shape& shape, const PointMap& pose, RigidBody& body) {
  const auto add = [&](const Vec3& local, double radius) {
    body.samples_m.push_back(pose.to_world(local));
    body.sample_radii_m.push_back(radius);
  };
  if (const auto* sphere = std::get_if<SphereShape>(&shape)) {
    add(Vec3::Zero(), sphere->radius_m);
    return 1.0;
  }
  if (const auto* capsule = std::get_if<CapsuleShape>(&shape)) {
    for (const double sign : {-1.0, 1.0}) add({0.0, 0.0, sign * capsule->half_length_m}, capsule->radius_m);
    return 2.0;
  }
  if (const auto* cylinder = std::get_if<CylinderShape>(&shape)) {
    for (int i = 0; i < kRimSamples; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / kRimSamples;
      for (const double sign : {-1.0, 1.0})
        add({cylinder->radius_m * std::cos(angle), cylinder->radius_m * std::sin(angle),
             sign * cylinder->half_length_m},
            0.0);
    }
    return kRimSamples;
  }
  if (const auto* convex = std::get_if<ConvexShape>(&shape)) {
    for (const Vec3& v : find_mesh_samples(*convex->hull)) add(v, 0.0);
  } else {
    const Vec3 half = std::get<BoxShape>(shape).half_size_m;
    for (int a = 0; a < 8; ++a) add(half.cwiseProduct(Vec3(a & 1 ? 1 : -1, a & 2 ? 1 : -1, a & 4 ? 1 : -1)), 0.0);
  }
  return 4.0;
}

// Its surface are its parts.
void make_link(const InertialDescription& inertial, RigidBody& body) {
  body.shape = UnionShape{};
  body.mass_kg = body.beyond_flange_mass_kg = inertial.mass_kg;
  body.centre_of_mass_m = body.beyond_flange_centre_m = inertial.centre_m;
  body.beyond_flange_inertia_kg_m2 = inertial.inertia_kg_m2;
  if (inertial.mass_kg > 0.0) body.set_inertia(inertial.inertia_kg_m2);
}

}  // namespace

Shape make_part_shape(const std::string& path, const PartDescription& d) { return make_shape(path, d); }

RigidBody make_object(const std::string& name, const RigidDescription& d) {
  RigidBody body;
  body.name = name;
  body.mount = d.mount;
  body.guide_axis = d.guide_axis.normalized();
  if (d.inertial) {
    make_link(*d.inertial, body);
    return body;
  }
  body.shape = make_shape("body." + name, d);
  const SolidMass solid = find_solid_mass(*body.shape);
  const double without_density = std::isnan(d.mass_kg) ? kMassWithoutDensity_kg : d.mass_kg;
  body.mass_kg = std::isnan(d.density_kg_m3) ? without_density : d.density_kg_m3 * solid.volume_m3;
  body.centre_of_mass_m = solid.centre_m;
  body.set_inertia(body.mass_kg * solid.inertia_per_mass_m2);
  body.beyond_flange_mass_kg = body.mass_kg;
  body.beyond_flange_centre_m = solid.centre_m;
  body.beyond_flange_inertia_kg_m2 = body.inertia_kg_m2;
  set_sample_stiffness(body, add_samples(*body.shape, PointMap(Pose{}), body));
  return body;
}

void add_part(const std::string& name, const PartDescription& d, RigidBody& body) {
  const Shape shape = make_shape("part." + name, d);
  const PointMap place(Pose{d.position_m, d.q_xyzw});
  if (!std::holds_alternative<UnionShape>(*body.shape)) {
    UnionShape all;
    all.parts.push_back({PointMap(Pose{}), *body.shape});
    body.shape = all;
    // What does not move by itself is touched by the samples of others.
    if (body.mount != Mount::free) body.samples_m.clear(), body.sample_radii_m.clear();
  }
  std::get<UnionShape>(*body.shape).parts.push_back({place, shape});
  const SolidMass solid = find_solid_mass(shape);
  const double given = std::isnan(d.mass_kg) ? 0.0 : d.mass_kg;
  const double mass = std::isnan(d.density_kg_m3) ? given : d.density_kg_m3 * solid.volume_m3;
  const double whole = body.mass_kg + mass;
  const Vec3 own = place.to_world(solid.centre_m), old = body.centre_of_mass_m;
  const Vec3 centre = (body.mass_kg * old + mass * own) / whole;
  if (mass > 0.0) {
    const Mat3 turned = place.rotation * solid.inertia_per_mass_m2 * place.rotation.transpose();
    body.set_inertia(body.inertia_kg_m2 + point_inertia(body.mass_kg, old - centre) + mass * turned +
                     point_inertia(mass, own - centre));
    body.mass_kg = body.beyond_flange_mass_kg = whole;
    body.centre_of_mass_m = body.beyond_flange_centre_m = centre;
    body.beyond_flange_inertia_kg_m2 = body.inertia_kg_m2;
  }
  if (body.mount != Mount::free) return;
  add_samples(shape, place, body);
  set_sample_stiffness(body, 4.0);
}

RigidBody make_plane(const std::string& name) {
  RigidBody body;
  body.name = name;
  body.mount = Mount::fixed;
  body.shape = PlaneShape{};
  return body;
}

std::optional<RigidBody> make_moved_body(const ModelDescription& description, const std::string& name) {
  for (const auto& [known, body] : description.bodies) {
    if (known != name) continue;
    if (const auto* finger = std::get_if<FingertipDescription>(&body)) return make_rod(name, *finger);
    const auto* rigid = std::get_if<RigidDescription>(&body);
    if (rigid == nullptr) break;
    RigidBody object = make_object(name, *rigid);
    for (const auto& [part_name, part] : description.parts)
      if (part.body == name) add_part(part_name, part, object);
    return object;
  }
  return std::nullopt;
}

}  // namespace distal
