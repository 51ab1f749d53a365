// Moving rigid bodies.
#pragma once
#include "distal/state/workspace.hpp"

namespace distal {

// Accelerations of free bodies from ws.rigid_force, ws.applied and weight; stored in ws.rigid_acceleration.
void compute_rigid_acceleration(const Model& model, const State& state, Workspace& ws);

// Velocities of free bodies after h under the forces of the last evaluation (by momentum, so that spin is kept
// exactly). Books the work of the applied wrenches and of the drives.
void kick_rigid(const Model& model, double h, Workspace& ws, State& state);
// Poses after h at the present velocities; driven ones move with their imposed twist.
void drift_rigid(const Model& model, double h, State& state);

// One body of those.
void kick_body(const Model& model, std::size_t body, double h, Workspace& ws, State& state);
void drift_body(const RigidBody& body, double h, RigidState& state);
void drift_driven(const RigidBody& body, double h, RigidState& state);
// Without any torque: the angular momentum stays as it is, to rounding, and the energy to fourth order.
void turn_freely(const RigidBody& body, double h, RigidState& state);

// Upper bound of the speed of any point of a rigid surface that others touch.
double largest_rigid_speed(const Model& model, const State& state);

}  // namespace distal
