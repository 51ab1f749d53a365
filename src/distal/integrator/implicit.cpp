// Implicit Euler (paper 2, eqs 41 to 44) and implicit midpoint, for everything at once. With theta = 1 or 1/2, the
// change u of the velocities over the step h solves
//   M u = h (f(x + theta h w, w) + M g),   w = v + theta u;   then x += h w, v += u.
// Newton's iteration with the tangent of implicit_system.hpp, each linear solve only as exact as the step needs; it
// starts from the change of the last step. Forces and residuals are computed in double precision, the linear solves in
// single: Newton's next residual mends what they round. The result must meet |residual| <= tolerance |right side|.
#include <algorithm>
#include <cmath>
#include <utility>

#include "distal/contact/contacts.hpp"
#include "distal/force/forces.hpp"
#include "distal/integrator/implicit_system.hpp"
#include "distal/integrator/integrators.hpp"
#include "distal/integrator/rigid_update.hpp"

namespace distal {
namespace {

constexpr int kMostNewton = 12;
constexpr int kNewtonBeforeSettling = 4;   // then samples may leave their partner, but no more come to touch it
constexpr int kMostIterations = 400;       // of one linear solve
constexpr int kMostHalvings = 10;          // of a Newton step that turns a cell or makes things worse
constexpr double kLinearShare = 0.4;       // of the tolerance, for the linear solve: the rest is for the nonlinearity
constexpr double kFinestReduction = 1e-4;  // of one linear solve: single precision has no more to give
constexpr std::size_t kChunk = 1024;       // particles a partial sum is taken over, whatever the number of threads

struct ImplicitMemory : IntegratorMemory {
  ImplicitMemory(const Model& model, const Workspace& ws) : system(model, ws) {
    for (Unknowns* u : {&change, &residual, &before}) {
      u->particles.resize(model.particle_slots);
      u->rigid.assign(model.rigid.size(), Six::Zero());
    }
    partial.resize(model.particle_slots / kChunk + 1);
    for (const SoftBody& body : model.soft) {
      const double cell = body.lattice.grid.cell_size_m;
      force_scale_n =
          std::max(force_scale_n, body.lattice.moduli.youngs_pa * cell * cell * std::sqrt(body.lattice.active_nodes()));
    }
  }
  ImplicitSystem system;
  Unknowns change, residual, before;
  State trial;                  // where forces are evaluated
  State driven;                 // rigid bodies only: where drives take them
  std::vector<double> partial;  // per chunk
  double force_scale_n = 0.0;   // E A^2 on every node
};

// Calls work(begin, end) for chunks of particles and adds or compares what it returns, in order.
template <typename Work>
void for_chunks(ThreadTeam& team, std::size_t count, std::vector<double>& partial, Work&& work) {
  const int chunks = static_cast<int>((count + kChunk - 1) / kChunk);
  team.run([&](int t) {
    for (int c = ThreadTeam::share_begin(chunks, t, team.size());
         c < ThreadTeam::share_begin(chunks, t + 1, team.size()); ++c) {
      const std::size_t begin = static_cast<std::size_t>(c) * kChunk;
      partial[static_cast<std::size_t>(c)] = work(begin, std::min(begin + kChunk, count));
    }
  });
  std::fill(partial.begin() + chunks, partial.end(), 0.0);
}

class ImplicitStep {
 public:
  ImplicitStep(const Model& model, double h, double theta, State& state, Workspace& ws, ImplicitMemory& memory)
      : model_(model), h_(h), theta_(theta), state_(state), ws_(ws), m_(memory) {}

  SolveReport solve() {
    start();
    SolveReport report;
    double norm = first_residual(), scale = 0.0;
    bool convex = false;
    for (; report.newton < kMostNewton && std::isfinite(norm); ++report.newton) {
      m_.system.linearise(m_.trial, ws_, {theta_ * theta_ * h_ * h_, theta_ * h_, convex});
      m_.system.set_right_side(m_.residual);  // with the sign of the remedy: see evaluate()
      if (report.newton == 0) scale = m_.system.product_norm(m_.change);
      const double target = tolerance(scale);
      report.relative = relative(norm, target);
      if (norm <= target) break;
      const CgResult cg =
          conjugate_gradients(m_.system, std::max(kLinearShare * target, kFinestReduction * norm), kMostIterations);
      report.iterations += cg.iterations;
      convex = cg.negative_curvature;
      ws_.contacts_only_leave = report.newton + 1 >= kNewtonBeforeSettling;
      norm = move_on(norm);
      report.relative = relative(norm, target);
      if (norm <= target) {
        ++report.newton;
        break;
      }
    }
    ws_.contacts_only_leave = false;
    report.converged = std::isfinite(norm) && norm <= tolerance(scale);
    if (!report.converged) report.worst_particle = worst_particle();
    return report;
  }

