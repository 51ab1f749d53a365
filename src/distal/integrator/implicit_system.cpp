// Vectors, products and preconditioning; implicit_linearise.cpp makes the system.
#include "distal/integrator/implicit_system.hpp"

#include <algorithm>
#include <cmath>

#include "distal/force/lattice_kernel.hpp"
#include "distal/integrator/implicit_kernels.hpp"
#include "distal/integrator/six.hpp"

namespace distal {

ImplicitSystem::ImplicitSystem(const Model& model, const Workspace& ws) : model_(model), team_(*ws.team) {
  for (std::size_t s = 0; s < model.soft.size(); ++s) {
    const SoftBody& body = model.soft[s];
    const auto planes = static_cast<std::size_t>(body.lattice.grid.nz);
    Soft soft(body, ws.soft[s].first_plane);
    soft.first_plane.back() = body.lattice.grid.nz;  // the uppermost nodes belong to the last thread
    soft.plane_dot.resize(planes), soft.plane_sums.resize(planes), soft.plane_on_rod.resize(planes);
    soft.rest_cost.resize(planes), soft.plane_right_side.resize(planes);
    soft.ligament_weight.resize(body.ligament_matrix.column.size());
    soft.ligament_motion.resize(4 * body.ligament_matrix.node.size());
    soft.ligament_arm.resize(body.ligament_matrix.node.size());
    soft.moves_as_a_whole = (body.rod < 0 || is_free(body.rod)) && body.fixed_nodes.empty();
    soft.ligament_pull.resize(4 * body.ligament_matrix.node.size());
    soft.ligament_own.resize(body.ligament_matrix.node.size());
    soft_.push_back(std::move(soft));
  }
  const State rest = make_initial_state(model);
  for (std::size_t s = 0; s < soft_.size(); ++s) {
    const int rod = model.soft[s].rod;
    soft_[s].inertia = tip_inertia(
        s, rest, rod < 0 ? middle_of(model.soft[s], rest) : rest.rigid[static_cast<std::size_t>(rod)].centre_of_mass);
    if (rod >= 0)
      soft_[s].inertia =
          turned(soft_[s].inertia, rest.rigid[static_cast<std::size_t>(rod)].q.toRotationMatrix().transpose());
  }
  held_.resize(model.pairs.size());
  for (std::size_t p = 0; p < held_.size(); ++p) {
    if (!model.pairs[p].sampled_is_soft) continue;
    const SoftBody& body = model.soft[static_cast<std::size_t>(model.pairs[p].sampled)];
    held_[p].samples.reserve(body.skin.size());
    held_[p].plane_begin.resize(static_cast<std::size_t>(body.lattice.grid.nz));
  }
  mass_.assign(model.particle_slots + kPadding, 0.0F);
  for (Array* array : {&place_, &straight_, &mixed_, &x_, &r_, &z_, &p_, &q_}) array->resize(model.particle_slots);
  for (auto* vector : {&rigid_x_, &rigid_r_, &rigid_z_, &rigid_p_, &rigid_q_})
    vector->assign(model.rigid.size(), Six::Zero());
  rigid_matrix_.assign(model.rigid.size(), Six2::Zero());
  rigid_inverse_ = rigid_matrix_;
}

void ImplicitSystem::set_right_side(const Unknowns& b) {
  narrow(b.particles, r_);
  rigid_r_ = b.rigid;
}

void ImplicitSystem::narrow(const Vec3Array& in, Array& out) {
  team_.run([&](int t) {
    const std::size_t begin = piece_begin(t), end = piece_begin(t + 1);
    for (int c = 0; c < 3; ++c) distal::narrow(in.data(c) + begin, 0.0, out.data(c) + begin, end - begin);
  });
}

// Whole cache lines each.
std::size_t ImplicitSystem::piece_begin(int thread) const {
  const int lines = static_cast<int>((model_.particle_slots + kPadding - 1) / kPadding);
  return std::min(kPadding * static_cast<std::size_t>(ThreadTeam::share_begin(lines, thread, team_.size())),
                  model_.particle_slots);
}

double ImplicitSystem::weigh_guess(const Unknowns& u) {
  narrow(u.particles, p_);
  rigid_p_ = u.rigid;
  multiply();
  team_.run([&](int t) {
    for (std::size_t s = 0; s < soft_.size(); ++s)
      for_planes(s, t, [&](std::size_t begin, std::size_t end, std::size_t k) {
        soft_[s].plane_right_side[k] = solve::sum_right_side(mass_.data(), q_, r_, begin, end);
      });
  });
  RightSideSums sums;
  for (const Soft& soft : soft_)
    for (const RightSideSums& plane : soft.plane_right_side) sums = sums + plane;
  for (std::size_t b = 0; b < rigid_q_.size(); ++b) {
    if (!is_free(static_cast<int>(b))) continue;
    const Six all = rigid_q_[b] + rigid_r_[b];
    sums = sums + RightSideSums{all.squaredNorm(), all.dot(rigid_q_[b]), rigid_q_[b].squaredNorm()};
  }
  first_step_ = sums.qq > 0.0 ? sums.bq / sums.qq - 1.0 : 0.0;
  return std::sqrt(sums.bb);
}

CgSums ImplicitSystem::begin() {
  team_.run([&](int t) {
    for (int c = 0; c < 3; ++c) std::fill(x_.data(c) + piece_begin(t), x_.data(c) + piece_begin(t + 1), 0.0F);
  });
  std::fill(rigid_x_.begin(), rigid_x_.end(), Six::Zero());
  const CgSums sums = advance(first_step_);
  first_step_ = 0.0;
  turn(0.0);
  return sums;
}

// How nodes with ligaments move against the rod.
void ImplicitSystem::find_ligament_motion(std::size_t s, int thread) {
  const SoftBody& body = model_.soft[s];
  if (body.rod < 0) return;
  Soft& soft = soft_[s];
  const Six& rod = rigid_p_[static_cast<std::size_t>(body.rod)];
  const Eigen::Vector3f velocity = rod.head<3>().cast<float>(), angular = rod.tail<3>().cast<float>();
  const int rows = static_cast<int>(body.ligament_matrix.node.size());
  for (auto r = static_cast<std::size_t>(ThreadTeam::share_begin(rows, thread, team_.size()));
       r < static_cast<std::size_t>(ThreadTeam::share_begin(rows, thread + 1, team_.size())); ++r) {
    const auto p = static_cast<std::size_t>(body.first_particle + body.ligament_matrix.node[r]);
    const Eigen::Vector3f carried = velocity + angular.cross(soft.ligament_arm[r]);
    for (std::size_t c = 0; c < 3; ++c)
      soft.ligament_motion[4 * r + c] = p_.component[c][p] - carried[static_cast<Eigen::Index>(c)];
  }
}

// What held samples pull with when particles and partner move.
void ImplicitSystem::pull_contacts(const ContactPair& pair, Held& held, int thread) {
  const Six& partner = rigid_p_[static_cast<std::size_t>(pair.partner)];
  const Eigen::Vector3f velocity = partner.head<3>().cast<float>(), angular = partner.tail<3>().cast<float>();
  const std::array<std::size_t, kCorners> offset = corner_offsets(model_.soft[static_cast<std::size_t>(pair.sampled)]);
  const int samples = static_cast<int>(held.samples.size());
  for (int n = ThreadTeam::share_begin(samples, thread, team_.size());
       n < ThreadTeam::share_begin(samples, thread + 1, team_.size()); ++n) {
    HeldSample& h = held.samples[static_cast<std::size_t>(n)];
    Eigen::Vector3f moved = -velocity - angular.cross(h.arm);
    for (int c = 0; c < 3; ++c)
      for (std::size_t a = 0; a < kCorners; ++a) moved[c] += h.weight[a] * p_.data(c)[h.particle + offset[a]];
    h.pull = h.stiffness * moved;
  }
}

double ImplicitSystem::multiply() {
  team_.run([&](int t) {
    for (std::size_t s = 0; s < soft_.size(); ++s) {
      soft_[s].tangent.multiply(t, p_, weights_, q_);
      find_ligament_motion(s, t);
    }
    for (std::size_t p = 0; p < held_.size(); ++p)
      if (model_.pairs[p].sampled_is_soft) pull_contacts(model_.pairs[p], held_[p], t);
  });
  for (Soft& soft : soft_) soft.tangent.finish(q_);
  team_.run([&](int t) {
    for (std::size_t s = 0; s < soft_.size(); ++s) finish_product(s, t);
  });
  multiply_rigid();
  double sum = 0.0;
  for (const Soft& soft : soft_)
    for (const double d : soft.plane_dot) sum += d;
  for (std::size_t b = 0; b < rigid_p_.size(); ++b)
    if (is_free(static_cast<int>(b))) sum += rigid_p_[b].dot(rigid_q_[b]);
  return sum;
}

// Mass, ligaments and contacts of the nodes of one thread, and p.q.
void ImplicitSystem::finish_product(std::size_t s, int thread) {
  const SoftBody& body = model_.soft[s];
  Soft& soft = soft_[s];
  const LigamentMatrix& matrix = body.ligament_matrix;
  const Grid& grid = body.lattice.grid;
  const std::array<std::size_t, kCorners> offset = corner_offsets(body);
  const auto first = static_cast<std::size_t>(body.first_particle), plane = static_cast<std::size_t>(grid.plane_size());
  for (int k = soft.first_of_rest[static_cast<std::size_t>(thread)];
       k < soft.first_of_rest[static_cast<std::size_t>(thread) + 1]; ++k) {
    const auto layer = static_cast<std::size_t>(k);
    const std::size_t begin = first + layer * plane, end = begin + plane;
    solve::add_mass_product(mass_.data(), p_, q_, begin, end);
    Six on_rod = Six::Zero();
    const auto first_row = static_cast<std::size_t>(matrix.plane_begin[layer]),
               last_row = static_cast<std::size_t>(matrix.plane_begin[layer + 1]);
    solve::multiply_rows(matrix.begin.data(), matrix.column.data(), soft.ligament_weight.data(),
                         soft.ligament_motion.data(), soft.ligament_pull.data(), first_row, last_row);
    for (std::size_t r = first_row; r < last_row; ++r) {
      const Eigen::Vector3f pull(soft.ligament_pull.data() + 4 * r);
      for (std::size_t c = 0; c < 3; ++c)
        q_.component[c][first + static_cast<std::size_t>(matrix.node[r])] += pull[static_cast<Eigen::Index>(c)];
      on_rod.head<3>() -= pull.cast<double>();
      on_rod.tail<3>() -= soft.ligament_arm[r].cross(pull).cast<double>();
    }
    soft.plane_on_rod[layer] = on_rod;
    // Samples in the cells below this layer of nodes give it their upper corners, those above their lower ones.
    for (std::size_t p = 0; p < held_.size(); ++p) {
      if (!model_.pairs[p].sampled_is_soft || model_.pairs[p].sampled != static_cast<int>(s)) continue;
      for (int upper = 0; upper < 2; ++upper) {
        const int cells = k - upper;
        if (cells < 0 || cells >= grid.cell_planes()) continue;
        for (std::int32_t n = held_[p].plane_begin[static_cast<std::size_t>(cells)];
             n < held_[p].plane_begin[static_cast<std::size_t>(cells) + 1]; ++n) {
          const HeldSample& h = held_[p].samples[static_cast<std::size_t>(n)];
          for (std::size_t c = 0; c < 3; ++c)
            for (std::size_t a = 4 * static_cast<std::size_t>(upper); a < 4 * static_cast<std::size_t>(upper) + 4; ++a)
              q_.component[c][h.particle + offset[a]] += h.weight[a] * h.pull[static_cast<Eigen::Index>(c)];
        }
      }
    }
    soft.plane_dot[layer] = solve::dot(p_, q_, begin, end);
  }
}

void ImplicitSystem::multiply_rigid() {
  for (std::size_t b = 0; b < rigid_p_.size(); ++b) rigid_q_[b] = rigid_matrix_[b] * rigid_p_[b];
  for (std::size_t s = 0; s < soft_.size(); ++s)
    if (model_.soft[s].rod >= 0)
      for (const Six& part : soft_[s].plane_on_rod) rigid_q_[static_cast<std::size_t>(model_.soft[s].rod)] += part;
  for (std::size_t p = 0; p < held_.size(); ++p)
    if (is_free(model_.pairs[p].partner))
      for (const HeldSample& h : held_[p].samples)
        add_force(-h.pull.cast<double>(), h.arm.cast<double>(),
                  rigid_q_[static_cast<std::size_t>(model_.pairs[p].partner)]);
  for (const RigidSpring& spring : rigid_springs_) {
    const auto a = static_cast<std::size_t>(spring.a), b = static_cast<std::size_t>(spring.b);
    const Vec3 pull =
        spring.stiffness * (velocity_at(rigid_p_[a], spring.arm_a) - velocity_at(rigid_p_[b], spring.arm_b));
    add_force(pull, spring.arm_a, rigid_q_[a]);
    add_force(-pull, spring.arm_b, rigid_q_[b]);
  }
}

CgSums ImplicitSystem::advance(double alpha) {
  team_.run([&](int t) {
    for (std::size_t s = 0; s < soft_.size(); ++s)
      for_planes(s, t, [&](std::size_t begin, std::size_t end, std::size_t k) {
        soft_[s].plane_sums[k] = solve::advance(alpha, p_, q_, straight_, mixed_, place_, x_, r_, z_, begin, end);
      });
  });
  CgSums sums;
  for (std::size_t b = 0; b < rigid_r_.size(); ++b) {
    if (!is_free(static_cast<int>(b))) continue;
    rigid_x_[b] += alpha * rigid_p_[b];
    rigid_r_[b] -= alpha * rigid_q_[b];
    rigid_z_[b] = rigid_inverse_[b] * rigid_r_[b];
    sums.rr += rigid_r_[b].squaredNorm();
    sums.rz += rigid_r_[b].dot(rigid_z_[b]);
  }
  for (std::size_t s = 0; s < soft_.size(); ++s) {
    Six whole = Six::Zero();
    for (const ResidualSums& plane : soft_[s].plane_sums) {
      sums.rr += plane.rr;
      sums.rz += plane.rz;
      whole.head<3>() += plane.sum;
      whole.tail<3>() += plane.moment;
    }
    soft_[s].correction = {};
    if (!soft_[s].moves_as_a_whole) continue;
    const int rod = model_.soft[s].rod;
    if (rod >= 0) whole += rigid_r_[static_cast<std::size_t>(rod)];
    const Six motion = soft_[s].inverse_inertia * whole;
    sums.rz += whole.dot(motion);
    soft_[s].correction = {motion.head<3>(), motion.tail<3>()};
    if (rod >= 0) rigid_z_[static_cast<std::size_t>(rod)] += motion;
  }
  return sums;
}

void ImplicitSystem::turn(double beta) {
  team_.run([&](int t) {
    for (std::size_t s = 0; s < soft_.size(); ++s)
      for_planes(s, t, [&](std::size_t begin, std::size_t end, std::size_t) {
        solve::turn(beta, soft_[s].correction, mass_.data(), place_, z_, p_, begin, end);
      });
  });
  for (std::size_t b = 0; b < rigid_p_.size(); ++b)
    if (is_free(static_cast<int>(b))) rigid_p_[b] = rigid_z_[b] + beta * rigid_p_[b];
}

void ImplicitSystem::add_solution(double share, Unknowns& sum) const {
  team_.run([&](int t) { implicit::add_share(share, x_, sum.particles, piece_begin(t), piece_begin(t + 1)); });
  for (std::size_t b = 0; b < rigid_x_.size(); ++b) sum.rigid[b] += share * rigid_x_[b];
}

double ImplicitSystem::along_solution(const Unknowns& residual) const {
  double sum = sum_pieces(team_, model_.particle_slots, [&](std::size_t begin, std::size_t end) {
    return implicit::dot(x_, residual.particles, begin, end);
  });
  for (std::size_t b = 0; b < rigid_x_.size(); ++b) sum += rigid_x_[b].dot(residual.rigid[b]);
  return sum;
}

void ImplicitSystem::restore_net_momentum(const State& at, const Unknowns& residual, State& state) const {
  for (std::size_t s = 0; s < soft_.size(); ++s) {
    const SoftBody& body = model_.soft[s];
    if (!soft_[s].moves_as_a_whole) continue;
    bool touched = false;
    for (std::size_t p = 0; p < held_.size(); ++p)
      touched |= model_.pairs[p].sampled_is_soft && model_.pairs[p].sampled == static_cast<int>(s) &&
                 !held_[p].samples.empty();
    if (touched) continue;
    Six net = body.rod < 0 ? Six::Zero().eval() : residual.rigid[static_cast<std::size_t>(body.rod)];
    for (std::size_t n = 0; n < body.lattice.mass.size(); ++n) {
      const std::size_t p = static_cast<std::size_t>(body.first_particle) + n;
      if (mass_[p] > 0.0F) add_force(residual.particles.get(p), at.x.get(p) - soft_[s].centre, net);
    }
    Six2 inertia = tip_inertia(s, at, soft_[s].centre);
    if (body.rod >= 0) inertia += rigid_matrix_[static_cast<std::size_t>(body.rod)];
    const Six motion = inertia.inverse() * net;
    for (std::size_t n = 0; n < body.lattice.mass.size(); ++n) {
      const std::size_t p = static_cast<std::size_t>(body.first_particle) + n;
      if (mass_[p] > 0.0F) state.v.add(p, velocity_at(motion, at.x.get(p) - soft_[s].centre));
    }
    if (body.rod < 0) continue;
    state.rigid[static_cast<std::size_t>(body.rod)].velocity += motion.head<3>();
    state.rigid[static_cast<std::size_t>(body.rod)].angular_velocity += motion.tail<3>();
  }
}

}  // namespace distal
