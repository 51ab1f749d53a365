// integrator.kind = "auto": the fastest scheme that is accurate enough for a control loop.
//   explicit   semi-implicit Euler at its stable step: nothing is added to the motion.
//   implicit   implicit Euler, which damps a mode omega by the ratio omega h / 2. Counted is the first mode of the soft
//              bodies, or a tenth of the control rate where that is lower: a loop does not reach beyond. As many steps
//              a period as keep it under integrator.added_damping.
// A free soft body that begins with a spin gets explicit steps: implicit Euler would slow it down.
// The costs compared are numbers of force evaluations, not measured times: the same scene gets the same scheme on every
// machine.
#pragma once
#include <string>

#include "distal/model/model.hpp"

namespace distal {

struct IntegratorChoice {
  IntegratorKind kind = IntegratorKind::semi_implicit_euler;
  int steps = 1;               // of an implicit kind, a period
  double added_damping = 0.0;  // of the counted mode
  std::string reason;          // for people
};

IntegratorChoice choose_integrator(const Model& model, double explicit_step_s, double first_mode_rad_s,
                                   bool quasi_static);

}  // namespace distal
