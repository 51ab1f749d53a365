// What contacts are in the implicit system: samples and rigid springs with their stiffness, gathered at a state, and
// their part of products and of the preconditioner's blocks.
#include <algorithm>

#include "distal/contact/facet_contacts.hpp"
#include "distal/contact/penalty_law.hpp"
#include "distal/contact/soft_contacts.hpp"
#include "distal/integrator/implicit_system.hpp"
#include "distal/integrator/six.hpp"
#include "distal/state/embedding.hpp"

namespace distal {

void ImplicitSystem::gather_contacts(const State& at, const Workspace& ws) {
  rigid_springs_.clear();
  carried_.clear();
  carriers_.clear();
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
    if (body.tet) {
      gather_carried(p, centre, at, ws);
      continue;
    }
    const double shear_share = body.moduli().shear_pa / body.moduli().youngs_pa;
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
            (weights_.stiffness * contact_stiffness(pair.law, {stiffness, shear_share * stiffness, 0.0}, contact))
                .cast<float>(),
            (contact.point - centre).cast<float>()};
        const auto weight = body.skin.weights(static_cast<std::size_t>(contact.sample));
        for (std::size_t a = 0; a < kCorners; ++a) sample.weight[a] = static_cast<float>(weight[a]);
        held.samples.push_back(sample);
      }
    }
    held.plane_begin.back() = static_cast<std::int32_t>(held.samples.size());
  }
  for (std::size_t p = 0; p < model_.soft_pairs.size(); ++p) gather_soft_pair(p, ws);
}

void ImplicitSystem::gather_carried(std::size_t p, const Vec3& centre, const State& at, const Workspace& ws) {
  const ContactPair& pair = model_.pairs[p];
  const SoftBody& body = model_.soft[static_cast<std::size_t>(pair.sampled)];
  const double shear_share = body.moduli().shear_pa / body.moduli().youngs_pa;
  const auto add = [&](std::size_t begin, const Mat3& matrix, const Vec3& point) {
    carried_.push_back(
        {begin, carriers_.size(), pair.sampled, -1, pair.partner, matrix.cast<float>(), point, point - centre});
  };
  for (const Contact& contact : ws.pairs[p].near) {
    if (contact.touch == Touch::none) continue;
    const auto s = static_cast<std::size_t>(contact.sample);
    if (!pair.by_facets()) {
      const std::size_t begin = carriers_.size();
      visit_carriers(body, s, [&](std::size_t particle, double weight) {
        carriers_.push_back({particle, static_cast<float>(weight)});
      });
      const double stiffness = body.sample_stiffness_n_m(pair.law.stiffness_factor, s);
      add(begin, weights_.stiffness * contact_stiffness(pair.law, {stiffness, shear_share * stiffness, 0.0}, contact),
          contact.point);
      continue;
    }
    // A facet is pushed at one point and held at another.
    const auto add_at = [&](const std::array<double, 3>& weight, const Mat3& matrix) {
      const std::size_t begin = carriers_.size();
      Vec3 point = Vec3::Zero();
      for (std::size_t a = 0; a < 3; ++a) {
        const auto particle = static_cast<std::size_t>(body.first_particle + body.tet->facets[s][a]);
        carriers_.push_back({particle, static_cast<float>(weight[a])});
        point += weight[a] * at.x.get(particle);
      }
      add(begin, matrix, point);
    };
    const Mat3 along = contact.normal * contact.normal.transpose();
    add_at(contact.weight,
           (weights_.stiffness * contact.stiffness_n_m + weights_.damping * contact.damping_n_s_m) * along);
    add_at(grip_of(pair.law.facet, contact),
           weights_.stiffness * contact_stiffness(pair.law, {0.0, contact.tangential_n_m, 0.0}, contact) +
               weights_.damping * contact.tangential_n_s_m * (Mat3::Identity() - along));
  }
}

void ImplicitSystem::gather_soft_pair(std::size_t p, const Workspace& ws) {
  const SoftPair& pair = model_.soft_pairs[p];
  const SoftBody &body = model_.soft[static_cast<std::size_t>(pair.sampled)],
                 &other = model_.soft[static_cast<std::size_t>(pair.partner)];
  const double shear_share = body.moduli().shear_pa / body.moduli().youngs_pa;
  for (const Contact& contact : ws.soft_pairs[p].near) {
    if (contact.touch == Touch::none) continue;
    const auto s = static_cast<std::size_t>(contact.sample);
    const std::size_t begin = carriers_.size();
    visit_carriers(body, s, [&](std::size_t particle, double weight) {
      carriers_.push_back({particle, static_cast<float>(weight)});
    });
    const auto& triangle = other.skin_triangles[static_cast<std::size_t>(contact.facet)];
    for (std::size_t a = 0; a < 3; ++a)
      visit_carriers(other, static_cast<std::size_t>(triangle[a]), [&](std::size_t particle, double weight) {
        carriers_.push_back({particle, static_cast<float>(-contact.weight[a] * weight)});
      });
    const double stiffness = soft_pair_stiffness(body, other, pair.law.stiffness_factor, s);
    const Mat3 matrix =
        weights_.stiffness * contact_stiffness(pair.law, {stiffness, shear_share * stiffness, 0.0}, contact);
    carried_.push_back(
        {begin, carriers_.size(), pair.sampled, pair.partner, -1, matrix.cast<float>(), contact.point, Vec3::Zero()});
  }
}

