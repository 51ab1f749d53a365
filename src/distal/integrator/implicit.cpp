// Implicit Euler (paper 2, eqs 41 to 44) and implicit midpoint, for everything at once. With theta = 1 or 1/2, the
// change u of the velocities over the step h solves
//   M u = h (f(x + theta h w, w) + M g),   w = v + theta u;   then x += h w, v += u.
// Newton's iteration with the tangent of implicit_system.hpp, each linear solve only as exact as the step needs; it
// starts from the change of the last step. Forces and residuals are computed in double precision, the linear solves in
// single: Newton's next residual mends what they round. The result must meet |residual| <= residual_tolerance |right
// side|, or <= balance_tolerance h |weight and contact forces|: forces that balance need no finer share of nothing. At
// rest the right side is what earlier steps left: a fifth of that is asked for, or they would keep it trembling. What
// is left of the residual r does work: the energy of the step is out by -r.w, where the scheme itself takes (theta -
// 1/2) u.M u. Where a stiff body meets something the right side is far larger than all momentum, and a share of it
// could throw the body up: solves go on until the residual makes no more than the scheme takes.
#include <algorithm>
#include <cmath>
#include <utility>

#include "distal/contact/contacts.hpp"
#include "distal/force/forces.hpp"
#include "distal/integrator/implicit_kernels.hpp"
#include "distal/integrator/implicit_system.hpp"
#include "distal/integrator/integrators.hpp"
#include "distal/integrator/rigid_update.hpp"

namespace distal {
namespace {

constexpr int kMostNewton = 20;
constexpr int kNewtonBeforeSettling = 6;   // then samples that have left their partner are let go
constexpr int kMostIterations = 400;       // of one linear solve
constexpr int kMostTrials = 10;            // of the length of a Newton step
constexpr double kLinearShare = 0.7;       // of the tolerance, for the linear solve: the rest is for the nonlinearity
constexpr double kAtRest = 0.2;            // of the balance's tolerance
constexpr double kShareLeft = 0.1;         // of the right side, at most, where the balance's tolerance allows more
constexpr double kFinestReduction = 1e-4;  // of one linear solve: single precision has no more to give
constexpr double kFiner = 0.5;             // of the residual is asked for next where it makes energy,
constexpr int kMostFiner = 16;             // so many times
constexpr double kUnnoticed = 1e-9;        // of the stored energy may be made in a step: rounding and what is at rest
constexpr double kOfWork = 0.02;           // of what drives do may be made too

struct ImplicitMemory : IntegratorMemory {
  ImplicitMemory(const Model& model, const Workspace& ws) : system(model, ws) {
    for (Unknowns* u : {&change, &residual}) {
      u->particles.resize(model.particle_slots);
      u->rigid.assign(model.rigid.size(), Six::Zero());
    }
    for (std::size_t p = 0; p < model.particle_slots; ++p)
      if (model.inverse_mass_per_kg[p] > 0.0) dead_squared += (model.mass_kg[p] * model.gravity_m_s2).squaredNorm();
    for (const SoftBody& body : model.soft) {
      const double cell = body.spacing_m();
      force_scale_n = std::max(force_scale_n, body.moduli().youngs_pa * cell * cell * std::sqrt(body.active_nodes()));
      for (const auto& [node, force] : body.node_loads_n) dead_squared += force.squaredNorm();
    }
  }
  ImplicitSystem system;
  Unknowns change, residual;
  State trial;                 // where forces are evaluated
  State driven;                // rigid bodies only: where drives take them
  double force_scale_n = 0.0;  // E A^2 on every node
  double dead_squared = 0.0;   // weight and loads of the particles, squared [N^2]
};

class ImplicitStep {
 public:
  ImplicitStep(const Model& model, double h, double theta, State& state, Workspace& ws, ImplicitMemory& memory)
      : model_(model), h_(h), theta_(theta), state_(state), ws_(ws), m_(memory) {}

