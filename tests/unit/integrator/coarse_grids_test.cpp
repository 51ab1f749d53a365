// The preconditioner's coarse grids as a matrix: symmetric, positive, near the inverse for long motions, the same bits
// for any number of threads; over a lattice and over tetrahedra.
#include "distal/integrator/coarse_grids.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "distal/simulation/simulation.hpp"
#include "support/tet_scenes.hpp"

namespace distal {
namespace {

ModelDescription held_block(bool tets) {
  MaterialDescription rubber;
  rubber.youngs_modulus_pa = 1e5, rubber.poissons_ratio = 0.45;
  const Vec3 size_m(0.021, 0.018, 0.02);
  ModelDescription scene = test::held_tet_cuboid(size_m, 0.0012, rubber);
  if (!tets) {
    BlockDescription block;
    block.lattice.material = "rubber", block.lattice.cell_size_m = 0.001, block.size_m = size_m;
    scene.bodies = {{"block", block}};
    scene.fixes[0].second.max_m.z() = -0.5 * size_m.z() + 1e-6;
  }
  scene.integrator.kind = IntegratorKind::implicit_euler;
  scene.threads = 4;
  return scene;
}

struct Case {
  explicit Case(bool tets)
      : simulation(held_block(tets)), body(simulation.model().soft[0]), grids(simulation.model(), body) {
    const Model& model = simulation.model();
    mass.assign(model.particle_slots + kPadding, 0.0F);
    for (std::size_t p = 0; p < model.particle_slots; ++p)
      if (model.inverse_mass_per_kg[p] > 0.0) mass[p] = static_cast<float>(model.mass_kg[p]);
    grids.weigh({1e-6, 1e-3, false}, 1.0);
    grids.place(simulation.state());
    // A stiff contact in the middle of the top, oblique.
    const Eigen::Vector3f normal = Eigen::Vector3f(0.2F, 0.1F, 1.0F).normalized();
    grids.add_contact(Vec3(0.0003, 0.0002, 0.01), 1e-2F * normal * normal.transpose());
    grids.finish();
  }
  // A right side: noise, or long waves.
  solve::Array make(unsigned seed, bool smooth) const {
    solve::Array r;
    r.resize(simulation.model().particle_slots);
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> in(-1.0F, 1.0F);
    for (std::size_t p = 0; p < r.size(); ++p)
      for (int c = 0; c < 3; ++c) {
        const Vec3 x = simulation.state().x.get(p);
        if (mass[p] > 0.0F)
          r.data(c)[p] = smooth ? static_cast<float>(std::cos(150.0 * x[(c + 1) % 3] + seed + c)) : in(random);
      }
    return r;
  }
  solve::Array apply(const solve::Array& r, int threads, double& rz) {
    ThreadTeam team(threads);
    solve::Array z;
    z.resize(r.size());
    rz = grids.correct(team, mass.data(), r, z);
    return z;
  }
  Simulation simulation;
  const SoftBody& body;
  CoarseGrids grids;
  AlignedVector<float> mass;
};

double dot(const solve::Array& a, const solve::Array& b) {
  double sum = 0.0;
  for (std::size_t p = 0; p < a.size(); ++p) sum += a.get(p).dot(b.get(p));
  return sum;
}

class CoarseGridsOver : public testing::TestWithParam<bool> {};

TEST_P(CoarseGridsOver, AreSymmetricAndPositive) {
  Case c(GetParam());
  ASSERT_GE(c.grids.levels(), 2);
  for (const bool smooth : {false, true}) {
    const solve::Array a = c.make(1, smooth), b = c.make(2, smooth);
    double aa = 0.0, bb = 0.0;
    const solve::Array za = c.apply(a, 1, aa), zb = c.apply(b, 1, bb);
    EXPECT_GT(aa, 0.0);
    EXPECT_NEAR(aa, dot(a, za), 1e-4 * aa);
    EXPECT_NEAR(dot(a, zb), dot(b, za), 1e-4 * std::sqrt(aa * bb));
  }
}

TEST_P(CoarseGridsOver, GiveTheSameBitsForAnyThreads) {
  Case c(GetParam());
  const solve::Array r = c.make(3, false);
  double one = 0.0;
  const solve::Array z = c.apply(r, 1, one);
  for (const int threads : {2, 4}) {
    double many = 0.0;
    const solve::Array other = c.apply(r, threads, many);
    EXPECT_EQ(one, many);
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_EQ(z.component[static_cast<std::size_t>(axis)], other.component[static_cast<std::size_t>(axis)]);
  }
}

INSTANTIATE_TEST_SUITE_P(Bodies, CoarseGridsOver, testing::Bool());

}  // namespace
}  // namespace distal
