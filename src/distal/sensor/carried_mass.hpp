// What a hand carries that holds a rigid body: the body itself and the soft tip on it, counted where it is at rest.
#pragma once
#include "distal/model/model.hpp"

namespace distal {

struct CarriedMass {
  double mass_kg = 0.0;
  Vec3 centre_m = Vec3::Zero();       // body frame
  Mat3 inertia_kg_m2 = Mat3::Zero();  // about the centre, body axes
};

CarriedMass find_carried_mass(const Model& model, std::size_t rigid_index);

}  // namespace distal