  SolveReport solve() {
    start();
    SolveReport report;
    double norm = first_residual(), balance = balance_target(), target = kAtRest * balance;
    double asked = target;
    bool convex = false;
    int finer = 0;
    const auto is_solved = [&] {
      if (norm <= target && finer < kMostFiner && makes_energy()) target = kFiner * norm, ++finer;
      return norm <= target;
    };
    for (; !is_solved() && report.newton < kMostNewton && std::isfinite(norm); ++report.newton) {
      m_.system.linearise(m_.trial, ws_, {theta_ * theta_ * h_ * h_, theta_ * h_, convex});
      m_.system.set_right_side(m_.residual);  // with the sign of the remedy: see evaluate()
      if (report.newton == 0) {
        const double right = m_.system.weigh_guess(m_.change);
        target =
            std::max(std::clamp(kShareLeft * right, target, balance), model_.integrator.residual_tolerance * right);
        asked = target;
        if (is_solved()) break;
      }
      const CgResult cg =
          conjugate_gradients(m_.system, std::max(kLinearShare * target, kFinestReduction * norm), kMostIterations);
      report.iterations += cg.iterations;
      convex = cg.negative_curvature;
      norm = move_on();
      if (report.newton + 1 >= kNewtonBeforeSettling) let_go();
    }
    lend_pairs();
    if (report.newton >= kNewtonBeforeSettling)
      for (auto* pairs : {&ws_.pairs, &ws_.soft_pairs})
        for (PairWorkspace& pair : *pairs)
          for (Contact& contact : pair.near) contact.let_go = false;
    report.relative = asked > 0.0 ? model_.integrator.residual_tolerance * norm / asked : 0.0;
    report.converged = norm <= asked;
    if (!report.converged) report.worst_particle = worst_particle();
    return report;
  }

  void take() {
    const double h = h_;
    commit_contacts(model_, ws_, state_);
    state_.energy.dissipated += h * dissipation_power(model_, m_.trial, ws_);
    state_.energy.control_work += control_work();
    ws_.largest_speed_m_s = std::sqrt(largest_of_particles([&](std::size_t begin, std::size_t end) {
      return implicit::take(model_.inverse_mass_per_kg.data(), m_.change.particles, theta_, h, state_.x, state_.v,
                            begin, end);
    }));
    move_rigid();
    keep_momentum();
    std::swap(state_.velocity_change, m_.change.particles);
    for (std::size_t b = 0; b < model_.rigid.size(); ++b)
      state_.rigid_velocity_change[b] = {m_.change.rigid[b].head<3>(), m_.change.rigid[b].tail<3>()};
    // Forces of implicit Euler are those of the state it ends in.
    ws_.forces_are_current = theta_ == 1.0;
    if (theta_ < 1.0) note_travel(h * ws_.largest_speed_m_s + h * largest_rigid_speed(model_, state_), ws_);
  }

 private:
  // The last change is the first guess; it is handed over and comes back with take().
  void start() {
    // Where forces were last evaluated is where the contact lists count from; without lists, from here.
    if (ws_.travel_left_m <= 0.0 || m_.trial.x.size() == 0) m_.trial = state_;
    lend_pairs();
    std::swap(m_.change.particles, state_.velocity_change);
    for (std::size_t b = 0; b < model_.rigid.size(); ++b)
      m_.change.rigid[b] << state_.rigid_velocity_change[b].linear, state_.rigid_velocity_change[b].angular;
  }

  // The contacts' memory is lent to the trial for the time of the solve, and comes back with the second call.
  void lend_pairs() {
    std::swap(m_.trial.pairs, state_.pairs);
    std::swap(m_.trial.soft_pairs, state_.soft_pairs);
  }

  // A sample that is held sideways and leaves its partner loses that force at once. Where a step would end between the
  // two it has no solution: it goes on without that hold. If the sample comes back it is pushed all the same: what went
  // in without a force would be energy out of nothing in the next step.
  void let_go() {
    const auto let = [](PairWorkspace& work, const PairState& memory) {
      for (Contact& contact : work.near)
        contact.let_go |=
            contact.touch == Touch::none && memory.touch[static_cast<std::size_t>(contact.sample)] != Touch::none;
    };
    for (std::size_t p = 0; p < model_.pairs.size(); ++p) let(ws_.pairs[p], m_.trial.pairs[p]);
    for (std::size_t p = 0; p < model_.soft_pairs.size(); ++p) let(ws_.soft_pairs[p], m_.trial.soft_pairs[p]);
  }

  // At the guess; where that turns a cell, without a change of the velocities, and else without any motion.
  double first_residual() {
    double norm = evaluate();
    for (const double keep : {1.0, 0.0}) {
      if (std::isfinite(norm)) break;
      for (int c = 0; c < 3; ++c)
        for (std::size_t p = 0; p < model_.particle_slots; ++p)
          m_.change.particles.data(c)[p] = (keep - 1.0) / theta_ * state_.v.data(c)[p];
      for (Six& change : m_.change.rigid) change.setZero();
      norm = evaluate();
    }
    return norm;
  }

