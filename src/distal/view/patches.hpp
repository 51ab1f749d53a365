// Hard contacts of rigid bodies as viewers see them.
#pragma once
#include "distal/view/view_data.hpp"

namespace distal {

// Bodies are indices into the scene of viewers.
ViewPatch make_view_patch(const HardContact& contact, const FrictionUse& use, int first_body, int second_body);

// Adds their forces to the contacts of the moment: on the second body, or on the first where the second is fixed.
void add_patch_forces(const ViewScene& scene, ViewMoment& moment);

}  // namespace distal
