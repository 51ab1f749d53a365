// The contact patch of a soft body.
#pragma once
#include "distal/sensor/reading.hpp"
#include "distal/sensor/skin.hpp"

namespace distal {

// Centre, pressure and count come from the samples that touch; the area from all that do so as far as the lattice can
// tell. A cell carries its piece of skin almost rigidly: on a flattened patch only the lowest part of a piece that
// bends with radius rho presses, the rest hovers by up to the sagitta A^2 / (8 rho). Samples nearer than that count.
// 1/rho is the curvature of the skin plus that of what it touches, at most 1/(2 A): sharper bends are edges.
ContactPatch measure_patch(const Model& model, std::size_t soft_index, const State& state, const Workspace& ws,
                           SkinView& view);

}  // namespace distal