  void set_trial() {
    const double way = theta_ * h_;
    double moved = std::sqrt(largest_of_particles([&](std::size_t begin, std::size_t end) {
      return implicit::set_trial(model_.inverse_mass_per_kg.data(), state_.x, state_.v, m_.change.particles, theta_,
                                 way, m_.trial.x, m_.trial.v, begin, end);
    }));
    m_.trial.rigid = state_.rigid;
    m_.trial.fields = state_.fields, m_.trial.spring_rest_m = state_.spring_rest_m;
    drift_rigid(model_, way, m_.trial);  // driven ones: their motion is known
    for (std::size_t b = 0; b < model_.rigid.size(); ++b) {
      if (!model_.rigid[b].moves_freely()) continue;
      const RigidState& from = state_.rigid[b];
      RigidState& to = m_.trial.rigid[b];
      to.velocity = from.velocity + theta_ * m_.change.rigid[b].head<3>();
      to.angular_velocity = from.angular_velocity + theta_ * m_.change.rigid[b].tail<3>();
      to.centre_of_mass = from.centre_of_mass + way * to.velocity;
      to.q = (rotation_from_vector(way * to.angular_velocity) * from.q).normalized();
    }
    // Rigid things may have gone this far and come back: counting it twice only renews the contact lists earlier.
    moved += 2.0 * way * largest_rigid_speed(model_, m_.trial);
    note_travel(moved, ws_);
  }

  Wrench total_wrench(std::size_t b) const {
    Wrench w = ws_.rigid_force[b] + ws_.applied[b];
    w.force += model_.rigid[b].mass_kg * model_.gravity_m_s2;
    return model_.rigid[b].allowed(w);
  }

  // Forces at the trial state and the residual h (f + M g) - M u, which is also what the linear system has to remedy.
  // Not a number if a cell is turned.
  double evaluate() {
    set_trial();
    ws_.want_energy = true;
    find_contacts(model_, m_.trial, ws_);
    compute_forces(model_, m_.trial, ws_);
    ws_.want_energy = false;
    for (const SoftWorkspace& soft : ws_.soft)
      if (soft.worst_cell >= 0) return std::nan("");
    double sum = sum_pieces(*ws_.team, model_.particle_slots, [&](std::size_t begin, std::size_t end) {
      return implicit::find_residual(model_.inverse_mass_per_kg.data(), model_.mass_kg.data(), ws_.force,
                                     model_.gravity_m_s2, m_.change.particles, h_, m_.residual.particles, begin, end);
    });
    for (std::size_t b = 0; b < model_.rigid.size(); ++b) {
      m_.residual.rigid[b].setZero();
      if (!model_.rigid[b].moves_freely()) continue;
      const RigidState& at = m_.trial.rigid[b];
      const Wrench w = total_wrench(b);
      const Vec3 gyroscopic = at.angular_velocity.cross(angular_momentum(model_.rigid[b], at));
      RigidState spun = at;
      spun.angular_velocity = m_.change.rigid[b].tail<3>();
      m_.residual.rigid[b] << h_ * w.force - model_.rigid[b].mass_kg * m_.change.rigid[b].head<3>(),
          h_ * (w.torque - gyroscopic) - angular_momentum(model_.rigid[b], spun);
      sum += m_.residual.rigid[b].squaredNorm();
    }
    return std::sqrt(sum);
  }

  bool makes_energy() const {
    const double share = theta_ - 0.5;
    double made = sum_pieces(*ws_.team, model_.particle_slots, [&](std::size_t begin, std::size_t end) {
      return implicit::sum_made(model_.inverse_mass_per_kg.data(), model_.mass_kg.data(), m_.residual.particles,
                                m_.trial.v, m_.change.particles, share, begin, end);
    });
    for (std::size_t b = 0; b < model_.rigid.size(); ++b) {
      if (!model_.rigid[b].moves_freely()) continue;
      const RigidState& at = m_.trial.rigid[b];
      const Six& r = m_.residual.rigid[b];
      made -= r.head<3>().dot(at.velocity) + r.tail<3>().dot(at.angular_velocity) +
              share * model_.rigid[b].mass_kg * m_.change.rigid[b].head<3>().squaredNorm();
    }
    const StoredEnergy& stored = ws_.stored;
    return made > kUnnoticed * (stored.kinetic + std::abs(stored.elastic) + stored.contact + stored.ligament) +
                      kOfWork * std::abs(control_work());
  }

  template <typename Work>
  double largest_of_particles(Work&& work) {
    return largest_piece(*ws_.team, model_.particle_slots, work);
  }

  // What the balance of forces asks for, whatever the change of the velocities. Rounding sets a floor: forces of the
  // lattice are sums of much larger ones.
  double balance_target() const {
    constexpr double rounding = 2e-12;
    double squared = m_.dead_squared;
    for (std::size_t p = 0; p < model_.pairs.size(); ++p)
      if (model_.pairs[p].sampled_is_soft)
        for (const Contact& contact : ws_.pairs[p].near) squared += contact.force.squaredNorm();
    for (const PairWorkspace& pair : ws_.soft_pairs)
      for (const Contact& contact : pair.near) squared += contact.force.squaredNorm();
    return h_ * std::max(model_.integrator.balance_tolerance * std::sqrt(squared), rounding * m_.force_scale_n);
  }

