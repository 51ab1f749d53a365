#include "distal/model/link_mass.hpp"

#include <fmt/format.h>

#include "distal/core/error.hpp"
#include "distal/model/rigid_body.hpp"

namespace distal {
namespace {

Mat3 inertia_of_point(double mass_kg, const Vec3& at) {
  return mass_kg * (at.squaredNorm() * Mat3::Identity() - at * at.transpose());
}

// Where parts overlap, they count twice.
InertialDescription mass_of_parts(const Link& link, double density_kg_m3) {
  InertialDescription whole;
  Mat3 about_origin = Mat3::Zero();
  for (const PartDescription& part : link.parts) {
    const SolidMass solid = find_solid_mass(make_part_shape(link.place, part));
    const double mass = density_kg_m3 * solid.volume_m3;
    const Vec3 centre = part.position_m + part.q_xyzw * solid.centre_m;
    const Mat3 turn = part.q_xyzw.toRotationMatrix();
    whole.mass_kg += mass;
    whole.centre_m += mass * centre;
    about_origin += mass * turn * solid.inertia_per_mass_m2 * turn.transpose() + inertia_of_point(mass, centre);
  }
  if (whole.mass_kg > 0.0) whole.centre_m /= whole.mass_kg;
  whole.inertia_kg_m2 = about_origin - inertia_of_point(whole.mass_kg, whole.centre_m);
  return whole;
}

void check_meshes(const Link& link) {
  for (const PartDescription& part : link.parts) {
    if (part.shape != RigidShapeKind::mesh) continue;
    try {
      load_convex_hull(part.file, part.mesh_scale);
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: {}; a link of another form has several <collision>, each a convex piece",
                                   link.place, error.what()));
    }
  }
}

void check_mass(const Link& link) {
  const InertialDescription& i = *link.inertial;
  if (!(i.mass_kg > 0.0))
    throw InputError(fmt::format("{}: moves and has the mass 0, allowed: above 0; {}", link.place,
                                 link.parts.empty()
                                     ? "give it an <inertial>, or a <collision> whose mass is found from its density"
                                     : "without <inertial> its mass is found from its shapes and their density"));
  const Vec3 moments = Eigen::SelfAdjointEigenSolver<Mat3>(i.inertia_kg_m2).eigenvalues();
  if (moments.minCoeff() <= 1e-9 * moments.cwiseAbs().maxCoeff())
    throw InputError(fmt::format(
        "{}: moves and has the principal moments of inertia {:.6g}, {:.6g}, {:.6g} kg m^2, allowed: above 0",
        link.place, moments[0], moments[1], moments[2]));
  if (moments[2] > (1.0 + 1e-6) * (moments[0] + moments[1]))
    throw InputError(
        fmt::format("{}: moves and has the principal moments of inertia {:.6g}, {:.6g}, {:.6g} kg m^2, "
                    "allowed: none larger than the sum of the other two (no body has such)",
                    link.place, moments[0], moments[1], moments[2]));
}

}  // namespace

void settle_masses(double density_kg_m3, Mount root_mount, LinkTree& tree) {
  std::vector<bool> moves;
  for (Link& link : tree) {
    moves.push_back(link.parent < 0 ? root_mount == Mount::free
                                    : link.kind != JointKind::weld || moves[static_cast<std::size_t>(link.parent)]);
    check_meshes(link);
    if (!link.inertial) link.inertial = mass_of_parts(link, density_kg_m3);
    if (moves.back()) check_mass(link);
  }
}

}  // namespace distal
