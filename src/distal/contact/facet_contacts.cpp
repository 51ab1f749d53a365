#include "distal/contact/facet_contacts.hpp"

#include "distal/contact/facet_law.hpp"
#include "distal/contact/partner_frame.hpp"

namespace distal {
namespace {

const SoftBody& sampled_body(const Model& model, const ContactPair& pair) {
  return model.soft[static_cast<std::size_t>(pair.sampled)];
}

std::size_t vertex_of(const SoftBody& body, std::int32_t facet, std::size_t a) {
  return static_cast<std::size_t>(body.first_particle + body.tet->facets[static_cast<std::size_t>(facet)][a]);
}

std::array<Vec3, 3> corners_of(const SoftBody& body, std::int32_t facet, const Vec3Array& values) {
  return {values.get(vertex_of(body, facet, 0)), values.get(vertex_of(body, facet, 1)),
          values.get(vertex_of(body, facet, 2))};
}

// Where a facet is deepest, and what it bears at rest, which is left in the contact.
void find_load(const SoftBody& body, const PartnerFrame& partner, const FacetContactDescription& law, double stiffness,
               const State& state, Contact& contact) {
  std::array<Vec3, 3> local = corners_of(body, contact.sample, state.x);
  for (Vec3& corner : local) corner = partner.pose.to_local(corner);
  const FacetPoint point = find_facet_point(partner.shape, local);
  const Distance d = signed_distance(partner.shape, point.place);
  contact.weight = point.weight;
  contact.point = partner.pose.to_world(point.place);
  contact.depth_m = -d.value;
  contact.normal_force_n = contact.stiffness_n_m = contact.energy_j = 0.0;
  if (d.value >= 0.0) return;
  const FacetLoad load = law.per_facet ? find_printed_load(law, stiffness, contact.depth_m)
                                       : find_pressure_load(law, stiffness, partner.shape, local, point.place);
  contact.normal = partner.pose.rotation * (law.per_facet ? d.normal : load.normal);
  contact.normal_force_n = load.force_n;
  contact.stiffness_n_m = load.stiffness_n_m;
  contact.energy_j = load.energy_j;
}

}  // namespace

// The deepest point wanders over a facet that leans, which a stick spring would feel as sliding: by area the facet is
// held at its middle, as printed at its deepest point.
std::array<double, 3> grip_of(const FacetContactDescription& law, const Contact& contact) {
  if (law.per_facet) return contact.weight;
  return {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0};
}

void list_near_facets(const Model& model, std::size_t p, const State& state, Workspace& ws) {
  const ContactPair& pair = model.pairs[p];
  const SoftBody& body = sampled_body(model, pair);
  const PartnerFrame partner(model, pair, state);
  for (std::int32_t f = 0; f < static_cast<std::int32_t>(body.tet->facets.size()); ++f) {
    const std::array<Vec3, 3> c = corners_of(body, f, state.x);
    const Vec3 middle = (c[0] + c[1] + c[2]) / 3.0;
    const double reach = std::max({(c[0] - middle).norm(), (c[1] - middle).norm(), (c[2] - middle).norm()});
    if (state.pairs[p].touch[static_cast<std::size_t>(f)] == Touch::none &&
        partner.distance(middle).value > reach + ws.near_margin_m)
      continue;
    Contact contact;
    contact.sample = contact.facet = f;
    ws.pairs[p].near.push_back(contact);
  }
}

void add_facet_forces(const Model& model, std::size_t p, const State& state, Workspace& ws) {
  const ContactPair& pair = model.pairs[p];
  const SoftBody& body = sampled_body(model, pair);
  const PartnerFrame partner(model, pair, state);
  const PairState& memory = state.pairs[p];
  PairWorkspace& work = ws.pairs[p];
  const double stiffness = hunt_crossley_stiffness(pair.law.facet, body.moduli(), partner.shape);
  double whole = 0.0;
  for (Contact& contact : work.near) {
    find_load(body, partner, pair.law.facet, stiffness, state, contact);
    whole += contact.normal_force_n;
  }
  for (Contact& contact : work.near) {
    const auto s = static_cast<std::size_t>(contact.sample);
    const std::array<Vec3, 3> v = corners_of(body, contact.sample, state.v);
    const Vec3 velocity = contact.weight[0] * v[0] + contact.weight[1] * v[1] + contact.weight[2] * v[2];
    const std::array<double, 3> grip = grip_of(pair.law.facet, contact);
    const std::array<Vec3, 3> x = corners_of(body, contact.sample, state.x);
    const Vec3 grip_point = grip[0] * x[0] + grip[1] * x[1] + grip[2] * x[2],
               grip_velocity = grip[0] * v[0] + grip[1] * v[1] + grip[2] * v[2];
    ContactInput in{contact.depth_m,
                    contact.normal,
                    contact.point,
                    velocity - partner.velocity_at(contact.point),
                    memory.touch[s],
                    Vec3::Zero(),
                    static_cast<double>(memory.stretch_m[s]),
                    model.integrator.kind == IntegratorKind::implicit_euler,
                    static_cast<double>(memory.weakened[s]),
                    contact.let_go};
    if (in.touch != Touch::none) in.anchor = partner.pose.to_world(memory.anchor_m[s]);
    const FacetLoad load{contact.normal_force_n, contact.stiffness_n_m, contact.energy_j};
    const double share = pair.law.facet.per_facet || whole == 0.0 ? 1.0 : load.force_n / whole;
    apply_facet_law(pair.law, load, share, static_cast<double>(memory.approach_m_s[s]),
                    {grip_point, grip_velocity - partner.velocity_at(grip_point)}, in, contact);
    if (contact.touch == Touch::none) continue;
    contact.anchor_m = partner.pose.to_local(contact.anchor_m);
    const Vec3 push = contact.normal_force_n * contact.normal, friction = contact.force - push;
    for (std::size_t a = 0; a < 3; ++a)
      ws.force.add(vertex_of(body, contact.sample, a), contact.weight[a] * push + grip[a] * friction);
    const auto on = [&](const Vec3& centre) {
      return Wrench{contact.force, (contact.point - centre).cross(push) + (grip_point - centre).cross(friction)};
    };
    work.on_partner -= on(partner.centre);
    work.on_sampled += on(Vec3::Zero());
    work.energy_j += contact.energy_j;
    work.dissipation_w += contact.damping_w;
  }
}

}  // namespace distal
