// What the sensors of a run report, once per control period, and the geometry of a moment for drawing.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "distal/geometry/triangle_mesh.hpp"
#include "distal/state/exchange.hpp"

namespace distal {

struct ContactPatch {
  double area_m2 = 0.0;          // in the deformed state; see sensor/contact_sums.hpp
  double radius_m = 0.0;         // of the circle with that area
  Vec3 centre_m = Vec3::Zero();  // force-weighted, world
  double peak_pressure_pa = 0.0;
  int count = 0;  // touching samples
};

struct BodyReading {
  BodyFeedback feedback;
  Wrench tip_elastic, tip_damping;  // parts of feedback.tip
  double closure_residual = 0.0;    // |contact + weight - inertia - tip| over the largest of them, force and torque
  double depth_m = 0.0;  // deepest penetration of the undeformed surface (rod travel since first touch on a plane)
  ContactPatch patch;
};

// Energies [J]. Conserved: kinetic + elastic + gravity + contact + ligament + dissipated + integrator - control_work =
// its value at the start.
struct EnergyReading {
  double kinetic = 0.0, elastic = 0.0, gravity = 0.0, contact = 0.0, ligament = 0.0;
  double dissipated = 0.0;    // viscosity, ligament damping, friction, flange damping: accumulated
  double control_work = 0.0;  // accumulated
  double integrator = 0.0;    // implicit kinds damp by themselves: accumulated
  double residual = 0.0;      // what is left over: the error of the integrator
};

// One row of curve.csv: a settled state of a prescribed motion.
struct CurveRow {
  std::string phase;  // press, twist, shift, slide, load
  double depth_m = 0.0, twist_rad = 0.0, shift_m = 0.0;
  double force_n = 0.0;  // normal contact force
  double contact_radius_m = 0.0, contact_area_m2 = 0.0;
  double torque_n_m = 0.0;  // about the rod's axis
  double tangential_force_n = 0.0;
  // Not in the file: all of the force across the press, and the moment along it about the middle of the pressure.
  double drag_n = 0.0, patch_moment_n_m = 0.0;
};

// A body at one moment, for frames and pictures. Topology does not change during a run.
struct BodySnapshot {
  std::string name;
  std::string kind;                 // fingertip, block, plane, rigid
  TriangleMesh surface;             // world, deformed
  std::vector<double> pressure_pa;  // per surface vertex; empty for rigid things
  std::vector<Vec3>
      displacement_m;  // per surface vertex, against the undeformed place carried by the rod; may be empty
  std::vector<std::pair<std::string, std::vector<double>>> fields;  // name, and values per surface vertex; may be empty
  std::vector<Vec3> contact_force_n;                                // per surface vertex, on the body; may be empty
  std::vector<Vec3> particles;                                      // world; active lattice nodes; may be empty
  std::vector<std::array<std::int32_t, 2>> springs;  // index pairs into particles: the boundary's grid edges (Fig. 6)
  TriangleMesh rod;                                  // world; empty where there is none
  Pose end_pose;                                     // E (fingertip) or the centre
  BodyFeedback feedback;                             // wrenches at that moment
};

}  // namespace distal
