// Sensors: wrenches with their closure, contact patch, depth, deformation. All read the last force evaluation, which
// must belong to the present state.
#pragma once
#include "distal/sensor/contact_sums.hpp"
#include "distal/sensor/reading.hpp"

namespace distal {

// Reads a rigid body and, if it is the rod of a finger, its tip; `sums` are those of the present state.
BodyReading measure_body(const Model& model, std::size_t rigid_index, const State& state, const Workspace& ws,
                         const ContactSums& sums);

JointFeedback measure_joint(const Model& model, std::size_t joint, const State& state);

EnergyReading measure_energy(const State& state, const Workspace& ws);

// Pressure on every skin vertex of a soft body [Pa].
std::vector<double> measure_pressure(const Model& model, std::size_t soft_index, const State& state,
                                     const Workspace& ws);

// Pressure as a grid of square taxels around the tip's axis, row by row [Pa]: normal contact force that falls on each
// taxel, seen along the tip's z axis, over its area.
std::vector<double> measure_taxels(const Model& model, std::size_t soft_index, const State& state, const Workspace& ws,
                                   int rows, int columns, double pitch_m);

// How far a soft body can travel along a direction (as a rigid thing) before its skin first touches something [m];
// infinite if never.
double find_gap(const Model& model, std::size_t soft_index, const State& state, const Vec3& direction);
// The same for other soft bodies alone.
double find_soft_gap(const Model& model, std::size_t soft_index, const State& state, const Vec3& direction);

// The same for a rigid body on its way to the skins of soft ones.
double find_rigid_gap(const Model& model, std::size_t rigid_index, const State& state, const Vec3& direction);

std::vector<BodySnapshot> take_snapshots(const Model& model, const State& state, const Workspace& ws);

// Soft body on a rod, or -1.
int soft_on_rod(const Model& model, std::size_t rigid_index);

}  // namespace distal
