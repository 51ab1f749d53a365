// Do the joints of a URDF file make one tree of its links?
#pragma once
#include "distal/model/urdf_text.hpp"

class TiXmlElement;

namespace distal {

// Throws InputError: a name that points nowhere, a link with two parents, a ring, two roots.
void check_urdf_tree(const UrdfText& urdf, const TiXmlElement& robot);

}  // namespace distal
