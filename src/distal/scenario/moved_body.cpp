#include "distal/scenario/moved_body.hpp"

#include "distal/model/rigid_body.hpp"

namespace distal {

std::optional<MovedBody> find_moved_body(const ModelDescription& model, const std::string& name) {
  const std::optional<RigidBody> body = make_moved_body(model, name);
  if (!body || body->mass_kg <= 0.0) return std::nullopt;
  MovedBody moved;
  moved.mass_kg = body->mass_kg;
  moved.centre_of_mass_m = body->centre_of_mass_m - body->end_m;
  moved.gyration_radii_m = (body->inertia_kg_m2.diagonal() / body->mass_kg).cwiseSqrt();
  return moved;
}

}  // namespace distal
