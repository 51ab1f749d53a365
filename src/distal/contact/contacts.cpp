#include "distal/contact/contacts.hpp"

#include <algorithm>

#include "distal/contact/facet_contacts.hpp"
#include "distal/contact/partner_frame.hpp"
#include "distal/contact/penalty_law.hpp"
#include "distal/contact/soft_contacts.hpp"
#include "distal/state/embedding.hpp"

namespace distal {
namespace {

const SoftBody& soft_of(const Model& model, const ContactPair& pair) {
  return model.soft[static_cast<std::size_t>(pair.sampled)];
}
const RigidBody& rigid_of(const Model& model, const ContactPair& pair) {
  return model.rigid[static_cast<std::size_t>(pair.sampled)];
}

// One sample against its partner; the anchor of the result is in the partner's frame.
void evaluate(const Model& model, const ContactPair& pair, const PartnerFrame& partner, const PairState& memory,
              const PenaltySpring& spring, const Vec3& point, double radius, const Vec3& velocity, Contact& contact) {
  const auto s = static_cast<std::size_t>(contact.sample);
  const Distance d = partner.distance(point);
  ContactInput in{radius - d.value,
                  d.normal,
                  point - radius * d.normal,
                  Vec3::Zero(),
                  memory.touch[s],
                  Vec3::Zero(),
                  static_cast<double>(memory.stretch_m[s]),
                  model.integrator.kind == IntegratorKind::implicit_euler,
                  static_cast<double>(memory.weakened[s]),
                  contact.let_go};
  if (in.touch != Touch::none) in.anchor = partner.pose.to_world(memory.anchor_m[s]);
  if (spring.damping_n_s_m > 0.0) in.relative_velocity = velocity - partner.velocity_at(in.point);
  apply_contact_law(pair.law, spring, in, contact);
  if (contact.touch != Touch::none) contact.anchor_m = partner.pose.to_local(contact.anchor_m);
}

void add_soft_pair(const Model& model, std::size_t p, const State& state, Workspace& ws) {
  const ContactPair& pair = model.pairs[p];
  const SoftBody& body = soft_of(model, pair);
  PairWorkspace& work = ws.pairs[p];
  const PartnerFrame partner(model, pair, state);
  const double shear_share = body.moduli().shear_pa / body.moduli().youngs_pa;
  const CellCorners corners(body);
  const int samples = static_cast<int>(work.near.size());
  ws.team->run([&](int t) {
    for (int n = ThreadTeam::share_begin(samples, t, ws.team->size());
         n < ThreadTeam::share_begin(samples, t + 1, ws.team->size()); ++n) {
      Contact& contact = work.near[static_cast<std::size_t>(n)];
      const auto s = static_cast<std::size_t>(contact.sample);
      const double stiffness = body.sample_stiffness_n_m(pair.law.stiffness_factor, s);
      const PenaltySpring spring{stiffness, shear_share * stiffness, 0.0};
      evaluate(model, pair, partner, state.pairs[p], spring, corners.interpolate(body.skin, s, state.x), 0.0,
               Vec3::Zero(), contact);
    }
  });
  // Samples share nodes: what touches, which is little, is added in order.
  for (const Contact& contact : work.near) {
    if (contact.touch == Touch::none) continue;
    corners.add(body.skin, static_cast<std::size_t>(contact.sample), contact.force, ws.force);
    work.on_partner -= Wrench{contact.force, (contact.point - partner.centre).cross(contact.force)};
    work.on_sampled += Wrench{contact.force, contact.point.cross(contact.force)};
    work.energy_j += contact.energy_j;
  }
}

void add_rigid_pair(const Model& model, std::size_t p, const State& state, Workspace& ws) {
  const ContactPair& pair = model.pairs[p];
  const RigidBody& body = rigid_of(model, pair);
  const RigidState& own = state.rigid[static_cast<std::size_t>(pair.sampled)];
  const PartnerFrame partner(model, pair, state);
  const Pose pose = body_pose(body, own);
  PairWorkspace& work = ws.pairs[p];
  const PenaltySpring spring{body.sample_stiffness_n_m, body.sample_stiffness_n_m, body.sample_damping_n_s_m};
  for (Contact& contact : work.near) {
    const auto sample = static_cast<std::size_t>(contact.sample);
    const Vec3 point = pose.to_world(body.samples_m[sample]);
    const double radius = body.sample_radii_m[sample];
    // The touching point of a sphere is on its surface, where its rotation counts too.
    const Distance d = partner.distance(point);
    const Vec3 arm = point - radius * d.normal - own.centre_of_mass;
    const Vec3 velocity = own.velocity + own.angular_velocity.cross(arm);
    evaluate(model, pair, partner, state.pairs[p], spring, point, radius, velocity, contact);
    if (contact.touch == Touch::none) continue;
    work.on_sampled += Wrench{contact.force, (contact.point - own.centre_of_mass).cross(contact.force)};
    work.on_partner -= Wrench{contact.force, (contact.point - partner.centre).cross(contact.force)};
    work.energy_j += contact.energy_j;
    work.dissipation_w += contact.damping_w;
  }
  ws.rigid_force[static_cast<std::size_t>(pair.sampled)] += work.on_sampled;
}

// Solved by the complementarity step, which leaves its contacts in the state.
void add_hard_pairs(const Model& model, const State& state, Workspace& ws) {
  for (std::size_t p = 0; p < model.pairs.size(); ++p)
    if (model.pairs[p].hard) ws.pairs[p].near.clear();
  for (const HardContact& hard : state.hard_contacts) {
    const ContactPair& pair = model.pairs[static_cast<std::size_t>(hard.pair)];
    PairWorkspace& work = ws.pairs[static_cast<std::size_t>(hard.pair)];
    const Vec3 force = hard.force(), moment = hard.friction.z() * hard.normal;
    const auto on = [&](int body, double sign) {
      const Vec3 arm = hard.point - state.rigid[static_cast<std::size_t>(body)].centre_of_mass;
      return Wrench{sign * force, sign * (arm.cross(force) + moment)};
    };
    work.on_partner += on(pair.partner, 1.0);
    work.on_sampled += on(pair.sampled, -1.0);
    if (hard.load_n <= 0.0) continue;
    Contact contact;
    contact.sample = static_cast<std::int32_t>(work.near.size());
    contact.point = hard.point;
    contact.depth_m = -hard.separation_m;
    contact.normal = -hard.normal;
    contact.force = -force;
    contact.normal_force_n = hard.load_n;
    contact.touch = hard.slides ? Touch::slides : Touch::sticks;
    work.near.push_back(contact);
  }
}

void list_near_samples(const Model& model, std::size_t p, const State& state, Workspace& ws) {
  const ContactPair& pair = model.pairs[p];
  PairWorkspace& work = ws.pairs[p];
  const PartnerFrame partner(model, pair, state);
  work.near.clear();
  work.near_plane_begin.clear();
  if (!pair.sampled_is_soft) {
    work.near.resize(rigid_of(model, pair).samples_m.size());
    for (std::size_t s = 0; s < work.near.size(); ++s) work.near[s].sample = static_cast<std::int32_t>(s);
    return;
  }
  if (pair.by_facets()) return list_near_facets(model, p, state, ws);
  const SoftBody& body = soft_of(model, pair);
  const CellCorners corners(body);
  const auto list = [&](std::int32_t begin, std::int32_t end) {
    for (std::int32_t s = begin; s < end; ++s) {
      const auto sample = static_cast<std::size_t>(s);
      if (state.pairs[p].touch[sample] == Touch::none &&
          partner.distance(corners.interpolate(body.skin, sample, state.x)).value > ws.near_margin_m)
        continue;
      Contact contact;
      contact.sample = s;
      work.near.push_back(contact);
    }
  };
  if (body.tet) return list(0, static_cast<std::int32_t>(body.skin.size()));
  for (std::size_t plane = 0; plane + 1 < body.skin.plane_begin.size(); ++plane) {
    work.near_plane_begin.push_back(static_cast<std::int32_t>(work.near.size()));
    list(body.skin.plane_begin[plane], body.skin.plane_begin[plane + 1]);
  }
  work.near_plane_begin.push_back(static_cast<std::int32_t>(work.near.size()));
}

}  // namespace

void find_contacts(const Model& model, const State& state, Workspace& ws) {
  if (ws.travel_left_m > 0.0) return;
  for (std::size_t p = 0; p < model.pairs.size(); ++p)
    if (!model.pairs[p].hard) list_near_samples(model, p, state, ws);
  for (std::size_t p = 0; p < model.soft_pairs.size(); ++p) list_near_soft(model, p, state, ws);
  ws.travel_left_m = ws.near_travel_m;
}

void note_travel(double distance_m, Workspace& ws) {
  ws.travel_left_m -= distance_m;
  ws.travelled_m += distance_m;
}

void add_contact_forces(const Model& model, const State& state, Workspace& ws) {
  const auto clear = [](PairWorkspace& work) {
    work.on_partner = work.on_sampled = Wrench{};
    work.energy_j = work.dissipation_w = 0.0;
  };
  for (PairWorkspace& pair : ws.pairs) clear(pair);
  add_hard_pairs(model, state, ws);
  for (std::size_t p = 0; p < model.pairs.size(); ++p) {
    if (model.pairs[p].hard)
      ws.rigid_force[static_cast<std::size_t>(model.pairs[p].sampled)] += ws.pairs[p].on_sampled;
    else if (model.pairs[p].by_facets())
      add_facet_forces(model, p, state, ws);
    else if (model.pairs[p].sampled_is_soft)
      add_soft_pair(model, p, state, ws);
    else
      add_rigid_pair(model, p, state, ws);
    ws.rigid_force[static_cast<std::size_t>(model.pairs[p].partner)] += ws.pairs[p].on_partner;
  }
  for (std::size_t p = 0; p < model.soft_pairs.size(); ++p) {
    clear(ws.soft_pairs[p]);
    add_soft_soft_forces(model, p, state, ws);
  }
}

namespace {

void commit_pair(const PairWorkspace& work, PairState& pair, EnergyLedger& energy) {
  for (const Contact& contact : work.near) {
    const auto s = static_cast<std::size_t>(contact.sample);
    energy.dissipated += contact.released_j;
    pair.touch[s] = contact.touch;
    pair.stretch_m[s] = static_cast<float>(contact.stretch_m);
    pair.weakened[s] = static_cast<float>(contact.weakened);
    if (contact.touch == Touch::none) continue;
    pair.anchor_m[s] = contact.anchor_m;
    if (!pair.approach_m_s.empty()) pair.approach_m_s[s] = static_cast<float>(contact.approach_m_s);
  }
}

}  // namespace

void commit_contacts(const Model& model, const Workspace& ws, State& state) {
  for (std::size_t p = 0; p < model.pairs.size(); ++p)
    if (!model.pairs[p].hard) commit_pair(ws.pairs[p], state.pairs[p], state.energy);
  for (std::size_t p = 0; p < model.soft_pairs.size(); ++p)
    commit_pair(ws.soft_pairs[p], state.soft_pairs[p], state.energy);
}

}  // namespace distal
