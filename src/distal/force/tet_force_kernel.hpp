// Vector loops of the tetrahedra's forces, compiled once per instruction set (Highway).
#pragma once
#include "distal/force/tet_tangent_kernel.hpp"
#include "distal/state/workspace.hpp"

namespace distal::tet {

// A body's constants (see TetBody), and the arrays of its vertices: vectors as four numbers, the last one 0.
struct ForceJob {
  Rows nodal, springs;
  const Vec3 *mean, *given;          // per entry of nodal
  const double *stiffness, *volume;  // per entry of springs, per vertex
  double mu, lambda, viscosity;      // [Pa], [Pa], [Pa s]
  const double *place, *speed;       // of every vertex
  double* stress;                    // P_n of every vertex: three columns
  bool energy;
};

// The stress of the vertices [begin, end) times their volume, from the mean gradients around them.
void find_vertex_stress(const ForceJob& job, std::size_t begin, std::size_t end, PlaneSums& sums);
// Their forces, once all stresses are known.
void gather_forces(const ForceJob& job, std::size_t begin, std::size_t end, double* x, double* y, double* z,
                   PlaneSums& sums);

}  // namespace distal::tet
