#include "distal/integrator/implicit_system.hpp"

#include <algorithm>
#include <cmath>

#include "distal/contact/penalty_law.hpp"

namespace distal {
namespace {

Mat3 cross_matrix(const Vec3& a) {
  Mat3 m;
  m << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  return m;
}

// Adds J^T K J' for points at two arms of one body, J = (I, -[arm]).
void add_spring(const Mat3& k, const Vec3& arm, const Vec3& other_arm, Six2& block) {
  const Mat3 left = cross_matrix(arm), right = cross_matrix(other_arm);
  block.topLeftCorner<3, 3>() += k;
  block.topRightCorner<3, 3>() -= k * right;
  block.bottomLeftCorner<3, 3>() += left * k;
  block.bottomRightCorner<3, 3>() -= left * k * right;
}

// A block of forces and torques along other axes.
Six2 turned(const Six2& block, const Mat3& rotation) {
  Six2 both = Six2::Zero();
  both.topLeftCorner<3, 3>() = both.bottomRightCorner<3, 3>() = rotation;
  return both * block * both.transpose();
}

std::array<std::size_t, kCorners> corner_offsets(const SoftBody& body) {
  std::array<std::size_t, kCorners> offset;
  for (int a = 0; a < kCorners; ++a)
    offset[static_cast<std::size_t>(a)] = static_cast<std::size_t>(body.lattice.grid.corner_offset(a));
  return offset;
}

Vec3 middle_of(const SoftBody& body, const State& state) {
  const Grid& grid = body.lattice.grid;
  return state.x.get(static_cast<std::size_t>(body.first_particle + grid.node(grid.nx / 2, grid.ny / 2, grid.nz / 2)));
}

Vec3 velocity_at(const Six& motion, const Vec3& arm) { return motion.head<3>() + motion.tail<3>().cross(arm); }

void add_force(const Vec3& force, const Vec3& arm, Six& sum) {
  sum.head<3>() += force;
  sum.tail<3>() += arm.cross(force);
}

}  // namespace

template <typename T>
ImplicitSystem<T>::ImplicitSystem(const Model& model, const Workspace& ws) : model_(model), team_(*ws.team) {
  for (std::size_t s = 0; s < model.soft.size(); ++s) {
    const SoftBody& body = model.soft[s];
    const auto planes = static_cast<std::size_t>(body.lattice.grid.nz);
    Soft soft(body, ws.soft[s].first_plane);
    soft.first_plane.back() = body.lattice.grid.nz;  // the uppermost nodes belong to the last thread
    soft.plane_dot.resize(planes), soft.plane_sums.resize(planes), soft.plane_on_rod.resize(planes);
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
    held_[p].on_partner.resize(static_cast<std::size_t>(body.lattice.grid.cell_planes()));
  }
  mass_.assign(model.particle_slots + kPadding, T(0));
  for (Array* array : {&place_, &straight_, &mixed_, &x_, &r_, &z_, &p_, &q_}) array->resize(model.particle_slots);
  for (auto* vector : {&rigid_x_, &rigid_r_, &rigid_z_, &rigid_p_, &rigid_q_})
    vector->assign(model.rigid.size(), Six::Zero());
  rigid_matrix_.assign(model.rigid.size(), Six2::Zero());
  rigid_inverse_ = rigid_matrix_;
}

template <typename T>
void ImplicitSystem<T>::linearise(const State& at, Workspace& ws, const TangentWeights& weights) {
  const bool new_step = weights.stiffness != weights_.stiffness || weights.damping != weights_.damping;
  weights_ = weights;
  const double drag = 1.0 + weights.damping * model_.quasi_static_drag_per_s;
  for (std::size_t s = 0; s < soft_.size(); ++s) {
    const SoftBody& body = model_.soft[s];
    soft_[s].centre = body.rod >= 0 ? at.rigid[static_cast<std::size_t>(body.rod)].centre_of_mass : middle_of(body, at);
  }
  team_.run([&](int t) {
    for (std::size_t s = 0; s < soft_.size(); ++s) {
      const auto thread = static_cast<std::size_t>(t);
      const std::size_t first = static_cast<std::size_t>(model_.soft[s].first_particle),
                        plane = static_cast<std::size_t>(model_.soft[s].lattice.grid.plane_size());
      for (std::size_t p = first + static_cast<std::size_t>(soft_[s].first_plane[thread]) * plane;
           p < first + static_cast<std::size_t>(soft_[s].first_plane[thread + 1]) * plane; ++p) {
        mass_[p] = model_.inverse_mass_per_kg[p] > 0.0 ? static_cast<T>(drag * model_.mass_kg[p]) : T(0);
        for (int c = 0; c < 3; ++c) place_.data(c)[p] = static_cast<T>(at.x.data(c)[p] - soft_[s].centre[c]);
      }
    }
  });
  team_.run([&](int t) {
    for (Soft& soft : soft_) soft.tangent.linearise(t, place_, weights, straight_, mixed_);
  });
  for (Soft& soft : soft_) soft.tangent.finish(straight_, mixed_);
  gather_contacts(at, ws);
  for (std::size_t b = 0; b < model_.rigid.size(); ++b) {
    const RigidBody& body = model_.rigid[b];
    rigid_matrix_[b].setZero();
    if (!body.moves_freely()) continue;
    const Mat3 rotation = at.rigid[b].q.toRotationMatrix();
    rigid_matrix_[b].topLeftCorner<3, 3>().diagonal().setConstant(body.mass_kg);
    rigid_matrix_[b].bottomRightCorner<3, 3>() = rotation * body.inertia_kg_m2.asDiagonal() * rotation.transpose();
    const Vec3 arm = rotation * (body.end_m - body.centre_of_mass_m);
    add_spring(weights.damping * body.damping_n_s_m * Mat3::Identity(), arm, arm, rigid_matrix_[b]);
    rigid_matrix_[b].bottomRightCorner<3, 3>().diagonal().array() += weights.damping * body.angular_damping_n_m_s_rad;
  }
  rigid_inverse_ = rigid_matrix_;
  for (std::size_t s = 0; s < soft_.size(); ++s) {
    if (new_step) weigh_ligaments(s);
    place_ligaments(s, at);
  }
  for (std::size_t p = 0; p < held_.size(); ++p)
    if (model_.pairs[p].sampled_is_soft)
      add_contact_blocks(model_.soft[static_cast<std::size_t>(model_.pairs[p].sampled)], held_[p]);
  team_.run([&](int t) {
    for (std::size_t s = 0; s < soft_.size(); ++s) {
      const auto thread = static_cast<std::size_t>(t);
      const std::size_t first = static_cast<std::size_t>(model_.soft[s].first_particle),
                        plane = static_cast<std::size_t>(model_.soft[s].lattice.grid.plane_size());
      Kernels::invert_blocks(mass_.data(), straight_, mixed_,
                             first + static_cast<std::size_t>(soft_[s].first_plane[thread]) * plane,
                             first + static_cast<std::size_t>(soft_[s].first_plane[thread + 1]) * plane);
    }
  });
  invert_rigid_blocks();
  for (std::size_t s = 0; s < soft_.size(); ++s) invert_whole(s, at);
}

template <typename T>
void ImplicitSystem<T>::gather_contacts(const State& at, const Workspace& ws) {
  rigid_springs_.clear();
  for (std::size_t p = 0; p < model_.pairs.size(); ++p) {
    const ContactPair& pair = model_.pairs[p];
    const Vec3 centre = at.rigid[static_cast<std::size_t>(pair.partner)].centre_of_mass;
    if (!pair.sampled_is_soft) {
      const RigidBody& body = model_.rigid[static_cast<std::size_t>(pair.sampled)];
      const PenaltySpring spring{body.sample_stiffness_n_m, body.sample_stiffness_n_m, body.sample_damping_n_s_m};
      const Vec3 own = at.rigid[static_cast<std::size_t>(pair.sampled)].centre_of_mass;
      for (const Contact& contact : ws.pairs[p].near)
        if (contact.touch != Touch::none)
          rigid_springs_.push_back({pair.sampled, pair.partner, contact.point - own, contact.point - centre,
                                    weights_.stiffness * contact_stiffness(pair.law, spring, contact) +
                                        weights_.damping * contact_damping(pair.law, spring, contact)});
      continue;
    }
    const SoftBody& body = model_.soft[static_cast<std::size_t>(pair.sampled)];
    const double shear_share = body.lattice.moduli.shear_pa / body.lattice.moduli.youngs_pa;
    Held& held = held_[p];
    held.samples.clear();
    for (std::size_t k = 0; k + 1 < ws.pairs[p].near_plane_begin.size(); ++k) {
      held.plane_begin[k] = static_cast<std::int32_t>(held.samples.size());
      for (std::int32_t n = ws.pairs[p].near_plane_begin[k]; n < ws.pairs[p].near_plane_begin[k + 1]; ++n) {
        const Contact& contact = ws.pairs[p].near[static_cast<std::size_t>(n)];
        if (contact.touch == Touch::none) continue;
        const double stiffness =
            body.sample_stiffness_n_m(pair.law.stiffness_factor, static_cast<std::size_t>(contact.sample));
        HeldSample sample{
            static_cast<std::size_t>(body.first_particle) +
                static_cast<std::size_t>(body.skin.node[static_cast<std::size_t>(contact.sample)]),
            {},
            weights_.stiffness * contact_stiffness(pair.law, {stiffness, shear_share * stiffness, 0.0}, contact),
            contact.point - centre,
            {}};
        for (std::size_t a = 0; a < kCorners; ++a)
          sample.weight[a] = static_cast<T>(body.skin.weight[static_cast<std::size_t>(contact.sample)][a]);
        held.samples.push_back(sample);
      }
    }
    held.plane_begin.back() = static_cast<std::int32_t>(held.samples.size());
  }
}

// The blocks of the particles that carry held samples; those of partners and rigid pairs follow in
// invert_rigid_blocks().
template <typename T>
void ImplicitSystem<T>::add_contact_blocks(const SoftBody& body, const Held& held) {
  const std::array<std::size_t, kCorners> offset = corner_offsets(body);
  for (const HeldSample& h : held.samples)
    for (std::size_t a = 0; a < kCorners; ++a) {
      const auto w = static_cast<double>(h.weight[a] * h.weight[a]);
      straight_.add(h.particle + offset[a], w * h.stiffness.diagonal());
      mixed_.add(h.particle + offset[a], w * Vec3(h.stiffness(0, 1), h.stiffness(0, 2), h.stiffness(1, 2)));
    }
}

// Depends on the step alone: s K + d C, its diagonal, and the rod's block in the rod's own frame, J_i^T w_ij J_j summed
// by moments.
template <typename T>
void ImplicitSystem<T>::weigh_ligaments(std::size_t s) {
  const SoftBody& body = model_.soft[s];
  if (body.rod < 0) return;
  const LigamentMatrix& matrix = body.ligament_matrix;
  Soft& soft = soft_[s];
  const Vec3 centre = model_.rigid[static_cast<std::size_t>(body.rod)].centre_of_mass_m;
  double sum = 0.0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (std::size_t r = 0; r < matrix.node.size(); ++r) {
    Vec3 moment = Vec3::Zero();
    for (auto e = static_cast<std::size_t>(matrix.begin[r]); e < static_cast<std::size_t>(matrix.begin[r + 1]); ++e) {
      const double w = weights_.stiffness * static_cast<double>(matrix.stiffness[e]) +
                       weights_.damping * static_cast<double>(matrix.damping[e]);
      const auto column = static_cast<std::size_t>(matrix.column[e]);
      soft.ligament_weight[e] = static_cast<T>(w);
      if (column == r) soft.ligament_own[r] = static_cast<T>(w);
      sum += w;
      moment += w * (body.lattice.grid.rest_position(matrix.node[column]) - centre);
    }
    first += moment;
    second += (body.lattice.grid.rest_position(matrix.node[r]) - centre) * moment.transpose();
  }
  soft.ligament_block << sum * Mat3::Identity(), -cross_matrix(first), cross_matrix(first),
      second.trace() * Mat3::Identity() - 0.5 * (second + second.transpose());
}

template <typename T>
void ImplicitSystem<T>::place_ligaments(std::size_t s, const State& at) {
  const SoftBody& body = model_.soft[s];
  if (body.rod < 0) return;
  const auto rod = static_cast<std::size_t>(body.rod);
  Soft& soft = soft_[s];
  const Mat3 rotation = at.rigid[rod].q.toRotationMatrix();
  for (std::size_t r = 0; r < body.ligament_matrix.node.size(); ++r) {
    const std::int32_t node = body.ligament_matrix.node[r];
    soft.ligament_arm[r] = rotation * (body.lattice.grid.rest_position(node) - model_.rigid[rod].centre_of_mass_m);
    for (int c = 0; c < 3; ++c) straight_.data(c)[body.first_particle + node] += soft.ligament_own[r];
  }
  if (is_free(body.rod)) rigid_inverse_[rod] += turned(soft.ligament_block, rotation);
}

template <typename T>
void ImplicitSystem<T>::invert_rigid_blocks() {
  for (std::size_t p = 0; p < held_.size(); ++p)
    if (model_.pairs[p].sampled_is_soft && is_free(model_.pairs[p].partner))
      for (const HeldSample& h : held_[p].samples)
        add_spring(h.stiffness, h.arm, h.arm, rigid_inverse_[static_cast<std::size_t>(model_.pairs[p].partner)]);
  for (const RigidSpring& spring : rigid_springs_) {
    if (is_free(spring.a))
      add_spring(spring.stiffness, spring.arm_a, spring.arm_a, rigid_inverse_[static_cast<std::size_t>(spring.a)]);
    if (is_free(spring.b))
      add_spring(spring.stiffness, spring.arm_b, spring.arm_b, rigid_inverse_[static_cast<std::size_t>(spring.b)]);
  }
  for (std::size_t b = 0; b < model_.rigid.size(); ++b)
    if (is_free(static_cast<int>(b))) rigid_inverse_[b] = rigid_inverse_[b].inverse().eval();
}

// Six2 of the particles of a soft body that move as one rigid thing about a centre, along world axes.
template <typename T>
Six2 ImplicitSystem<T>::tip_inertia(std::size_t s, const State& at, const Vec3& centre) const {
  const SoftBody& body = model_.soft[s];
  double mass = 0.0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (std::size_t n = 0; n < body.lattice.mass.size(); ++n) {
    const std::size_t p = static_cast<std::size_t>(body.first_particle) + n;
    if (model_.inverse_mass_per_kg[p] == 0.0) continue;
    const double m = model_.mass_kg[p];
    const Vec3 arm = at.x.get(p) - centre;
    mass += m;
    first += m * arm;
    second += m * arm * arm.transpose();
  }
  Six2 inertia;
  inertia << mass * Mat3::Identity(), -cross_matrix(first), cross_matrix(first),
      second.trace() * Mat3::Identity() - second;
  return inertia;
}

// The finger as a whole, about as heavy as at rest.
template <typename T>
void ImplicitSystem<T>::invert_whole(std::size_t s, const State& at) {
  Soft& soft = soft_[s];
  if (!soft.moves_as_a_whole) return;
  const SoftBody& body = model_.soft[s];
  Six2 inertia = soft.inertia;
  if (body.rod >= 0) {
    const auto rod = static_cast<std::size_t>(body.rod);
    inertia = turned(inertia, at.rigid[rod].q.toRotationMatrix()) + rigid_matrix_[rod];
  }
  for (std::size_t p = 0; p < held_.size(); ++p)
    if (model_.pairs[p].sampled_is_soft && model_.pairs[p].sampled == static_cast<int>(s)) {
      const Vec3 shift = at.rigid[static_cast<std::size_t>(model_.pairs[p].partner)].centre_of_mass - soft.centre;
      for (const HeldSample& h : held_[p].samples) add_spring(h.stiffness, h.arm + shift, h.arm + shift, inertia);
    }
  soft.inverse_inertia = inertia.inverse();
}

template <typename T>
void ImplicitSystem<T>::set_right_side(const Unknowns& b) {
  Kernels::narrow(b.particles, r_);
  rigid_r_ = b.rigid;
}

template <typename T>
double ImplicitSystem<T>::product_norm(const Unknowns& u) {
  Kernels::narrow(u.particles, p_);
  rigid_p_ = u.rigid;
  multiply();
  team_.run([&](int t) {
    for (std::size_t s = 0; s < soft_.size(); ++s) {
      const auto first = static_cast<std::size_t>(model_.soft[s].first_particle),
                 plane = static_cast<std::size_t>(model_.soft[s].lattice.grid.plane_size());
      for (auto k = static_cast<std::size_t>(soft_[s].first_plane[static_cast<std::size_t>(t)]);
           k < static_cast<std::size_t>(soft_[s].first_plane[static_cast<std::size_t>(t) + 1]); ++k)
        soft_[s].plane_dot[k] = Kernels::sum_norm(mass_.data(), q_, r_, first + k * plane, first + (k + 1) * plane);
    }
  });
  double sum = 0.0;
  for (const Soft& soft : soft_)
    for (const double d : soft.plane_dot) sum += d;
  for (std::size_t b = 0; b < rigid_q_.size(); ++b)
    if (is_free(static_cast<int>(b))) sum += (rigid_q_[b] + rigid_r_[b]).squaredNorm();
  return std::sqrt(sum);
}

template <typename T>
CgSums ImplicitSystem<T>::begin() {
  for (Array* array : {&x_, &p_, &q_}) array->fill(T(0));
  for (auto* vector : {&rigid_x_, &rigid_p_, &rigid_q_}) std::fill(vector->begin(), vector->end(), Six::Zero());
  const CgSums sums = advance(0.0);
  turn(0.0);
  return sums;
}

// What held samples pull with when particles and partner move, and what their partner feels of it.
template <typename T>
void ImplicitSystem<T>::pull_contacts(const ContactPair& pair, Held& held, int thread) {
  const SoftBody& body = model_.soft[static_cast<std::size_t>(pair.sampled)];
  const Six& partner = rigid_p_[static_cast<std::size_t>(pair.partner)];
  const Vec3 velocity = partner.head<3>(), angular = partner.tail<3>();
  const bool partner_moves = is_free(pair.partner);
  const std::array<std::size_t, kCorners> offset = corner_offsets(body);
  const int planes = static_cast<int>(held.on_partner.size());
  for (int k = ThreadTeam::share_begin(planes, thread, team_.size());
       k < ThreadTeam::share_begin(planes, thread + 1, team_.size()); ++k) {
    Six sum = Six::Zero();
    for (std::int32_t n = held.plane_begin[static_cast<std::size_t>(k)];
         n < held.plane_begin[static_cast<std::size_t>(k) + 1]; ++n) {
      HeldSample& h = held.samples[static_cast<std::size_t>(n)];
      Vec3 moved;
      for (int c = 0; c < 3; ++c) {
        T value(0);
        for (std::size_t a = 0; a < kCorners; ++a) value += h.weight[a] * p_.data(c)[h.particle + offset[a]];
        moved[c] = static_cast<double>(value);
      }
      const Vec3 pull = h.stiffness * (moved - velocity - angular.cross(h.arm));
      for (std::size_t c = 0; c < 3; ++c) h.pull[c] = static_cast<T>(pull[static_cast<Eigen::Index>(c)]);
      if (partner_moves) add_force(-pull, h.arm, sum);
    }
    held.on_partner[static_cast<std::size_t>(k)] = sum;
  }
}

template <typename T>
double ImplicitSystem<T>::multiply() {
  team_.run([&](int t) {
    for (std::size_t s = 0; s < soft_.size(); ++s) {
      Soft& soft = soft_[s];
      soft.tangent.multiply(t, p_, weights_, q_);
      const SoftBody& body = model_.soft[s];
      if (body.rod < 0) continue;
      const Six& rod = rigid_p_[static_cast<std::size_t>(body.rod)];
      const int rows = static_cast<int>(body.ligament_matrix.node.size());
      for (auto r = static_cast<std::size_t>(ThreadTeam::share_begin(rows, t, team_.size()));
           r < static_cast<std::size_t>(ThreadTeam::share_begin(rows, t + 1, team_.size())); ++r) {
        const Vec3 u = p_.get(static_cast<std::size_t>(body.first_particle + body.ligament_matrix.node[r])) -
                       velocity_at(rod, soft.ligament_arm[r]);
        for (std::size_t c = 0; c < 3; ++c)
          soft.ligament_motion[4 * r + c] = static_cast<T>(u[static_cast<Eigen::Index>(c)]);
      }
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
template <typename T>
void ImplicitSystem<T>::finish_product(std::size_t s, int thread) {
  const SoftBody& body = model_.soft[s];
  Soft& soft = soft_[s];
  const LigamentMatrix& matrix = body.ligament_matrix;
  const Grid& grid = body.lattice.grid;
  const std::array<std::size_t, kCorners> offset = corner_offsets(body);
  const auto first = static_cast<std::size_t>(body.first_particle), plane = static_cast<std::size_t>(grid.plane_size());
  for (int k = soft.first_plane[static_cast<std::size_t>(thread)];
       k < soft.first_plane[static_cast<std::size_t>(thread) + 1]; ++k) {
    const auto layer = static_cast<std::size_t>(k);
    const std::size_t begin = first + layer * plane, end = begin + plane;
    Kernels::add_mass_product(mass_.data(), p_, q_, begin, end);
    Six on_rod = Six::Zero();
    const auto first_row = static_cast<std::size_t>(matrix.plane_begin[layer]),
               last_row = static_cast<std::size_t>(matrix.plane_begin[layer + 1]);
    Kernels::multiply_rows(matrix.begin.data(), matrix.column.data(), soft.ligament_weight.data(),
                           soft.ligament_motion.data(), soft.ligament_pull.data(), first_row, last_row);
    for (std::size_t r = first_row; r < last_row; ++r) {
      const T* pull = soft.ligament_pull.data() + 4 * r;
      const Vec3 force(static_cast<double>(pull[0]), static_cast<double>(pull[1]), static_cast<double>(pull[2]));
      q_.add(first + static_cast<std::size_t>(matrix.node[r]), force);
      add_force(-force, soft.ligament_arm[r], on_rod);
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
              q_.data(static_cast<int>(c))[h.particle + offset[a]] += h.weight[a] * h.pull[c];
        }
      }
    }
    soft.plane_dot[layer] = Kernels::dot(p_, q_, begin, end);
  }
}

template <typename T>
void ImplicitSystem<T>::multiply_rigid() {
  for (std::size_t b = 0; b < rigid_p_.size(); ++b) rigid_q_[b] = rigid_matrix_[b] * rigid_p_[b];
  for (std::size_t s = 0; s < soft_.size(); ++s)
    if (model_.soft[s].rod >= 0)
      for (const Six& part : soft_[s].plane_on_rod) rigid_q_[static_cast<std::size_t>(model_.soft[s].rod)] += part;
  for (std::size_t p = 0; p < held_.size(); ++p)
    for (const Six& part : held_[p].on_partner) rigid_q_[static_cast<std::size_t>(model_.pairs[p].partner)] += part;
  for (const RigidSpring& spring : rigid_springs_) {
    const auto a = static_cast<std::size_t>(spring.a), b = static_cast<std::size_t>(spring.b);
    const Vec3 pull =
        spring.stiffness * (velocity_at(rigid_p_[a], spring.arm_a) - velocity_at(rigid_p_[b], spring.arm_b));
    add_force(pull, spring.arm_a, rigid_q_[a]);
    add_force(-pull, spring.arm_b, rigid_q_[b]);
  }
}

template <typename T>
CgSums ImplicitSystem<T>::advance(double alpha) {
  team_.run([&](int t) {
    for (std::size_t s = 0; s < soft_.size(); ++s) {
      Soft& soft = soft_[s];
      const auto first = static_cast<std::size_t>(model_.soft[s].first_particle),
                 plane = static_cast<std::size_t>(model_.soft[s].lattice.grid.plane_size());
      for (auto k = static_cast<std::size_t>(soft.first_plane[static_cast<std::size_t>(t)]);
           k < static_cast<std::size_t>(soft.first_plane[static_cast<std::size_t>(t) + 1]); ++k)
        soft.plane_sums[k] = Kernels::advance(alpha, p_, q_, straight_, mixed_, place_, x_, r_, z_, first + k * plane,
                                              first + (k + 1) * plane);
    }
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

template <typename T>
void ImplicitSystem<T>::turn(double beta) {
  team_.run([&](int t) {
    for (std::size_t s = 0; s < soft_.size(); ++s) {
      const auto thread = static_cast<std::size_t>(t);
      const std::size_t first = static_cast<std::size_t>(model_.soft[s].first_particle),
                        plane = static_cast<std::size_t>(model_.soft[s].lattice.grid.plane_size());
      Kernels::turn(beta, soft_[s].correction, mass_.data(), place_, z_, p_,
                    first + static_cast<std::size_t>(soft_[s].first_plane[thread]) * plane,
                    first + static_cast<std::size_t>(soft_[s].first_plane[thread + 1]) * plane);
    }
  });
  for (std::size_t b = 0; b < rigid_p_.size(); ++b)
    if (is_free(static_cast<int>(b))) rigid_p_[b] = rigid_z_[b] + beta * rigid_p_[b];
}

template <typename T>
void ImplicitSystem<T>::add_solution(double share, Unknowns& sum) const {
  Kernels::add_wide(share, x_, sum.particles);
  for (std::size_t b = 0; b < rigid_x_.size(); ++b) sum.rigid[b] += share * rigid_x_[b];
}

template <typename T>
void ImplicitSystem<T>::restore_net_momentum(const State& at, const Unknowns& residual, State& state) const {
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
      if (mass_[p] > T(0)) add_force(residual.particles.get(p), at.x.get(p) - soft_[s].centre, net);
    }
    Six2 inertia = tip_inertia(s, at, soft_[s].centre);
    if (body.rod >= 0) inertia += rigid_matrix_[static_cast<std::size_t>(body.rod)];
    const Six motion = inertia.inverse() * net;
    for (std::size_t n = 0; n < body.lattice.mass.size(); ++n) {
      const std::size_t p = static_cast<std::size_t>(body.first_particle) + n;
      if (mass_[p] > T(0)) state.v.add(p, velocity_at(motion, at.x.get(p) - soft_[s].centre));
    }
    if (body.rod < 0) continue;
    state.rigid[static_cast<std::size_t>(body.rod)].velocity += motion.head<3>();
    state.rigid[static_cast<std::size_t>(body.rod)].angular_velocity += motion.tail<3>();
  }
}

template class ImplicitSystem<float>;

}  // namespace distal
