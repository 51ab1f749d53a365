// The lattice of paper 1 as printed (errata fixed): particles at grid points inside the tip, equal masses, springs to
// 26 neighbours with k = E A^2 / l0 and critical damping. docs/models/paper_lattice.md says what it really is.
#pragma once
#include "distal/model/lattice.hpp"

namespace distal {

void build_paper_lattice(const Solid& solid, double density_kg_m3, Lattice& lattice);

// The particle nearest to a point of the body's frame.
int nearest_particle(const Lattice& lattice, const Vec3& point);

// Particles with fewer than 26 neighbours: the boundary of paper 1, II.F.
std::vector<std::int32_t> boundary_particles(const Lattice& lattice);

}  // namespace distal
