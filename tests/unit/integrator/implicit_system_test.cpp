// The implicit system as a matrix: p.q, which comes with the product in parts, is what the residual says it is.
#include "distal/integrator/implicit_system.hpp"

#include <gtest/gtest.h>

#include <random>

#include "distal/contact/contacts.hpp"
#include "distal/force/forces.hpp"
#include "distal/simulation/simulation.hpp"
#include "support/scenes.hpp"
#include "support/tet_scenes.hpp"

namespace distal {
namespace {

// A free finger, a little inside a free box: ligaments to a rod that moves, and held samples on a partner that moves.
ModelDescription finger_on_box(Mount mount) {
  FingertipDescription finger = test::reference_finger(0.002);
  finger.mount = mount;
  finger.placement.position_m.z() = finger.tip_radius_m - 0.0003;
  ModelDescription scene = test::finger_over_table(finger, 0.45);
  RigidDescription box;
  box.size_m = Vec3(0.04, 0.05, 0.01);
  box.placement.position_m = Vec3(0.003, -0.002, -0.005);
  scene.bodies[1] = {"box", box};
  return scene;
}

ModelDescription tets_under_ball() {
  MaterialDescription rubber;
  rubber.youngs_modulus_pa = 1e5, rubber.poissons_ratio = 0.45;
  ModelDescription scene = test::held_tet_cuboid(Vec3(0.02, 0.02, 0.01), 0.0025, rubber);
  RigidDescription ball;
  ball.shape = RigidShapeKind::sphere;
  ball.radius_m = 0.01;
  ball.placement.position_m = Vec3(0.001, 0.002, 0.0148);
  scene.bodies.emplace_back("ball", ball);
  return scene;
}

class ImplicitSystemOf : public testing::TestWithParam<ModelDescription (*)()> {};

// With p = P r and a symmetric P, the r.P r of r - a q falls with a by 2 p.q.
TEST_P(ImplicitSystemOf, TheProductsCurvatureIsThatOfItsResidual) {
  ModelDescription scene = GetParam()();
  scene.integrator.kind = IntegratorKind::implicit_euler;
  for (const int threads : {1, 3}) {
    scene.threads = threads;
    const Simulation simulation(scene);
    const Model& model = simulation.model();
    State state = simulation.state();
    Workspace ws(model);
    find_contacts(model, state, ws);
    compute_forces(model, state, ws);
    ImplicitSystem system(model, ws);
    system.linearise(state, ws, {1e-3, 1e-3, false});
    Unknowns b;
    b.particles.resize(model.particle_slots);
    b.rigid.assign(model.rigid.size(), Six::Zero());
    std::mt19937 random(7);
    std::uniform_real_distribution<double> in(-1.0, 1.0);
    for (std::size_t p = 0; p < model.particle_slots; ++p)
      if (model.inverse_mass_per_kg[p] > 0.0) b.particles.set(p, Vec3(in(random), in(random), in(random)));
    for (std::size_t r = 0; r < model.rigid.size(); ++r)
      if (model.rigid[r].moves_freely())
        for (int k = 0; k < 6; ++k)
          b.rigid[r][k] = (k < 3 ? 1e4 : 1e2) * in(random);  // to be seen beside all particles
    system.set_right_side(b);
    const CgSums start = system.begin();
    const double curvature = system.multiply(), step = start.rz / curvature;
    const double after = system.advance(step).rz, before = system.advance(-2.0 * step).rz;
    EXPECT_NEAR((before - after) / (4.0 * step) / curvature, 1.0, 1e-6) << threads << " threads";
  }
}

INSTANTIATE_TEST_SUITE_P(Scenes, ImplicitSystemOf,
                         testing::Values(
                             +[] { return finger_on_box(Mount::free); }, +[] { return finger_on_box(Mount::driven); },
                             &tets_under_ball));

}  // namespace
}  // namespace distal
