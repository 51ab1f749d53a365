// Finding contacts, evaluating them, and keeping their memory.
#pragma once
#include "distal/state/workspace.hpp"

namespace distal {

// Refreshes the lists of samples near a shape when things have moved far enough. Linear in the number of samples.
void find_contacts(const Model& model, const State& state, Workspace& ws);

// Evaluates the laws at the present state and adds their forces to particles and rigid bodies. Changes no state.
void add_contact_forces(const Model& model, const State& state, Workspace& ws);

// Makes the contact states of the last evaluation part of the state (anchors, touch) and books what they released.
void commit_contacts(const Model& model, const Workspace& ws, State& state);

// How far the next step moved things: brings the next refresh nearer.
void note_travel(double distance_m, Workspace& ws);

}  // namespace distal
