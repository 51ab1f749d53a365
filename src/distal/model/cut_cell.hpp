// A cell that the surface cuts: the neo-Hookean energy integrated over the part inside the body.
#pragma once
#include "distal/model/lattice.hpp"

namespace distal {

struct CutCell {
  double volume = 0.0;                          // V inside [m^3]
  Vec3 centroid = Vec3::Zero();                 // of the inside, body frame [m]
  std::array<double, kPackedSize> stiffness{};  // K_bc = mu/64 sum_q w_q grad phi_b . grad phi_c [N/m]
  std::array<Vec3, kModes> gradient;            // g_b = 1/(8 V) sum_q w_q grad phi_b [1/m]
  std::array<double, kCorners> mass_share{};    // 1/V sum_q w_q N_a
};

// Quadrature over kSubdivisions^3 points, each weighted by the share of its small cube inside the body.
CutCell integrate_cut_cell(const Solid& solid, const Vec3& centre, double cell_size_m, double mu_pa);

// Lays the full cells (runs) and the cut ones, both in the order of their nodes, out in tiles.
void pack_cells(const std::vector<CutCell>& cells, const std::vector<std::int32_t>& nodes, Precision precision,
                Lattice& lattice);

}  // namespace distal
