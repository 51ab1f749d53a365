// A bar of the neo-Hookean material of the lattice, pulled or pushed along its axis, free at its sides.
#pragma once
#include "distal/model/description.hpp"

namespace distal {

struct UniaxialStress {
  double nominal_pa = 0.0;  // force over the first cross-section
  double true_pa = 0.0;     // over the present one
};

// At a stretch (length over first length) above 0. docs/guide/fit.md has the equations.
UniaxialStress compute_uniaxial_stress(const ElasticModuli& moduli, double stretch);

}  // namespace distal
