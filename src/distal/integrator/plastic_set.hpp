// Plastic set of springs: one strained past the yield keeps a part of it (docs/models/strand.md).
#pragma once
#include "distal/state/workspace.hpp"

namespace distal {

// After a step. What the springs no longer hold is dissipated.
void apply_plastic_set(const Model& model, State& state, Workspace& ws);

}  // namespace distal
