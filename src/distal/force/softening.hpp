// What a field leaves of a soft body's stiffness (docs/models/field.md).
#pragma once
#include "distal/state/workspace.hpp"

namespace distal {

// Nothing where no field softens the body.
void update_softening(const Model& model, std::size_t soft, const State& state, Workspace& ws);

}  // namespace distal
