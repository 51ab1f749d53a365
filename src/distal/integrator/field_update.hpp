// Fields over time: conduction within a body and exchange with what touches it (docs/models/field.md).
#pragma once
#include "distal/state/workspace.hpp"

namespace distal {

// Over one control period, with the contacts of the last force evaluation.
void advance_fields(const Model& model, double period_s, State& state, const Workspace& ws);

}  // namespace distal
