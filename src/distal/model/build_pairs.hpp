// Which bodies may touch each other, and by which law.
#pragma once
#include "distal/model/model.hpp"

namespace distal {

// Needs the model's bodies, joints and integrator. Throws InputError where a law does not fit its bodies.
void add_pairs(const ModelDescription& description, Model& model);

}  // namespace distal
