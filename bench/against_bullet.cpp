// One whole step (forces and new positions) of the same block, one thread: Bullet's soft bodies made of the links of
// paper 1's lattice, against our lattice. Bullet runs in two ways: explicit damped springs (its deformable world), and
// its classic soft body with a single position iteration. No collision, no implicit solve: the least work it can do.
#include <fmt/format.h>

#ifndef DISTAL_HAVE_BULLET

int main() { fmt::print("Bullet is absent (Debian: libbullet-dev): nothing to compare with\n"); }

#else

// g++ sees uninitialised values inside Bullet's headers, which are not ours to change.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <BulletSoftBody/btDeformableBodySolver.h>
#include <BulletSoftBody/btDeformableMassSpringForce.h>
#include <BulletSoftBody/btDeformableMultiBodyConstraintSolver.h>
#include <BulletSoftBody/btDeformableMultiBodyDynamicsWorld.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <btBulletDynamicsCommon.h>

#include <memory>

#include "distal/integrator/integrators.hpp"
#include "distal/math/instruction_set.hpp"
#include "lattice_block.hpp"

namespace {

constexpr double kStep_s = 1e-6;  // short, so that nothing moves far while we measure

btVector3 vector(const distal::Vec3& v) {
  return {static_cast<btScalar>(v.x()), static_cast<btScalar>(v.y()), static_cast<btScalar>(v.z())};
}

std::unique_ptr<btSoftBody> make_body(btSoftBodyWorldInfo& world) {
  const bench::SpringBlock block = bench::make_spring_block();
  std::vector<btVector3> positions;
  std::vector<btScalar> masses;
  for (const bench::Point& p : block.points) {
    positions.push_back(vector(p.x));
    masses.push_back(static_cast<btScalar>(p.mass));
  }
  auto body = std::make_unique<btSoftBody>(&world, static_cast<int>(masses.size()), positions.data(), masses.data());
  for (const bench::Spring& s : block.springs) body->appendLink(s.i, s.j);
  for (int n = 0; n < body->m_nodes.size(); ++n)
    body->m_nodes[n].m_v = vector(block.points[static_cast<std::size_t>(n)].v);
  body->m_cfg.viterations = body->m_cfg.diterations = body->m_cfg.citerations = 0;
  body->m_cfg.piterations = 1;
  body->m_cfg.collisions = 0;
  body->setActivationState(DISABLE_DEACTIVATION);  // it would sleep: nothing moves fast here
  body->m_sleepingThreshold = 0;
  return body;
}

// The classic soft body: links as position constraints.
class PositionBased {
 public:
  PositionBased() {
    world_.m_gravity.setValue(0, 0, 0);
    body_ = make_body(world_);
  }
  void step() {
    body_->predictMotion(btScalar(kStep_s));
    body_->solveConstraints();
    body_->integrateMotion();
  }

 private:
  btSoftBodyWorldInfo world_;
  std::unique_ptr<btSoftBody> body_;
};

// The deformable world with damped springs, stepped explicitly.
class ExplicitSprings {
 public:
  ExplicitSprings() {
    constraints_.setDeformableSolver(&solver_);
    world_.setGravity(btVector3(0, 0, 0));
    world_.getWorldInfo().m_gravity.setValue(0, 0, 0);
    world_.setImplicit(false);
    world_.setLineSearch(false);
    body_ = make_body(world_.getWorldInfo());
    world_.addSoftBody(body_.get());
    world_.addForce(body_.get(), &springs_);
  }
  ~ExplicitSprings() { world_.removeSoftBody(body_.get()); }
  void step() { world_.stepSimulation(btScalar(kStep_s), 0); }
  int links() const { return body_->m_links.size(); }

 private:
  btSoftBodyRigidBodyCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btDeformableBodySolver solver_;
  btDeformableMultiBodyConstraintSolver constraints_;
  btDeformableMultiBodyDynamicsWorld world_{&dispatcher_, &broadphase_, &constraints_, &configuration_, &solver_};
  btDeformableMassSpringForce springs_{static_cast<btScalar>(bench::kYoungs_pa * bench::kCellSize_m), btScalar(1e-4),
                                       false};
  std::unique_ptr<btSoftBody> body_;
};

struct OurBlock {
  explicit OurBlock(distal::Precision precision)
      : model(bench::make_block(precision)), state(bench::make_moving_state(model)), workspace(model) {}
  void step() { advance_semi_implicit_euler(model, kStep_s, state, workspace); }

  distal::Model model;
  distal::State state;
  distal::Workspace workspace;
};

}  // namespace

int main() {
  ExplicitSprings springs;
  PositionBased positions;
  OurBlock with_double(distal::Precision::double_), with_float(distal::Precision::float_);
  const auto best = bench::best_times_s(
      {[&] { springs.step(); }, [&] { positions.step(); }, [&] { with_double.step(); }, [&] { with_float.step(); }}, 9,
      2);

  const double links = springs.links(), particles = with_double.model.active_particles();
  fmt::print("block of {0} x {0} x {0} cells: {1} particles, {2} links; one thread, {3}\n", bench::kCells, particles,
             links, distal::kernel_instruction_set());
  fmt::print("{:<36}{:>14}{:>11}{:>9}\n", "one step", "ns a particle", "ns a link", "ratio");
  const char* names[] = {"Bullet, explicit springs", "Bullet, one position iteration", "neo_hookean lattice, double",
                         "neo_hookean lattice, float"};
  for (std::size_t c = 0; c < best.size(); ++c)
    fmt::print("{:<36}{:>14.2f}{:>11.2f}{:>9.1f}\n", names[c], 1e9 * best[c] / particles, 1e9 * best[c] / links,
               best[0] / best[c]);
  fmt::print("Against one position iteration: double {:.1f}, float {:.1f}.\n", best[1] / best[2], best[1] / best[3]);
  fmt::print("A link is one of Bullet's, for all: the lattice does their work without having them.\n");
}

#endif
