// What a controller should expect to move.
#pragma once
#include <optional>
#include <string>

#include "distal/model/description.hpp"

namespace distal {

// A rod with its flange, or a rigid body with its parts. What hangs on it besides (a soft tip) is felt, not expected.
struct MovedBody {
  double mass_kg = 0.0;
  Vec3 centre_of_mass_m, gyration_radii_m;  // from E and about that centre, along E's axes
};

// None for a body that no wrench moves, and for a link without a mass. Hands are expanded. Throws InputError that
// begins with the key, for a mesh that cannot be used.
std::optional<MovedBody> find_moved_body(const ModelDescription& model, const std::string& name);

}  // namespace distal
