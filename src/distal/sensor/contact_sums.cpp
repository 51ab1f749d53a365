#include "distal/sensor/contact_sums.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "distal/state/embedding.hpp"

namespace distal {
namespace {

constexpr char kHovers = 1, kTouches = 2;  // values of SkinView::covered

double curvature_of(const Shape& shape) {
  const auto* sphere = std::get_if<SphereShape>(&shape);
  return sphere == nullptr ? 0.0 : 1.0 / sphere->radius_m;
}

bool touches(const std::vector<Contact>& near) {
  return std::any_of(near.begin(), near.end(), [](const Contact& c) { return c.touch != Touch::none; });
}

void add_wrenches(const Model& model, const Workspace& ws, ContactSums& sums) {
  for (std::size_t p = 0; p < model.pairs.size(); ++p) {
    const ContactPair& pair = model.pairs[p];
    sums.rigid[static_cast<std::size_t>(pair.partner)].contact += ws.pairs[p].on_partner;
    auto& sampled = pair.sampled_is_soft ? sums.soft : sums.rigid;
    sampled[static_cast<std::size_t>(pair.sampled)].contact += ws.pairs[p].on_sampled;
  }
  for (std::size_t p = 0; p < model.soft_pairs.size(); ++p) {
    const SoftPair& pair = model.soft_pairs[p];
    sums.soft[static_cast<std::size_t>(pair.sampled)].contact += ws.soft_pairs[p].on_sampled;
    sums.soft[static_cast<std::size_t>(pair.partner)].contact += ws.soft_pairs[p].on_partner;
  }
}

void add_touch(TouchSums& sums, double load_n, const Vec3& place_m) {
  ++sums.patch.count;
  sums.load_n += load_n;
  sums.patch.centre_m += load_n * place_m;
}

// Patches alone have an area.
void add_hard_contacts(const Model& model, const State& state, ContactSums& sums) {
  for (const HardContact& c : state.hard_contacts) {
    if (c.load_n <= 0.0) continue;
    const ContactPair& pair = model.pairs[static_cast<std::size_t>(c.pair)];
    for (const int body : {pair.sampled, pair.partner}) {
      TouchSums& one = sums.rigid[static_cast<std::size_t>(body)];
      one.patch.area_m2 += c.area_m2();
      add_touch(one, c.load_n, c.point);
    }
  }
}

// Calls visit(sample, contact, covers) for what is near a body's samples, pair by pair.
template <typename Visit>
void visit_pair(const Model& model, const SoftBody& body, std::size_t p, const Workspace& ws, const Visit& visit) {
  const ContactPair& pair = model.pairs[p];
  const double cell = body.spacing_m(),
               partner = curvature_of(*model.rigid[static_cast<std::size_t>(pair.partner)].shape);
  for (const Contact& contact : ws.pairs[p].near) {
    const std::size_t s = nearest_sample(body, pair, contact);
    const double curvature = std::clamp(body.skin_curvature_per_m[s] + partner, 0.0, 0.5 / cell);
    visit(s, contact, contact.touch != Touch::none || contact.depth_m > -cell * cell * curvature / 8.0);
  }
}

template <typename Visit>
void visit_soft_pair(std::size_t p, const Workspace& ws, const Visit& visit) {
  for (const Contact& contact : ws.soft_pairs[p].near)
    visit(static_cast<std::size_t>(contact.sample), contact, contact.touch != Touch::none);
}

// Covered samples of a body, the loads on them, and their areas.
void look_at_skin(const Model& model, std::size_t s, const State& state, const Workspace& ws, ContactSums& sums) {
  const SoftBody& body = model.soft[s];
  SkinView& skin = sums.skin;
  skin.covered.assign(body.skin.size(), 0);
  skin.load_n.assign(body.skin.size(), 0.0);
  const auto look = [&](std::size_t sample, const Contact& contact, bool covers) {
    if (covers) skin.covered[sample] = std::max(skin.covered[sample], kHovers);
    if (contact.touch == Touch::none) return;
    skin.covered[sample] = kTouches;
    skin.load_n[sample] += contact.normal_force_n;
  };
  for (const std::size_t p : sums.pairs_of[s]) visit_pair(model, body, p, ws, look);
  for (const std::size_t p : sums.soft_pairs_of[s]) visit_soft_pair(p, ws, look);
  find_covered_areas(body, state, skin);
}

void add_own_patch(const SkinView& skin, TouchSums& sums) {
  for (std::size_t s = 0; s < skin.covered.size(); ++s) {
    if (!skin.covered[s]) continue;
    sums.patch.area_m2 += skin.areas[s];
    if (skin.covered[s] != kTouches) continue;
    add_touch(sums, skin.load_n[s], skin.positions[s]);
    sums.patch.peak_pressure_pa = std::max(sums.patch.peak_pressure_pa, skin.load_n[s] / skin.areas[s]);
  }
}

// Adds what covers a sample to the partner's patch. Facets share samples: those count once for a pair.
auto partner_adder(ContactSums& sums, std::size_t pair, TouchSums& partner) {
  return [&sums, pair, &partner](std::size_t sample, const Contact& contact, bool covers) {
    if (!covers) return;
    const SkinView& skin = sums.skin;
    if (sums.counted[sample] != pair) partner.patch.area_m2 += skin.areas[sample];
    sums.counted[sample] = pair;
    if (contact.touch == Touch::none) return;
    add_touch(partner, contact.normal_force_n, contact.point);
    if (skin.areas[sample] > 0.0)
      partner.patch.peak_pressure_pa =
          std::max(partner.patch.peak_pressure_pa, skin.load_n[sample] / skin.areas[sample]);
  };
}

// How deep the body's undeformed surface reaches into the partner.
double rest_depth_m(const Model& model, const SoftBody& body, std::size_t partner, const State& state,
                    ThreadTeam& team) {
  const PointMap to_partner(inverse(body_pose(model.rigid[partner], state.rigid[partner])) *
                            carrying_pose(model, body, state));
  return largest_piece(team, body.skin_rest_m.size(), [&](std::size_t begin, std::size_t end) {
    double most = 0.0;
    for (std::size_t s = begin; s < end; ++s)
      most =
          std::max(most, -signed_distance(*model.rigid[partner].shape, to_partner.to_world(body.skin_rest_m[s])).value);
    return most;
  });
}

void add_skin(const Model& model, std::size_t s, const State& state, const Workspace& ws, ContactSums& sums) {
  const SoftBody& body = model.soft[s];
  const bool tip = body.rod >= 0, held = tip || !body.fixed_nodes.empty();
  bool own = false, others = false;
  for (const std::size_t p : sums.pairs_of[s])
    if (touches(ws.pairs[p].near)) {
      own = true;
      others = others || sums.wanted[static_cast<std::size_t>(model.pairs[p].partner)];
    }
  for (const std::size_t p : sums.soft_pairs_of[s])
    if (touches(ws.soft_pairs[p].near)) {
      own = true;
      others = others || model.soft[static_cast<std::size_t>(model.soft_pairs[p].partner)].rod >= 0;
    }
  own = own && tip;
  if (!own && !others) return;
  look_at_skin(model, s, state, ws, sums);
  if (own) add_own_patch(sums.skin, sums.soft[s]);
  if (others) sums.counted.assign(body.skin.size(), static_cast<std::size_t>(-1));
  for (const std::size_t p : sums.pairs_of[s]) {
    const auto partner = static_cast<std::size_t>(model.pairs[p].partner);
    const bool wanted = sums.wanted[partner] && touches(ws.pairs[p].near);
    if (wanted) visit_pair(model, body, p, ws, partner_adder(sums, p, sums.rigid[partner]));
    if (!held || (!own && !wanted)) continue;
    const double depth = rest_depth_m(model, body, partner, state, *ws.team);
    if (own) sums.soft[s].depth_m = std::max(sums.soft[s].depth_m, depth);
    if (wanted) sums.rigid[partner].depth_m = std::max(sums.rigid[partner].depth_m, depth);
  }
  for (const std::size_t p : sums.soft_pairs_of[s]) {
    const auto partner = static_cast<std::size_t>(model.soft_pairs[p].partner);
    if (model.soft[partner].rod >= 0 && touches(ws.soft_pairs[p].near))
      visit_soft_pair(p, ws, partner_adder(sums, model.pairs.size() + p, sums.soft[partner]));
  }
}

}  // namespace

ContactSums::ContactSums(const Model& model)
    : rigid(model.rigid.size()),
      soft(model.soft.size()),
      pairs_of(model.soft.size()),
      soft_pairs_of(model.soft.size()),
      wanted(model.rigid.size()) {
  for (std::size_t p = 0; p < model.pairs.size(); ++p)
    if (model.pairs[p].sampled_is_soft) pairs_of[static_cast<std::size_t>(model.pairs[p].sampled)].push_back(p);
  for (std::size_t p = 0; p < model.soft_pairs.size(); ++p)
    soft_pairs_of[static_cast<std::size_t>(model.soft_pairs[p].sampled)].push_back(p);
  for (std::size_t b = 0; b < model.rigid.size(); ++b) wanted[b] = model.rigid[b].mount != Mount::fixed;
  for (const SoftBody& body : model.soft)
    if (body.rod >= 0) wanted[static_cast<std::size_t>(body.rod)] = 0;
}

void update_contact_sums(const Model& model, const State& state, const Workspace& ws, ContactSums& sums) {
  std::fill(sums.rigid.begin(), sums.rigid.end(), TouchSums{});
  std::fill(sums.soft.begin(), sums.soft.end(), TouchSums{});
  add_wrenches(model, ws, sums);
  add_hard_contacts(model, state, sums);
  for (std::size_t s = 0; s < model.soft.size(); ++s) add_skin(model, s, state, ws, sums);
  const auto finish = [](TouchSums& one) {
    if (one.load_n > 0.0) one.patch.centre_m /= one.load_n;
    one.patch.radius_m = std::sqrt(one.patch.area_m2 / std::numbers::pi);
  };
  std::for_each(sums.rigid.begin(), sums.rigid.end(), finish);
  std::for_each(sums.soft.begin(), sums.soft.end(), finish);
}

}  // namespace distal