  void take() {
    const double h = h_;
    commit_contacts(model_, ws_, state_);
    state_.energy.dissipated += h * dissipation_power(model_, m_.trial, ws_);
    book_control();
    for_chunks(*ws_.team, model_.particle_slots, m_.partial, [&](std::size_t begin, std::size_t end) {
      double fastest = 0.0;
      for (std::size_t p = begin; p < end; ++p) {
        if (model_.inverse_mass_per_kg[p] == 0.0) continue;
        double squared = 0.0;
        for (int c = 0; c < 3; ++c) {
          const double u = m_.change.particles.data(c)[p], w = state_.v.data(c)[p] + theta_ * u;
          state_.x.data(c)[p] += h * w;
          state_.v.data(c)[p] += u;
          squared += w * w;
        }
        fastest = std::max(fastest, squared);
      }
      return fastest;
    });
    ws_.largest_speed_m_s = std::sqrt(*std::max_element(m_.partial.begin(), m_.partial.end()));
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
    if (ws_.travel_left_m <= 0.0 || m_.trial.x.size() == 0)
      m_.trial = state_;
    else
      m_.trial.pairs = state_.pairs;
    std::swap(m_.change.particles, state_.velocity_change);
    for (std::size_t b = 0; b < model_.rigid.size(); ++b)
      m_.change.rigid[b] << state_.rigid_velocity_change[b].linear, state_.rigid_velocity_change[b].angular;
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
    for_chunks(*ws_.team, model_.particle_slots, m_.partial, [&](std::size_t begin, std::size_t end) {
      double largest = 0.0;
      for (std::size_t p = begin; p < end; ++p) {
        if (model_.inverse_mass_per_kg[p] == 0.0) continue;
        double squared = 0.0;
        for (int c = 0; c < 3; ++c) {
          const double w = state_.v.data(c)[p] + theta_ * m_.change.particles.data(c)[p];
          const double x = state_.x.data(c)[p] + way * w, moved = x - m_.trial.x.data(c)[p];
          m_.trial.x.data(c)[p] = x, m_.trial.v.data(c)[p] = w;
          squared += moved * moved;
        }
        largest = std::max(largest, squared);
      }
      return largest;
    });
    double moved = std::sqrt(*std::max_element(m_.partial.begin(), m_.partial.end()));
    m_.trial.rigid = state_.rigid;
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
    return w;
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
    for_chunks(*ws_.team, model_.particle_slots, m_.partial, [&](std::size_t begin, std::size_t end) {
      double sum = 0.0;
      for (int c = 0; c < 3; ++c)
        for (std::size_t p = begin; p < end; ++p) {
          const double m = model_.inverse_mass_per_kg[p] > 0.0 ? model_.mass_kg[p] : 0.0;
          const double r =
              m > 0.0 ? h_ * (ws_.force.data(c)[p] + m * model_.gravity_m_s2[c]) - m * m_.change.particles.data(c)[p]
                      : 0.0;
          m_.residual.particles.data(c)[p] = r;
          sum += r * r;
        }
      return sum;
    });
    double sum = 0.0;
    for (const double part : m_.partial) sum += part;
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

  // Rounding sets a floor: forces of the lattice are sums of much larger ones.
  double tolerance(double scale) const {
    constexpr double rounding = 2e-12;
    return std::max(model_.integrator.residual_tolerance * scale, rounding * h_ * m_.force_scale_n);
  }

  // Against the right side, or what stands in for it where rounding sets the floor.
  double relative(double norm, double target) const {
    return target > 0.0 ? model_.integrator.residual_tolerance * norm / target : 0.0;
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

  // Adds the solution of the linear system, less of it if it turns a cell or makes the residual worse.
  double move_on(double norm_before) {
    m_.before = m_.change;
    double share = 1.0;
    for (int n = 0;; ++n) {
      m_.system.add_solution(share, m_.change);
      const double norm = evaluate();
      if (norm <= 1.5 * norm_before || n == kMostHalvings) return norm;
      m_.change = m_.before;
      share *= 0.5;
    }
  }

  // What is left of the residual must not push a free finger as a whole.
  void keep_momentum() { m_.system.restore_net_momentum(m_.trial, m_.residual, state_); }

  void book_control() {
    for (std::size_t b = 0; b < model_.rigid.size(); ++b) {
      const RigidState& at = m_.trial.rigid[b];
      const Wrench drive = model_.rigid[b].mount == Mount::driven ? -total_wrench(b) : ws_.applied[b];
      if (model_.rigid[b].mount != Mount::fixed)
        state_.energy.control_work += h_ * (drive.force.dot(at.velocity) + drive.torque.dot(at.angular_velocity));
    }
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
