// Strands that tests and benchmarks share.
#pragma once
#include "distal/simulation/simulation.hpp"

namespace distal::test {

inline MaterialDescription strand_material(double youngs_modulus_pa, double density_kg_m3 = 1000.0,
                                           double poissons_ratio = 0.3) {
  MaterialDescription material;
  material.youngs_modulus_pa = youngs_modulus_pa;
  material.poissons_ratio = poissons_ratio;
  material.density_kg_m3 = density_kg_m3;
  return material;
}

// A straight strand along x from the origin, alone and without gravity.
inline ModelDescription strand_alone(const StrandDescription& strand, const MaterialDescription& material) {
  ModelDescription scene;
  scene.gravity_m_s2.setZero();
  scene.materials["noodle"] = material;
  scene.bodies = {{"strand", strand}};
  std::get<StrandDescription>(scene.bodies[0].second).material = "noodle";
  scene.threads = 1;
  return scene;
}

// Its first ring held.
inline void hold_start(ModelDescription& scene) {
  FixDescription fix;
  fix.body = "strand";
  fix.max_m.x() = 1e-6;
  scene.fixes = {{"start", fix}};
}

// Mean place of the nodes of a ring.
inline Vec3 ring_centre(const Simulation& simulation, int ring) {
  const SoftBody& body = simulation.model().soft[0];
  const StrandSprings& strand = body.tet->strand;
  Vec3 sum = Vec3::Zero();
  for (int p = 0; p < strand.places; ++p)
    sum += simulation.state().x.get(static_cast<std::size_t>(body.first_particle + p * strand.rings + ring));
  return sum / strand.places;
}

// The geometry, modulus and density from which Table 1 of paper 4 follows (docs/models/strand.md).
inline StrandDescription paper4_strand(int rings) {
  StrandDescription strand;
  strand.model = TetModel::paper4;
  strand.radius_m = 0.00278;
  strand.spacing_m = 0.4449 * strand.radius_m;
  strand.length_m = (rings - 1) * strand.spacing_m;
  strand.equal_area = false;
  return strand;
}
inline constexpr double kPaper4_pa = 3980.0, kPaper4Heavy_kg_m3 = 9049.0, kPaper4Light_kg_m3 = 1508.0;

}  // namespace distal::test
