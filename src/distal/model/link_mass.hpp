// Mass of the links of a hand.
#pragma once
#include "distal/model/link_tree.hpp"

namespace distal {

// Gives every link an inertia: its own, or that of its parts, which are solid. Throws InputError for a link that moves
// and has no mass or no inertia.
void settle_masses(double density_kg_m3, Mount root_mount, LinkTree& tree);

}  // namespace distal
