// Facets of a tet body against a rigid shape: paper 2's way of finding contacts (facet_law.hpp has the law).
#pragma once
#include "distal/state/workspace.hpp"

namespace distal {

// Area coordinates of the point where friction holds a facet.
std::array<double, 3> grip_of(const FacetContactDescription& law, const Contact& contact);

void list_near_facets(const Model& model, std::size_t pair, const State& state, Workspace& ws);
// Adds forces to the particles; the sums of the pair are left in its workspace.
void add_facet_forces(const Model& model, std::size_t pair, const State& state, Workspace& ws);

}  // namespace distal
