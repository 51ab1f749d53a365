// Integrators: one file, one signature, one full recipe each. All stand on compute_forces().
#pragma once
#include "distal/state/workspace.hpp"

namespace distal {

// What one call did. It moves the state on by at most `most_s` (fixed-step recipes take all of it).
struct Advance {
  double taken_s = 0.0;
  int rejected = 0;              // steps thrown away and tried again smaller
  bool spurious_energy = false;  // energy_guided: the smallest step was taken although it exceeded the tolerance
  SolveReport solve;             // implicit kinds; a solve that did not converge leaves the state as it was
};

// Adaptive recipes go no lower than this share of the stable step, and take such a step whatever its error.
inline constexpr double kSmallestShare = 1.0 / 1024.0;

// Forward Euler, as printed in paper 1 (Fig. 4): positions with the old velocities. Undamped it has no stable step.
Advance advance_forward_euler(const Model& model, double most_s, State& state, Workspace& ws);
// Semi-implicit Euler: velocities first, positions with the new ones. Symplectic without damping.
Advance advance_semi_implicit_euler(const Model& model, double most_s, State& state, Workspace& ws);
// Dormand-Prince 5(4) with error control, one accepted step.
Advance advance_runge_kutta(const Model& model, double most_s, State& state, Workspace& ws);
// Velocity Verlet whose step grows or shrinks with the spurious energy it makes (Joukhadar, named in paper 1, II.B).
Advance advance_energy_guided(const Model& model, double most_s, State& state, Workspace& ws);

// Implicit Euler and implicit midpoint: one Newton solve a step; any step is stable, the first damps by itself.
Advance advance_implicit_euler(const Model& model, double most_s, State& state, Workspace& ws);
Advance advance_implicit_midpoint(const Model& model, double most_s, State& state, Workspace& ws);

// Rigid bodies with hard contacts, friction and joints: one complementarity problem a step (paper 3). What is soft, and
// the rods it hangs on, take semi-implicit steps within; their impulse acts on rigid bodies with the next step.
Advance advance_complementarity(const Model& model, double most_s, State& state, Workspace& ws);

// The fifth-order step alone, without error control; fills ws.stage_* for the error estimate.
void take_runge_kutta_step(const Model& model, double h, State& state, Workspace& ws);

Advance advance(const Model& model, double most_s, State& state, Workspace& ws);

// Kept up to date by whoever moves things, so that contact lists stay complete.
void note_motion(const Model& model, double h, const State& state, Workspace& ws);

}  // namespace distal
