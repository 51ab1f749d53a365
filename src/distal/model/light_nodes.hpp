// Light nodes at a cut surface would limit the explicit step for no gain.
#pragma once
#include "distal/model/model.hpp"

namespace distal {

// Light nodes borrow mass from their neighbours (the total stays) until none vibrates by itself much faster than a
// node inside the body, and embedded points that still hang on little mass are held more softly.
void relieve_light_nodes(SoftBody& body);

// Mass that a force on an embedded point has to move [kg].
double embedded_mass(const Lattice& lattice, const EmbeddedPoints& points, std::size_t p);

}  // namespace distal
