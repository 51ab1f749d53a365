// Moving all particles at once.
#pragma once
#include "distal/state/workspace.hpp"

namespace distal {

// v += h (f / m + g) for the particles that can move.
void kick_particles(const Model& model, double h, Workspace& ws, Vec3Array& v);
// x += h v; remembers the largest speed in ws.
void drift_particles(double h, Workspace& ws, const Vec3Array& v, Vec3Array& x);

}  // namespace distal
