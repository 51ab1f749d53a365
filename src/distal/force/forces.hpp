// The one list of force terms. Gravity and control act as accelerations and applied wrenches in the integrators.
#pragma once
#include "distal/state/workspace.hpp"

namespace distal {

// Fills ws.force and ws.rigid_force, and every term's own sums, from the state.
void compute_forces(const Model& model, const State& state, Workspace& ws);

// The terms.
void compute_spring_force(const Model& model, std::size_t soft_index, const State& state, Workspace& ws);
void add_ligament_force(const Model& model, std::size_t soft_index, const State& state, Workspace& ws);
void add_bonded_skin_force(const Model& model, std::size_t soft_index, const State& state, Workspace& ws);

// Power that damping takes at the last evaluation [W]: viscosity, ligaments, rigid contacts, flange, drag.
double dissipation_power(const Model& model, const State& state, const Workspace& ws);

// Energies at the last evaluation, which must have had want_energy set [J].
StoredEnergy stored_energy(const Model& model, const State& state, const Workspace& ws);

}  // namespace distal
