// The implicit system at a state: what the lattice, ligaments and rigid bodies contribute (contacts:
// implicit_contacts.cpp), and the blocks of the preconditioner.
#include <cmath>

#include "distal/force/lattice_kernel.hpp"
#include "distal/integrator/implicit_system.hpp"
#include "distal/integrator/six.hpp"

namespace distal {

void ImplicitSystem::linearise(const State& at, Workspace& ws, const TangentWeights& weights) {
  const bool new_step = weights.stiffness != weights_.stiffness || weights.damping != weights_.damping;
  weights_ = weights;
  if (new_step) {
    const double drag = 1.0 + weights.damping * model_.quasi_static_drag_per_s;
    for (std::size_t p = 0; p < model_.particle_slots; ++p)
      mass_[p] = model_.inverse_mass_per_kg[p] > 0.0 ? static_cast<float>(drag * model_.mass_kg[p]) : 0.0F;
    for (Soft& soft : soft_)
      if (soft.coarse) soft.coarse->weigh(weights, drag);
  }
  for (std::size_t s = 0; s < soft_.size(); ++s) {
    const SoftBody& body = model_.soft[s];
    soft_[s].centre = body.rod >= 0 ? at.rigid[static_cast<std::size_t>(body.rod)].centre_of_mass : middle_of(body, at);
  }
  gather_contacts(at, ws);
  for (std::size_t s = 0; s < soft_.size(); ++s) share_planes(s);
  for_all_planes([&](std::size_t s, solve::Spans spans, std::size_t) {
    for (const auto& [begin, end] : spans)
      for (int c = 0; c < 3; ++c)
        distal::narrow(at.x.data(c) + begin, soft_[s].centre[c], place_.data(c) + begin, end - begin);
  });
  linearise_soft(at, ws, weights);
  for (std::size_t b = 0; b < model_.rigid.size(); ++b) {
    const RigidBody& body = model_.rigid[b];
    rigid_matrix_[b].setZero();
    if (!body.moves_freely()) continue;
    const Mat3 rotation = at.rigid[b].q.toRotationMatrix();
    rigid_matrix_[b].topLeftCorner<3, 3>().diagonal().setConstant(body.mass_kg);
    rigid_matrix_[b].bottomRightCorner<3, 3>() = rotation * body.inertia_kg_m2 * rotation.transpose();
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
  for (const CarriedSample& sample : carried_)
    for (std::size_t c = sample.begin; c < sample.end; ++c)
      add_block(sample.stiffness, carriers_[c].weight, carriers_[c].particle);
  for_all_planes([&](std::size_t s, solve::Spans spans, std::size_t k) {
    add_ligament_diagonal(s, k);
    solve::invert_blocks(mass_.data(), straight_, mixed_, spans);
  });
  invert_rigid_blocks();
  for (std::size_t s = 0; s < soft_.size(); ++s) invert_whole(s, at);
  for (std::size_t s = 0; s < soft_.size(); ++s) place_coarse_grids(s, at);
}

void ImplicitSystem::place_coarse_grids(std::size_t s, const State& at) {
  if (!soft_[s].coarse) return;
  const SoftBody& body = model_.soft[s];
  CoarseGrids& coarse = *soft_[s].coarse;
  coarse.place(at);
  const auto rest = [&](std::size_t particle) {
    return body.rest_position(static_cast<int>(particle) - body.first_particle);
  };
  for (std::size_t p = 0; p < held_.size(); ++p)
    if (model_.pairs[p].sampled_is_soft && model_.pairs[p].sampled == static_cast<int>(s))
      for (const HeldSample& h : held_[p].samples) {
        Vec3 place = rest(h.particle);
        for (std::size_t a = 0; a < kCorners; ++a)
          for (int c = 0; c < 3; ++c)
            if (((a >> c) & 1U) != 0U) place[c] += body.spacing_m() * static_cast<double>(h.weight[a]);
        coarse.add_contact(place, h.stiffness);
      }
  const auto first = static_cast<std::size_t>(body.first_particle),
             end = first + static_cast<std::size_t>(body.node_count());
  for (const CarriedSample& sample : carried_) {
    Vec3 place = Vec3::Zero();
    double sum = 0.0;
    for (std::size_t c = sample.begin; c < sample.end; ++c)
      if (carriers_[c].particle >= first && carriers_[c].particle < end) {
        const double weight = std::abs(static_cast<double>(carriers_[c].weight));
        place += weight * rest(carriers_[c].particle), sum += weight;
      }
    if (sum > 0.0) coarse.add_contact(place / sum, sample.stiffness);
  }
  coarse.finish();
}

void ImplicitSystem::linearise_soft(const State& at, const Workspace& ws, const TangentWeights& weights) {
  const auto for_shares = [&](const auto& work) {
    team_.run([&](int t) {
      for (Soft& soft : soft_)
        work(soft, t, soft.first_plane[static_cast<std::size_t>(t)], soft.first_plane[static_cast<std::size_t>(t) + 1]);
    });
  };
  for (std::size_t s = 0; s < soft_.size(); ++s)
    if (soft_[s].tet) soft_[s].tet->set_weights(weights, ws.soft[s]);
  if (has_tets_)
    for_shares([&](Soft& soft, int, int first, int last) {
      if (soft.tet) soft.tet->take(first, last, place_);
    });
  for_shares([&](Soft& soft, int thread, int first, int last) {
    if (soft.tet) {
      soft.tet->linearise(first, last);
    } else if (soft.paper2) {
      const auto s = static_cast<std::size_t>(&soft - soft_.data());
      const bool sets = !at.spring_rest_m.empty() && !at.spring_rest_m[s].empty();
      soft.paper2->linearise(first, last, place_, weights,
                             {sets ? at.spring_rest_m[s].data() : nullptr,
                              ws.soft[s].node_factor.empty() ? nullptr : ws.soft[s].node_factor.data()});
      soft.paper2->find_diagonal(first, last, straight_, mixed_);
    } else {
      soft.lattice->linearise(thread, first, last, place_, weights, straight_, mixed_);
    }
  });
  if (has_tets_)
    for_shares([&](Soft& soft, int, int first, int last) {
      if (soft.tet) soft.tet->find_diagonal(first, last, straight_, mixed_);
    });
}

// Splits an iteration among threads by what a plane of nodes costs: its cells, particles, ligaments and held samples.
void ImplicitSystem::share_planes(std::size_t s) {
  constexpr double kTile_ns = 90.0, kNode_ns = 1.5, kLigaments_ns = 25.0, kSample_ns = 25.0;  // measured
  const LigamentMatrix& matrix = model_.soft[s].ligament_matrix;
  std::vector<double>& cost = soft_[s].plane_cost;
  std::fill(cost.begin(), cost.end(), kNode_ns * model_.soft[s].plane_size());
  for (std::size_t k = 0; k + 1 < matrix.plane_begin.size(); ++k)
    cost[static_cast<std::size_t>(matrix.first[2]) + k] +=
        kLigaments_ns * (matrix.plane_begin[k + 1] - matrix.plane_begin[k]);
  const auto add_to_both = [&](std::size_t k, double cells) { cost[k] += 0.5 * cells, cost[k + 1] += 0.5 * cells; };
  if (!soft_[s].lattice) return split_evenly(cost, team_.size(), soft_[s].first_plane);
  for (std::size_t k = 0; k + 1 < cost.size(); ++k) add_to_both(k, kTile_ns * soft_[s].lattice->tiles(k));
  for (std::size_t p = 0; p < held_.size(); ++p)
    if (model_.pairs[p].sampled_is_soft && model_.pairs[p].sampled == static_cast<int>(s))
      for (std::size_t k = 0; k + 1 < cost.size(); ++k)
        add_to_both(k, kSample_ns * (held_[p].plane_begin[k + 1] - held_[p].plane_begin[k]));
  split_evenly(cost, team_.size(), soft_[s].first_plane);
}

// Depends on the step alone: s K + d C, and the rod's block in the rod's own frame, J_i^T w_ij J_j summed by moments.
void ImplicitSystem::weigh_ligaments(std::size_t s) {
  const SoftBody& body = model_.soft[s];
  if (body.rod < 0) return;
  const LigamentMatrix& matrix = body.ligament_matrix;
  Soft& soft = soft_[s];
  const BoxField arms =
      rest_arms(matrix, model_.rigid[static_cast<std::size_t>(body.rod)].centre_of_mass_m, Mat3::Identity());
  double sum = 0.0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (std::size_t k = 0; k + 1 < matrix.plane_begin.size(); ++k)
    for (auto t = static_cast<std::size_t>(matrix.plane_begin[k]);
         t < static_cast<std::size_t>(matrix.plane_begin[k + 1]); ++t) {
      const Vec3 tile =
          arms.row_start(matrix.tiles[t].row, static_cast<int>(k)) + matrix.tiles[t].column * arms.along.col(0);
      for (auto e = static_cast<std::size_t>(matrix.begin[t]); e < static_cast<std::size_t>(matrix.begin[t + 1]); ++e) {
        const LigamentNeighbour& n = matrix.neighbour[e];
        const Vec3 to_neighbour = arms.along * Vec3(n.x, n.y, n.z);
        for (std::size_t lane = 0; lane < kLigamentLanes; ++lane) {
          const std::size_t at = e * kLigamentLanes + lane;
          const double w = weights_.stiffness * static_cast<double>(matrix.stiffness[at]) +
                           weights_.damping * static_cast<double>(matrix.damping[at]);
          soft.ligament_weight[at] = static_cast<float>(w);
          const Vec3 arm = tile + static_cast<double>(lane) * arms.along.col(0);
          sum += w;
          first += w * (arm + to_neighbour);
          second += w * arm * (arm + to_neighbour).transpose();
        }
      }
    }
  soft.ligament_block << sum * Mat3::Identity(), -cross_matrix(first), cross_matrix(first),
      second.trace() * Mat3::Identity() - 0.5 * (second + second.transpose());
}

void ImplicitSystem::place_ligaments(std::size_t s, const State& at) {
  const SoftBody& body = model_.soft[s];
  if (body.rod < 0) return;
  const auto rod = static_cast<std::size_t>(body.rod);
  const Mat3 rotation = at.rigid[rod].q.toRotationMatrix();
  soft_[s].ligament_arms = rest_arms(body.ligament_matrix, model_.rigid[rod].centre_of_mass_m, rotation);
  if (is_free(body.rod)) rigid_inverse_[rod] += turned(soft_[s].ligament_block, rotation);
}

// What ligaments add to the blocks of the particles of a plane.
void ImplicitSystem::add_ligament_diagonal(std::size_t s, std::size_t plane) {
  const LigamentMatrix& matrix = model_.soft[s].ligament_matrix;
  const int k = static_cast<int>(plane) - matrix.first[2];
  if (k < 0 || k >= matrix.count[2]) return;
  for (auto t = static_cast<std::size_t>(matrix.plane_begin[static_cast<std::size_t>(k)]);
       t < static_cast<std::size_t>(matrix.plane_begin[static_cast<std::size_t>(k) + 1]); ++t) {
    const LigamentTile& tile = matrix.tiles[t];
    const auto p = static_cast<std::size_t>(model_.soft[s].first_particle + matrix.node(tile.column, tile.row, k));
    for (auto e = static_cast<std::size_t>(matrix.begin[t]); e < static_cast<std::size_t>(matrix.begin[t + 1]); ++e) {
      if (matrix.neighbour[e].x != 0 || matrix.neighbour[e].y != 0 || matrix.neighbour[e].z != 0) continue;
      for (std::size_t lane = 0; lane < static_cast<std::size_t>(tile.nodes); ++lane)
        for (auto& component : straight_.component)
          component[p + lane] += soft_[s].ligament_weight[e * kLigamentLanes + lane];
    }
  }
}

void ImplicitSystem::invert_rigid_blocks() {
  for (const CarriedSample& sample : carried_)
    if (is_free(sample.partner_rigid))
      add_spring(sample.stiffness.cast<double>(), sample.arm, sample.arm,
                 rigid_inverse_[static_cast<std::size_t>(sample.partner_rigid)]);
  for (std::size_t p = 0; p < held_.size(); ++p)
    if (model_.pairs[p].sampled_is_soft && is_free(model_.pairs[p].partner))
      for (const HeldSample& h : held_[p].samples)
        add_spring(h.stiffness.cast<double>(), h.arm.cast<double>(), h.arm.cast<double>(),
                   rigid_inverse_[static_cast<std::size_t>(model_.pairs[p].partner)]);
  for (const RigidSpring& spring : rigid_springs_) {
    if (is_free(spring.a))
      add_spring(spring.stiffness, spring.arm_a, spring.arm_a, rigid_inverse_[static_cast<std::size_t>(spring.a)]);
    if (is_free(spring.b))
      add_spring(spring.stiffness, spring.arm_b, spring.arm_b, rigid_inverse_[static_cast<std::size_t>(spring.b)]);
  }
  for (std::size_t b = 0; b < model_.rigid.size(); ++b) {
    if (!is_free(static_cast<int>(b))) continue;
    if (model_.rigid[b].mount == Mount::guided) {
      Six along = Six::Zero();
      along.head<3>() = model_.rigid[b].guide_axis;
      rigid_inverse_[b] = (along * along.transpose() / along.dot(rigid_inverse_[b] * along)).eval();
    } else {
      rigid_inverse_[b] = rigid_inverse_[b].inverse().eval();
    }
  }
}

// Inertia of the particles of a soft body that move as one rigid thing about a centre, along world axes.
Six2 ImplicitSystem::tip_inertia(std::size_t s, const State& at, const Vec3& centre) const {
  const SoftBody& body = model_.soft[s];
  double mass = 0.0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (std::size_t n = 0; n < body.mass_kg().size(); ++n) {
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

// The finger as a whole, about as heavy as at rest, held by its contacts.
void ImplicitSystem::invert_whole(std::size_t s, const State& at) {
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
      for (const HeldSample& h : held_[p].samples) {
        const Vec3 arm = h.arm.cast<double>() + shift;
        add_spring(h.stiffness.cast<double>(), arm, arm, inertia);
      }
    }
  for (const CarriedSample& sample : carried_)
    if (sample.sampled == static_cast<int>(s) || sample.partner_soft == static_cast<int>(s))
      add_spring(sample.stiffness.cast<double>(), sample.point - soft.centre, sample.point - soft.centre, inertia);
  soft.inverse_inertia = inertia.inverse();
}

}  // namespace distal
