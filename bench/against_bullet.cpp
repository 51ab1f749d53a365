// One whole step (forces and new positions) of the same block, one thread: Bullet's soft body made of the links of
// paper 1's lattice, against our lattice. Bullet's links are the position-based ones, with a single iteration, no
// collision and nothing else switched on: the least work it can do.
#include <fmt/format.h>

#ifndef DISTAL_HAVE_BULLET

int main() { fmt::print("Bullet is absent (Debian: libbullet-dev): nothing to compare with\n"); }

#else

#include <BulletSoftBody/btSoftBody.h>
#include <btBulletCollisionCommon.h>

#include <memory>

#include "distal/force/lattice_force.hpp"
#include "distal/integrator/integrators.hpp"
#include "lattice_block.hpp"

namespace {

constexpr double kStep_s = 1e-6;  // short, so that nothing moves far while we measure

class BulletBlock {
 public:
  BulletBlock() {
    const bench::SpringBlock block = bench::make_spring_block();
    world_.m_gravity.setValue(0, 0, 0);
    body_ = std::make_unique<btSoftBody>(&world_);
    for (const bench::Point& p : block.points) body_->appendNode(vector(p.x), static_cast<btScalar>(p.mass));
    btSoftBody::Material* material = body_->appendMaterial();
    material->m_kLST = btScalar(0.5);
    for (const bench::Spring& s : block.springs) body_->appendLink(s.i, s.j, material);
    for (int n = 0; n < body_->m_nodes.size(); ++n)
      body_->m_nodes[n].m_v = vector(block.points[static_cast<std::size_t>(n)].v);
    body_->m_cfg.viterations = body_->m_cfg.diterations = body_->m_cfg.citerations = 0;
    body_->m_cfg.piterations = 1;
    body_->m_cfg.collisions = 0;
  }

  void step() {
    body_->predictMotion(btScalar(kStep_s));
    body_->solveConstraints();
    body_->integrateMotion();
  }
  // The pass over the links alone, prepared by the last step.
  void solve_links() { btSoftBody::PSolve_Links(body_.get(), 1, 0); }
  int links() const { return body_->m_links.size(); }

 private:
  static btVector3 vector(const distal::Vec3& v) {
    return {static_cast<btScalar>(v.x()), static_cast<btScalar>(v.y()), static_cast<btScalar>(v.z())};
  }

  btSoftBodyWorldInfo world_;
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
  BulletBlock bullet;
  OurBlock with_double(distal::Precision::double_), with_float(distal::Precision::float_);
  const auto best = bench::best_times_s(
      {[&] { bullet.step(); }, [&] { bullet.solve_links(); }, [&] { with_double.step(); }, [&] { with_float.step(); }},
      9, 2);

  const double links = bullet.links(), particles = with_double.model.active_particles();
  fmt::print("block of {0} x {0} x {0} cells: {1} particles, {2} links; one thread, {3}\n", bench::kCells, particles,
             links, distal::kernel_instruction_set());
  fmt::print("{:<34}{:>14}{:>14}{:>10}\n", "one step", "ns a particle", "ns a link", "ratio");
  const char* names[] = {"Bullet", "Bullet, its pass over links alone", "neo_hookean lattice, double",
                         "neo_hookean lattice, float"};
  for (std::size_t c = 0; c < best.size(); ++c)
    fmt::print("{:<34}{:>14.2f}{:>14.2f}{:>10.1f}\n", names[c], 1e9 * best[c] / particles, 1e9 * best[c] / links,
               best[0] / best[c]);
  fmt::print(
      "ns a link counts the links of Bullet's block for both: the lattice does their work without having them.\n");
}

#endif