  std::int32_t worst_particle() const {
    std::int32_t worst = -1;
    double most = 0.0;
    for (std::size_t p = 0; p < model_.particle_slots; ++p) {
      const double size = m_.residual.particles.get(p).squaredNorm();
      if (size > most) most = size, worst = static_cast<std::int32_t>(p);
    }
    return worst;
  }

  // Adds the solution of the linear system. Forces that change on the way, as where a contact comes or goes, may make
  // it too long: the residual along it, positive at its start, is then far below zero at its end, and the place where
  // it is zero is looked for in between, or a little behind: what came into contact is then in the next tangent, and
  // not run into again. Less of it too where it turns a cell.
  double move_on() {
    constexpr double kEnough =
        0.8;  // of the first residual along the way may be left, behind that place with the other sign
    const double first = m_.system.along_solution(m_.residual);
    double share = 0.0, low = 0.0, high = 1.0, low_slope = first, high_slope = std::nan("");
    for (int n = 0;; ++n) {
      double next = n == 0 ? 1.0 : 0.5 * (low + high);
      if (n > 0 && std::isfinite(high_slope))
        next = std::clamp(low + (high - low) * low_slope / (low_slope - high_slope), low + 0.1 * (high - low),
                          high - 0.1 * (high - low));
      m_.system.add_solution(next - share, m_.change);
      share = next;
      const double norm = evaluate();
      const double slope = std::isfinite(norm) ? m_.system.along_solution(m_.residual) : std::nan("");
      const double most = std::isfinite(high_slope) ? 0.0 : kEnough * first;
      if (n == kMostTrials || (slope >= -kEnough * first && (n == 0 || slope <= most))) return norm;
      if (slope > 0.0)
        low = share, low_slope = slope;
      else
        high = share, high_slope = slope;
    }
  }

  // What is left of the residual must not push a free finger as a whole.
  void keep_momentum() { m_.system.restore_net_momentum(m_.trial, m_.residual, state_); }

  double control_work() const {
    double work = 0.0;
    for (std::size_t b = 0; b < model_.rigid.size(); ++b) {
      const RigidState& at = m_.trial.rigid[b];
      const Wrench drive = model_.rigid[b].mount == Mount::driven ? -total_wrench(b) : ws_.applied[b];
      if (model_.rigid[b].mount != Mount::fixed)
        work += h_ * (drive.force.dot(at.velocity) + drive.torque.dot(at.angular_velocity));
    }
    return work;
  }

  void move_rigid() {
    const std::vector<RigidState>& middle = m_.trial.rigid;
    m_.driven.rigid = state_.rigid;
    drift_rigid(model_, h_, m_.driven);
    for (std::size_t b = 0; b < model_.rigid.size(); ++b) {
      RigidState& s = state_.rigid[b];
      if (!model_.rigid[b].moves_freely()) {
        s = m_.driven.rigid[b];
        continue;
      }
      // The torque that the solved change stands for, so that velocity and momentum agree to rounding.
      const Vec3 torque_impulse = h_ * total_wrench(b).torque - m_.residual.rigid[b].tail<3>();
      const Vec3 momentum = angular_momentum(model_.rigid[b], s) + torque_impulse;
      s.centre_of_mass += h_ * (s.velocity + theta_ * m_.change.rigid[b].head<3>());
      s.velocity += m_.change.rigid[b].head<3>();
      s.q = (rotation_from_vector(h_ * middle[b].angular_velocity) * s.q).normalized();
      s.angular_velocity = angular_velocity_from(model_.rigid[b], s.q, momentum);
    }
  }

  const Model& model_;
  const double h_, theta_;
  State& state_;
  Workspace& ws_;
  ImplicitMemory& m_;
};

Advance advance_implicit(const Model& model, double h, double theta, State& state, Workspace& ws) {
  if (!ws.integrator_memory) ws.integrator_memory = std::make_unique<ImplicitMemory>(model, ws);
  auto& memory = static_cast<ImplicitMemory&>(*ws.integrator_memory);
  ImplicitStep step(model, h, theta, state, ws, memory);
  Advance result{h, 0, false, step.solve()};
  if (result.solve.converged) step.take();
  return result;
}

}  // namespace

Advance advance_implicit_euler(const Model& model, double most_s, State& state, Workspace& ws) {
  return advance_implicit(model, most_s, 1.0, state, ws);
}
Advance advance_implicit_midpoint(const Model& model, double most_s, State& state, Workspace& ws) {
  return advance_implicit(model, most_s, 0.5, state, ws);
}

}  // namespace distal
