// A hand that moves points of a skin (paper 4, 4.3): the force that gives a point the velocity asked for within one
// semi-implicit step, eq. (5), as far as pushing and friction allow.
//   point v' = sum w_a (v_a + h (f_a / m_a + g)) + h F sum w_a^2 / m_a
// F pushes and never pulls: F . N <= 0; its tangential part is at most friction |F . N|. For a point at a node this is
// the paper's M (dx/h - v)/h - f - M g.
#pragma once
#include "distal/state/workspace.hpp"

namespace distal {

// Last of the force terms: what the others say must be known. Books its work.
void add_touch_forces(const Model& model, double h, State& state, Workspace& ws);

}  // namespace distal
