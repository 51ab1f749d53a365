// The largest stable step of the explicit integrators, and the first mode, from the spectrum of the linearised system.
#pragma once
#include <string>

#include "distal/integrator/stiffness_operator.hpp"
#include "distal/solver/lanczos.hpp"

namespace distal {

struct StableStep {
  double step_s = 0.0;         // bound of semi-implicit Euler, damping and contact of the whole skin included
  double highest_rad_s = 0.0;  // undamped
  std::int32_t particle = -1;  // that limits it
  std::string where;           // body, place and reason, for people
};

// Semi-implicit Euler is stable while h^2 K + 2 h C < 4 M, so h = 2 / sqrt(largest eigenvalue of M^-1 (K + 2 C / h)).
StableStep find_stable_step(const Model& model, const State& state, Workspace& ws);

// Looks again during a run, as bodies deform: a short Lanczos process from a fixed start, so that the answer depends on
// the state alone. Allocates nothing after construction.
class StableStepWatch {
 public:
  StableStepWatch(const Model& model, const State& state, Workspace& ws);
  double look(const State& state);

 private:
  const Model& model_;
  StiffnessOperator stiffness_;
  LargestEigenvalue largest_;
};

// Lowest angular frequency of the soft bodies with their rods held [rad/s]; a body that nothing holds counts by the
// time a shear wave takes along it: pi c_s / longest side.
double find_first_mode(const Model& model, const State& state, Workspace& ws);

// Paper 1, II.E: its step must be much smaller than 1/omega_0, omega_0^2 = 2 k/m for the stiffest spring.
double paper_step_limit(const SoftBody& body);

}  // namespace distal
