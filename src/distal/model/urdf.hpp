// Hands from URDF files, read by urdfdom.
#pragma once
#include "distal/model/link_tree.hpp"

namespace distal {

// Links, collision shapes, inertia and joints. Throws InputError: file, line, element, what was found, what is allowed.
LinkTree load_urdf(const std::string& file);

}  // namespace distal
