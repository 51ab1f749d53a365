// One control period of everything: the engine on one screen.
#pragma once
#include <string>

#include "distal/sensor/reading.hpp"
#include "distal/state/workspace.hpp"

namespace distal {

enum class StepStatus { good, failed };

struct StepReport {
  StepStatus status = StepStatus::good;
  double time_s = 0.0;
  int steps = 0;           // integrator steps of this period
  int rejected = 0;        // steps thrown away and done again smaller
  int spurious_steps = 0;  // energy_guided: steps that exceeded the tolerance at the smallest size
  SolveReport solve;       // implicit kinds: iterations of all steps, largest residual
  std::string message;     // failed: time, particle or cell, cause and remedy
};

// Holds the command for one control period and advances the state over it. A step that turns a cell inside out or lets
// a particle run away is thrown away: the period is done again with half the step, up to a limit.
StepReport step(const Model& model, const Control& control, State& state, Workspace& ws);

}  // namespace distal
