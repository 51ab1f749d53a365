// Which bodies may touch each other, and by which law.
#pragma once
#include "distal/model/model.hpp"

namespace distal {

// Needs the model's bodies, joints and integrator. Throws InputError where a law does not fit its bodies.
void add_pairs(const ModelDescription& description, Model& model);

// Keys of laws of soft fingers that no two rigid bodies can touch by: "contact.normal", "pair.NAME.normal". None of a
// scene with hands, whose links are not known here.
std::vector<std::string> find_unused_patches(const ModelDescription& description);

}  // namespace distal
