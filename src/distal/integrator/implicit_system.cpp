// Vectors, products and preconditioning; implicit_linearise.cpp and implicit_contacts.cpp make the system.
#include "distal/integrator/implicit_system.hpp"

#include <algorithm>
#include <cmath>

#include "distal/force/lattice_kernel.hpp"
#include "distal/integrator/implicit_kernels.hpp"
#include "distal/integrator/six.hpp"

namespace distal {
namespace {

// Fewer are solved sooner without coarse grids (measured).
constexpr int kManyNodes = 20000;

}  // namespace

ImplicitSystem::Soft::Soft(const SoftBody& body, int threads) {
  if (!body.tet) {
    lattice.emplace(body, threads);
    spans = lattice->spans().shifted(static_cast<std::size_t>(body.first_particle));
    return;
  }
  if (body.tet->has_network())
    paper2.emplace(body);
  else
    tet.emplace(body);
  for (int k = 0; k < body.planes(); ++k)
    spans.add_plane(std::vector<char>(static_cast<std::size_t>(body.plane_size()), 1));
  spans = spans.shifted(static_cast<std::size_t>(body.first_particle));
}

ImplicitSystem::ImplicitSystem(const Model& model, const Workspace& ws) : model_(model), team_(*ws.team) {
  for (std::size_t s = 0; s < model.soft.size(); ++s) {
    const SoftBody& body = model.soft[s];
    const auto planes = static_cast<std::size_t>(body.planes());
    Soft soft(body, team_.size());
    soft.plane_dot.resize(planes), soft.plane_sums.resize(planes), soft.plane_whole.resize(planes);
    soft.plane_cost.resize(planes), soft.plane_right_side.resize(planes);
    soft.plane_on_rod.resize(static_cast<std::size_t>(body.ligament_matrix.count[2]));
    soft.ligament_weight.resize(body.ligament_matrix.stiffness.size());
    soft.ligament_ring.resize(static_cast<std::size_t>(team_.size()));
    for (LigamentRing<float>& ring : soft.ligament_ring) ring.resize(body.ligament_matrix);
    soft.moves_as_a_whole = (body.rod < 0 || is_free(body.rod)) && body.fixed_nodes.empty();
    has_tets_ |= soft.tet.has_value();
    if (!soft.paper2 && body.active_nodes() >= kManyNodes) soft.coarse.emplace(model, body);
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
    if (body.tet) continue;
    held_[p].samples.reserve(body.skin.size());
    held_[p].plane_begin.resize(static_cast<std::size_t>(body.lattice.grid.nz));
    held_[p].plane_on_partner.resize(static_cast<std::size_t>(body.lattice.grid.cell_planes()), Six::Zero());
  }
  for (std::size_t s = 0; s < soft_.size(); ++s) share_planes(s);
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
  for_all_planes([&](std::size_t, solve::Spans spans, std::size_t) {
    for (const auto& [begin, end] : spans)
      for (int c = 0; c < 3; ++c) distal::narrow(in.data(c) + begin, 0.0, out.data(c) + begin, end - begin);
  });
}

double ImplicitSystem::weigh_guess(const Unknowns& u) {
  narrow(u.particles, p_);
  for_all_planes([&](std::size_t s, solve::Spans, std::size_t k) { take_direction(s, k); });
  rigid_p_ = u.rigid;
  multiply();
  for_all_planes([&](std::size_t s, solve::Spans spans, std::size_t k) {
    soft_[s].plane_right_side[k] = solve::sum_right_side(mass_.data(), q_, r_, spans);
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
  for_all_planes([&](std::size_t, solve::Spans spans, std::size_t) {
    for (const auto& [begin, end] : spans)
      for (int c = 0; c < 3; ++c) std::fill(x_.data(c) + begin, x_.data(c) + end, 0.0F);
  });
  std::fill(rigid_x_.begin(), rigid_x_.end(), Six::Zero());
  const CgSums sums = advance(first_step_);
  first_step_ = 0.0;
  turn(0.0);
  return sums;
}

double ImplicitSystem::multiply() {
  if (has_tets_) gather_tet_stress();
  team_.run([&](int t) {
    for (std::size_t s = 0; s < soft_.size(); ++s) multiply_planes(s, t);
  });
  multiply_rigid();
  double sum = pull_carried();
  for (const Soft& soft : soft_)
    for (const double d : soft.plane_dot) sum += d;
  for (std::size_t b = 0; b < rigid_p_.size(); ++b) {
    if (!is_free(static_cast<int>(b))) continue;
    keep_to_guide(b, rigid_q_[b]);
    sum += rigid_p_[b].dot(rigid_q_[b]);
  }
  return sum;
}

// All of the product on the nodes of one thread, and p.q plane by plane. What stands between them and the nodes of the
// next thread is computed by both, so that nobody waits.
void ImplicitSystem::multiply_planes(std::size_t s, int thread) {
  Soft& soft = soft_[s];
  const auto t = static_cast<std::size_t>(thread);
  const int first = soft.first_plane[t], last = soft.first_plane[t + 1];
  const auto add_masses = [&](int k) {
    soft.plane_dot[static_cast<std::size_t>(k)] = solve::add_mass_product(mass_.data(), p_, q_, soft.spans.plane(k));
  };
  if (soft.lattice) {
    soft.lattice->multiply(thread, first, last, p_, weights_, q_, add_masses);
  } else {
    soft.tet ? soft.tet->give(first, last, q_) : soft.paper2->multiply(first, last, p_, q_);
    for (int k = first; k < last; ++k) add_masses(k);
  }
  if (model_.soft[s].rod >= 0) pull_ligaments(s, thread);
  for (std::size_t p = 0; p < held_.size(); ++p)
    if (soft.lattice && model_.pairs[p].sampled_is_soft && model_.pairs[p].sampled == static_cast<int>(s))
      pull_contacts(model_.pairs[p], held_[p], thread);
}

// Tetrahedra need the stress around every vertex before any force: a round ahead of the rest.
void ImplicitSystem::gather_tet_stress() {
  team_.run([&](int t) {
    for (Soft& soft : soft_)
      if (soft.tet)
        soft.tet->find_stress(soft.first_plane[static_cast<std::size_t>(t)],
                              soft.first_plane[static_cast<std::size_t>(t) + 1]);
  });
}

void ImplicitSystem::take_direction(std::size_t s, std::size_t plane) {
  if (soft_[s].tet) soft_[s].tet->take(static_cast<int>(plane), static_cast<int>(plane) + 1, p_);
}

// Nodes move against the rod, and pull it and each other.
void ImplicitSystem::pull_ligaments(std::size_t s, int thread) {
  const SoftBody& body = model_.soft[s];
  Soft& soft = soft_[s];
  const auto t = static_cast<std::size_t>(thread), first = static_cast<std::size_t>(body.first_particle);
  const Six& rod = rigid_p_[static_cast<std::size_t>(body.rod)];
  const BoxField carried = rigid_velocity(soft.ligament_arms, rod.head<3>(), rod.tail<3>());
  const std::array<const float*, 3> p{p_.data(0) + first, p_.data(1) + first, p_.data(2) + first};
  const std::array<float*, 3> q{q_.data(0) + first, q_.data(1) + first, q_.data(2) + first};
  LigamentRing<float>& ring = soft.ligament_ring[t];
  for_ligament_planes(
      body.ligament_matrix, soft.first_plane[t], soft.first_plane[t + 1],
      [&](int k) { find_ligament_motion(body.ligament_matrix, k, p, carried, ring.plane(k)); },
      [&](int k) {
        const auto [on_rod, uwu] = pull_ligament_plane(body.ligament_matrix, soft.ligament_weight.data(), k,
                                                       ring.around(k), soft.ligament_arms, q);
        Six& six = soft.plane_on_rod[static_cast<std::size_t>(k)];
        six << on_rod.force, on_rod.torque;
        // p = u + what the rod carries, against which the same product pulls.
        soft.plane_dot[static_cast<std::size_t>(body.ligament_matrix.first[2] + k)] += uwu - rod.dot(six);
      });
}

void ImplicitSystem::multiply_rigid() {
  for (std::size_t b = 0; b < rigid_p_.size(); ++b) rigid_q_[b] = rigid_matrix_[b] * rigid_p_[b];
  for (std::size_t s = 0; s < soft_.size(); ++s)
    if (model_.soft[s].rod >= 0)
      for (const Six& part : soft_[s].plane_on_rod) rigid_q_[static_cast<std::size_t>(model_.soft[s].rod)] += part;
  for (std::size_t p = 0; p < held_.size(); ++p)
    if (is_free(model_.pairs[p].partner))
      for (const Six& part : held_[p].plane_on_partner)
        rigid_q_[static_cast<std::size_t>(model_.pairs[p].partner)] += part;
  for (const RigidSpring& spring : rigid_springs_) {
    const auto a = static_cast<std::size_t>(spring.a), b = static_cast<std::size_t>(spring.b);
    const Vec3 pull =
        spring.stiffness * (velocity_at(rigid_p_[a], spring.arm_a) - velocity_at(rigid_p_[b], spring.arm_b));
    add_force(pull, spring.arm_a, rigid_q_[a]);
    add_force(-pull, spring.arm_b, rigid_q_[b]);
  }
}

CgSums ImplicitSystem::advance(double alpha) {
  for_all_planes([&](std::size_t s, solve::Spans spans, std::size_t k) {
    soft_[s].plane_sums[k] = solve::advance(alpha, p_, q_, straight_, mixed_, x_, r_, z_, spans);
    if (soft_[s].moves_as_a_whole) soft_[s].plane_whole[k] = solve::sum_whole(place_, r_, spans);
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
    for (const CgSums& plane : soft_[s].plane_sums) sums.rr += plane.rr, sums.rz += plane.rz;
    if (soft_[s].coarse) sums.rz += soft_[s].coarse->correct(team_, mass_.data(), r_, z_);
    if (!soft_[s].moves_as_a_whole) continue;
    Wrench net;
    for (const Wrench& plane : soft_[s].plane_whole) net += plane;
    Six whole;
    whole << net.force, net.torque;
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
  for_all_planes([&](std::size_t s, solve::Spans spans, std::size_t k) {
    solve::turn(beta, z_, p_, spans);
    if (soft_[s].moves_as_a_whole) solve::add_rigid(soft_[s].correction, mass_.data(), place_, p_, spans);
    take_direction(s, k);
  });
  for (std::size_t b = 0; b < rigid_p_.size(); ++b)
    if (is_free(static_cast<int>(b))) rigid_p_[b] = rigid_z_[b] + beta * rigid_p_[b];
}

void ImplicitSystem::add_solution(double share, Unknowns& sum) const {
  for_all_planes([&](std::size_t, solve::Spans spans, std::size_t) {
    for (const auto& [begin, end] : spans) implicit::add_share(share, x_, sum.particles, begin, end);
  });
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
    for (const CarriedSample& sample : carried_)
      touched |= sample.sampled == static_cast<int>(s) || sample.partner_soft == static_cast<int>(s);
    if (touched) continue;
    Six net = body.rod < 0 ? Six::Zero().eval() : residual.rigid[static_cast<std::size_t>(body.rod)];
    for (std::size_t n = 0; n < body.mass_kg().size(); ++n) {
      const std::size_t p = static_cast<std::size_t>(body.first_particle) + n;
      if (mass_[p] > 0.0F) add_force(residual.particles.get(p), at.x.get(p) - soft_[s].centre, net);
    }
    Six2 inertia = tip_inertia(s, at, soft_[s].centre);
    if (body.rod >= 0) inertia += rigid_matrix_[static_cast<std::size_t>(body.rod)];
    const Six motion = inertia.inverse() * net;
    for (std::size_t n = 0; n < body.mass_kg().size(); ++n) {
      const std::size_t p = static_cast<std::size_t>(body.first_particle) + n;
      if (mass_[p] > 0.0F) state.v.add(p, velocity_at(motion, at.x.get(p) - soft_[s].centre));
    }
    if (body.rod < 0) continue;
    state.rigid[static_cast<std::size_t>(body.rod)].velocity += motion.head<3>();
    state.rigid[static_cast<std::size_t>(body.rod)].angular_velocity += motion.tail<3>();
  }
  for (std::size_t b = 0; b < model_.rigid.size(); ++b) {
    if (!is_free(static_cast<int>(b)) || is_coupled(b)) continue;
    const Six motion = rigid_inverse_[b] * residual.rigid[b];
    state.rigid[b].velocity += motion.head<3>();
    state.rigid[b].angular_velocity += motion.tail<3>();
  }
}

// Something else in the system moves it, or is moved by it.
bool ImplicitSystem::is_coupled(std::size_t rigid) const {
  const auto index = static_cast<int>(rigid);
  bool coupled = false;
  for (const SoftBody& body : model_.soft) coupled |= body.rod == index;
  for (std::size_t p = 0; p < held_.size(); ++p)
    coupled |= model_.pairs[p].partner == index && !held_[p].samples.empty();
  for (const CarriedSample& sample : carried_) coupled |= sample.partner_rigid == index;
  for (const RigidSpring& spring : rigid_springs_) coupled |= spring.a == index || spring.b == index;
  return coupled;
}

}  // namespace distal
