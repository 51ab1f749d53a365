// Implicit steps of a small hard block, one thread: Bullet's deformable body (neo-Hookean tetrahedra, backward Euler,
// conjugate gradients) beside our lattice. The same 10 x 10 x 10 nodes 1 mm apart, 0.5 MPa, nu = 0.45, density and
// damping; the lowest nodes are held, and the block is shaken sideways by a changing gravity, so that both have work in
// every step of 1 ms. How far the upper face sways is printed for both: a body that stood still would prove nothing.
// Bullet's library is in single precision: its block is described in millimetres and milligrams.
#include <fmt/format.h>

#ifndef DISTAL_HAVE_BULLET

int main() { fmt::print("Bullet is absent (Debian: libbullet-dev): nothing to compare with\n"); }

#else

// g++ sees uninitialised values inside Bullet's headers, which are not ours to change.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <BulletSoftBody/btDeformableBodySolver.h>
#include <BulletSoftBody/btDeformableGravityForce.h>
#include <BulletSoftBody/btDeformableMultiBodyConstraintSolver.h>
#include <BulletSoftBody/btDeformableMultiBodyDynamicsWorld.h>
#include <BulletSoftBody/btDeformableNeoHookeanForce.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "distal/integrator/integrators.hpp"

namespace {

constexpr int kSide = 10, kSteps = 50, kRounds = 4;  // nodes along an edge; steps that each does in turn, and how often
constexpr double kCell_m = 1e-3, kStep_s = 1e-3, kYoungs_pa = 5e5, kPoisson = 0.45, kDensity_kg_m3 = 500.0,
                 kRelaxation_s = 5e-4;
constexpr double kShake_m_s2 = 1000.0, kShake_rad_s = 120.0;

double shake(int step) { return kShake_m_s2 * std::sin(kShake_rad_s * kStep_s * step); }

// Bullet's force keeps its gravity to itself.
struct ShakenGravity : btDeformableGravityForce {
  ShakenGravity() : btDeformableGravityForce(btVector3(0, 0, 0)) {}
  void set(double x) { m_gravity.setValue(static_cast<btScalar>(x), 0, 0); }
};

class BulletBlock {
 public:
  BulletBlock() {
    constraints_.setDeformableSolver(&solver_);
    world_.setGravity(btVector3(0, 0, 0));
    world_.setImplicit(true);
    world_.setLineSearch(false);
    world_.setUseProjection(true);  // conjugate gradients: the other solver has no preconditioner for implicit steps
    world_.getWorldInfo().m_gravity.setValue(0, 0, 0);
    world_.getWorldInfo().m_maxDisplacement = 1000;
    make_body();
    world_.addSoftBody(body_.get());
    world_.addForce(body_.get(), &rubber_);
    world_.addForce(body_.get(), &gravity_);
  }
  ~BulletBlock() { world_.removeSoftBody(body_.get()); }

  void step(int n) {
    gravity_.set(shake(n) * kLength);
    world_.stepSimulation(static_cast<btScalar>(kStep_s), 0);
    sway_m = std::max(sway_m, std::abs(static_cast<double>(body_->m_nodes[0].m_x.x())) / kLength);
  }
  int tetrahedra() const { return body_->m_tetras.size(); }
  double sway_m = 0.0;

 private:
  static constexpr double kLength = 1e3, kMass = 1e6;  // its units in a metre and in a kilogram

  // The upper nodes first, so that those that are held stand last: Bullet leaves them out when it counts forces.
  static int node(int i, int j, int k) { return ((kSide - 1 - k) * kSide + j) * kSide + i; }

  void make_body() {
    constexpr double cell = kCell_m * kLength, mass = kDensity_kg_m3 * kCell_m * kCell_m * kCell_m * kMass;
    std::vector<btVector3> positions(kSide * kSide * kSide);
    std::vector<btScalar> masses(positions.size(), 0);
    for (int k = 0; k < kSide; ++k)
      for (int j = 0; j < kSide; ++j)
        for (int i = 0; i < kSide; ++i)
          positions[static_cast<std::size_t>(node(i, j, k))].setValue(
              static_cast<btScalar>(i * cell), static_cast<btScalar>(j * cell), static_cast<btScalar>(k * cell));
    const auto at = [&](int n) { return positions[static_cast<std::size_t>(n)]; };
    // Six a cell: from one corner to the opposite one, along its edges in every order.
    std::vector<std::array<int, 4> > cells;
    std::array<int, 3> order = {0, 1, 2};
    do {
      for (int k = 0; k + 1 < kSide; ++k)
        for (int j = 0; j + 1 < kSide; ++j)
          for (int i = 0; i + 1 < kSide; ++i) {
            std::array<int, 3> corner = {i, j, k};
            std::array<int, 4> tet = {node(i, j, k), 0, 0, 0};
            for (std::size_t e = 0; e < 3; ++e) {
              ++corner[static_cast<std::size_t>(order[e])];
              tet[e + 1] = node(corner[0], corner[1], corner[2]);
            }
            const btVector3 a = at(tet[1]) - at(tet[0]), b = at(tet[2]) - at(tet[0]), c = at(tet[3]) - at(tet[0]);
            if (a.cross(b).dot(c) < 0) std::swap(tet[1], tet[2]);
            for (const int n : tet) masses[static_cast<std::size_t>(n)] += static_cast<btScalar>(mass / 24.0);
            cells.push_back(tet);
          }
    } while (std::next_permutation(order.begin(), order.end()));
    body_ = std::make_unique<btSoftBody>(&world_.getWorldInfo(), static_cast<int>(positions.size()), positions.data(),
                                         masses.data());
    for (const auto& tet : cells) body_->appendTetra(tet[0], tet[1], tet[2], tet[3]);
    body_->m_tetraScratches.resize(body_->m_tetras.size());
    body_->m_tetraScratchesTn.resize(body_->m_tetras.size());
    body_->initializeDmInverse();
    for (int n = (kSide - 1) * kSide * kSide; n < kSide * kSide * kSide; ++n) body_->setMass(n, 0);
    body_->m_cfg.collisions = 0;
    body_->setActivationState(DISABLE_DEACTIVATION);
    body_->m_sleepingThreshold = 0;
  }