// The blocks of the particles that carry held samples; those of partners and rigid pairs follow in
// invert_rigid_blocks().
void ImplicitSystem::add_contact_blocks(const SoftBody& body, const Held& held) {
  if (held.samples.empty()) return;
  const std::array<std::size_t, kCorners> offset = corner_offsets(body);
  for (const HeldSample& h : held.samples)
    for (std::size_t a = 0; a < kCorners; ++a) add_block(h.stiffness, h.weight[a], h.particle + offset[a]);
}

void ImplicitSystem::add_block(const Eigen::Matrix3f& stiffness, float weight, std::size_t particle) {
  const float w = weight * weight;
  for (std::size_t c = 0; c < 3; ++c)
    straight_.component[c][particle] += w * stiffness(static_cast<Eigen::Index>(c), static_cast<Eigen::Index>(c));
  mixed_.component[0][particle] += w * stiffness(0, 1);
  mixed_.component[1][particle] += w * stiffness(0, 2);
  mixed_.component[2][particle] += w * stiffness(1, 2);
}

// What held samples pull with when particles and partner move. Cells give their upper nodes first to the plane above.
void ImplicitSystem::pull_contacts(const ContactPair& pair, Held& held, int thread) {
  const auto s = static_cast<std::size_t>(pair.sampled), t = static_cast<std::size_t>(thread);
  const int first = soft_[s].first_plane[t], last = soft_[s].first_plane[t + 1];
  const Six& partner = rigid_p_[static_cast<std::size_t>(pair.partner)];
  const Eigen::Vector3f velocity = partner.head<3>().cast<float>(), angular = partner.tail<3>().cast<float>();
  const std::array<std::size_t, kCorners> offset = corner_offsets(model_.soft[s]);
  for (int k = std::max(first - 1, 0); k < std::min(last, model_.soft[s].lattice.grid.cell_planes()); ++k) {
    if (first == last) break;
    const std::size_t begin = k < first ? 4 : 0, end = k + 1 < last ? kCorners : 4;  // corners that are ours
    Eigen::Vector3f force = Eigen::Vector3f::Zero(), torque = Eigen::Vector3f::Zero();
    std::array<double, 2> dot{};  // on the lower and the upper nodes
    const auto plane = static_cast<std::size_t>(k);
    for (std::int32_t n = held.plane_begin[plane]; n < held.plane_begin[plane + 1]; ++n) {
      const HeldSample& h = held.samples[static_cast<std::size_t>(n)];
      std::array<Eigen::Vector3f, 2> carried{Eigen::Vector3f::Zero(), Eigen::Vector3f::Zero()};
      for (int c = 0; c < 3; ++c)
        for (std::size_t a = 0; a < kCorners; ++a)
          carried[a / 4][c] += h.weight[a] * p_.data(c)[h.particle + offset[a]];
      const Eigen::Vector3f pull = h.stiffness * (carried[0] + carried[1] - velocity - angular.cross(h.arm));
      for (int c = 0; c < 3; ++c)
        for (std::size_t a = begin; a < end; ++a) q_.data(c)[h.particle + offset[a]] += h.weight[a] * pull[c];
      for (std::size_t half = 0; half < 2; ++half) dot[half] += static_cast<double>(pull.dot(carried[half]));
      force -= pull;
      torque -= h.arm.cross(pull);
    }
    for (std::size_t half = begin / 4; half < end / 4; ++half) soft_[s].plane_dot[plane + half] += dot[half];
    if (k >= first) held.plane_on_partner[plane] << force.cast<double>(), torque.cast<double>();
  }
}

// Samples on facets are few and share vertices: in order, by one thread. Returns their part of p.q on the particles.
double ImplicitSystem::pull_carried() {
  double sum = 0.0;
  for (const CarriedSample& sample : carried_) {
    Eigen::Vector3f moved = Eigen::Vector3f::Zero();
    for (std::size_t c = sample.begin; c < sample.end; ++c)
      for (int axis = 0; axis < 3; ++axis) moved[axis] += carriers_[c].weight * p_.data(axis)[carriers_[c].particle];
    Eigen::Vector3f against = moved;
    if (sample.partner_rigid >= 0)
      against -= velocity_at(rigid_p_[static_cast<std::size_t>(sample.partner_rigid)], sample.arm).cast<float>();
    const Eigen::Vector3f pull = sample.stiffness * against;
    for (std::size_t c = sample.begin; c < sample.end; ++c)
      for (int axis = 0; axis < 3; ++axis) q_.data(axis)[carriers_[c].particle] += carriers_[c].weight * pull[axis];
    if (sample.partner_rigid >= 0)
      add_force(-pull.cast<double>(), sample.arm, rigid_q_[static_cast<std::size_t>(sample.partner_rigid)]);
    sum += static_cast<double>(moved.dot(pull));
  }
  return sum;
}

}  // namespace distal
