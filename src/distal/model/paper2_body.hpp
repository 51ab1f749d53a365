// Paper 2's springs and volume cells on a mesh of tetrahedra (docs/models/paper2.md).
#pragma once
#include "distal/model/tet_body.hpp"

namespace distal {

// Fills `edges` and `volumes` of a body whose mesh, masses and moduli are there.
void add_paper2_springs(TetBody& body);

}  // namespace distal