  static btScalar pressure(double pascal) { return static_cast<btScalar>(pascal * kMass / kLength); }

  btSoftBodyRigidBodyCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btDeformableBodySolver solver_;
  btDeformableMultiBodyConstraintSolver constraints_;
  btDeformableMultiBodyDynamicsWorld world_{&dispatcher_, &broadphase_, &constraints_, &configuration_, &solver_};
  btDeformableNeoHookeanForce rubber_{pressure(kYoungs_pa / (2.0 * (1.0 + kPoisson))),
                                      pressure(kYoungs_pa* kPoisson / ((1.0 + kPoisson) * (1.0 - 2.0 * kPoisson))),
                                      static_cast<btScalar>(kRelaxation_s)};
  ShakenGravity gravity_;
  std::unique_ptr<btSoftBody> body_;
};

distal::Model make_our_block() {
  distal::ModelDescription scene;
  distal::MaterialDescription& rubber = scene.materials["rubber"];
  rubber.density_kg_m3 = kDensity_kg_m3;
  rubber.youngs_modulus_pa = kYoungs_pa;
  rubber.poissons_ratio = kPoisson;
  rubber.relaxation_time_s = kRelaxation_s;
  distal::BlockDescription block;
  block.lattice.material = "rubber";
  block.lattice.cell_size_m = kCell_m;
  block.lattice.grid_shift_cells = distal::Vec3::Constant(0.5);  // nodes on its faces: the middle is between two
  block.size_m = distal::Vec3::Constant((kSide - 1) * kCell_m);
  scene.bodies = {{"block", block}};
  distal::FixDescription fix;
  fix.body = "block";
  fix.max_m.z() = -0.5 * (kSide - 1) * kCell_m + 1e-6;
  scene.fixes = {{"bottom", fix}};
  scene.integrator.kind = distal::IntegratorKind::implicit_euler;
  scene.gravity_m_s2.setZero();
  scene.threads = 1;
  return distal::build_model(scene);
}

class OurBlock {
 public:
  OurBlock() : top_(model_.soft.front().node_count() - 1) {
    while (model_.mass_kg[static_cast<std::size_t>(top_)] == 0.0) --top_;
    start_m_ = place();
  }
  void step(int n) {
    model_.gravity_m_s2.x() = shake(n);
    // The bare step: a gravity that changes has no place in the books of energy.
    const distal::SolveReport solve = distal::advance_implicit_euler(model_, kStep_s, state_, workspace_).solve;
    if (!solve.converged) throw std::runtime_error("a step that did not converge");
    iterations += solve.iterations;
    sway_m = std::max(sway_m, std::abs(place() - start_m_));
  }
  int particles() const { return model_.active_particles(); }
  double sway_m = 0.0, iterations = 0.0;

 private:
  double place() const { return state_.x.get(static_cast<std::size_t>(top_)).x(); }

  distal::Model model_ = make_our_block();
  distal::State state_ = distal::make_initial_state(model_);
  distal::Workspace workspace_{model_};
  int top_;
  double start_m_ = 0.0;
};

template <typename Block>
double seconds_of_round(Block& block, int round) {
  const auto start = std::chrono::steady_clock::now();
  for (int n = 0; n < kSteps; ++n) block.step(round * kSteps + n);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main() {
  BulletBlock bullet;
  OurBlock ours;
  double bullet_s = 1e300, ours_s = 1e300;  // the best round of each
  for (int round = 0; round < kRounds; ++round) {
    bullet_s = std::min(bullet_s, seconds_of_round(bullet, round));
    ours_s = std::min(ours_s, seconds_of_round(ours, round));
  }
  const double second = 1.0 / (kSteps * kStep_s);
  fmt::print("block of {0} x {0} x {0} nodes at 1 mm, {1:.1f} MPa, shaken; one thread, steps of 1 ms\n", kSide,
             1e-6 * kYoungs_pa);
  fmt::print("{:<44}{:>22}{:>12}\n", "", "s for a simulated s", "sway in mm");
  fmt::print("{:<44}{:>22.3f}{:>12.4f}\n", fmt::format("Bullet, implicit, {} tetrahedra", bullet.tetrahedra()),
             second * bullet_s, 1e3 * bullet.sway_m);
  fmt::print("{:<44}{:>22.3f}{:>12.4f}\n",
             fmt::format("implicit_euler, {} particles, {:.0f} iterations", ours.particles(),
                         ours.iterations / (kSteps * kRounds)),
             second * ours_s, 1e3 * ours.sway_m);
  fmt::print("ratio {:.1f}\n", bullet_s / ours_s);
}

#endif
