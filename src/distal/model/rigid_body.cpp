#include "distal/model/rigid_body.hpp"

#include <cmath>
#include <numbers>

namespace distal {
namespace {

// Rigid objects rest on penalty points that sink this far under their own weight.
constexpr double kSinkUnderWeight_m = 1e-5;
constexpr double kStandardGravity_m_s2 = 9.80665;
constexpr double kSampleDampingRatio = 0.7;

// Inertia of mass m at `offset` from the reference point, added about that point.
Vec3 point_inertia(double mass, const Vec3& offset) {
  const Vec3 s = offset.cwiseProduct(offset);
  return mass * Vec3(s.y() + s.z(), s.x() + s.z(), s.x() + s.y());
}

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
  const Vec3 inertia = Vec3(across_c + across_h, across_c + across_h, 0.5 * mc * r * r + 0.4 * mh * r * r) +
                       point_inertia(mc, centre_c - centre) + point_inertia(mh, centre_h - centre);
  rod.beyond_flange_mass_kg = d.rod_mass_kg;
  rod.beyond_flange_centre_m = centre;
  rod.beyond_flange_inertia_kg_m2 = inertia;
  const double flange = d.mount == Mount::inertia ? d.flange_mass_kg : 0.0;
  rod.mass_kg = d.rod_mass_kg + flange;
  rod.centre_of_mass_m = (d.rod_mass_kg * centre + flange * rod.end_m) / rod.mass_kg;
  rod.inertia_kg_m2 = inertia + point_inertia(d.rod_mass_kg, centre - rod.centre_of_mass_m) +
                      point_inertia(flange, rod.end_m - rod.centre_of_mass_m);
  if (d.mount == Mount::inertia) {
    rod.damping_n_s_m = d.flange_damping_n_s_m;
    rod.angular_damping_n_m_s_rad = d.flange_angular_damping_n_m_s_rad;
  }
  return rod;
}

RigidBody make_object(const std::string& name, const RigidDescription& d) {
  RigidBody body;
  body.name = name;
  body.mount = d.mount;
  body.mass_kg = body.beyond_flange_mass_kg = d.mass_kg;
  body.guide_axis = d.guide_axis.normalized();
  if (d.shape == RigidShapeKind::sphere) {
    body.shape = SphereShape{d.radius_m};
    body.samples_m = {Vec3::Zero()};
    body.sample_radius_m = d.radius_m;
    set_sample_stiffness(body, 1.0);
  } else if (d.shape == RigidShapeKind::capsule) {
    body.shape = CapsuleShape{d.radius_m, 0.5 * d.length_m};
    body.samples_m = {Vec3(0.0, 0.0, -0.5 * d.length_m), Vec3(0.0, 0.0, 0.5 * d.length_m)};
    body.sample_radius_m = d.radius_m;
    set_sample_stiffness(body, 2.0);
  } else {
    const Vec3 half = 0.5 * d.size_m;
    body.shape = BoxShape{half};
    for (int a = 0; a < 8; ++a)
      body.samples_m.emplace_back(half.cwiseProduct(Vec3(a & 1 ? 1 : -1, a & 2 ? 1 : -1, a & 4 ? 1 : -1)));
    set_sample_stiffness(body, 4.0);
  }
  body.inertia_kg_m2 = body.beyond_flange_inertia_kg_m2 = d.mass_kg * inertia_per_mass(*body.shape);
  return body;
}

RigidBody make_plane(const std::string& name) {
  RigidBody body;
  body.name = name;
  body.mount = Mount::fixed;
  body.shape = PlaneShape{};
  return body;
}

}  // namespace distal
