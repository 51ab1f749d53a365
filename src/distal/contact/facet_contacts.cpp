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

double area_of(const std::array<Vec3, 3>& c) { return 0.5 * (c[1] - c[0]).cross(c[2] - c[0]).norm(); }

// Where a facet is deepest; returns its area if it is in the partner there.
double find_depth(const SoftBody& body, const PartnerFrame& partner, const State& state, Contact& contact) {
  const std::array<Vec3, 3> corners = corners_of(body, contact.sample, state.x);
  std::array<Vec3, 3> local;
  for (std::size_t a = 0; a < 3; ++a) local[a] = partner.pose.to_local(corners[a]);
  const FacetPoint point = find_facet_point(partner.shape, local);
  contact.weight = point.weight;
  contact.point = partner.pose.to_world(point.place);
  const Distance d = partner.distance(contact.point);
  contact.depth_m = -d.value;
  contact.normal = d.normal;
  return contact.depth_m > 0.0 ? area_of(corners) : 0.0;
}

}  // namespace

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
  double touching_area = 0.0;
  for (Contact& contact : work.near) touching_area += find_depth(body, partner, state, contact);
  for (Contact& contact : work.near) {
    const auto s = static_cast<std::size_t>(contact.sample);
    const std::array<Vec3, 3> v = corners_of(body, contact.sample, state.v);
    const Vec3 velocity = contact.weight[0] * v[0] + contact.weight[1] * v[1] + contact.weight[2] * v[2];
    ContactInput in{contact.depth_m,
                    contact.normal,
                    contact.point,
                    velocity - partner.velocity_at(contact.point),
                    memory.touch[s],
                    Vec3::Zero(),
                    static_cast<double>(memory.stretch_m[s]),
                    false,
                    static_cast<double>(memory.weakened[s]),
                    contact.let_go};
    if (in.touch != Touch::none) in.anchor = partner.pose.to_world(memory.anchor_m[s]);
    const double share = pair.law.facet.per_facet || touching_area == 0.0
                             ? 1.0
                             : area_of(corners_of(body, contact.sample, state.x)) / touching_area;
    apply_facet_law(pair.law, stiffness, share, static_cast<double>(memory.approach_m_s[s]), in, contact);
    if (contact.touch == Touch::none) continue;
    contact.anchor_m = partner.pose.to_local(contact.anchor_m);
    for (std::size_t a = 0; a < 3; ++a)
      ws.force.add(vertex_of(body, contact.sample, a), contact.weight[a] * contact.force);
    work.on_partner -= Wrench{contact.force, (contact.point - partner.centre).cross(contact.force)};
    work.on_sampled += Wrench{contact.force, contact.point.cross(contact.force)};
    work.energy_j += contact.energy_j;
    work.dissipation_w += contact.damping_w;
  }
}

}  // namespace distal
