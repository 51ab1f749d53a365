#include "distal/model/build_pairs.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "distal/core/error.hpp"

namespace distal {
namespace {

bool is_named_pair(const ModelDescription& d, const std::string& a, const std::string& b) {
  return std::any_of(d.pairs.begin(), d.pairs.end(), [&](const auto& named) {
    const PairDescription& pair = named.second;
    return (pair.body_a == a && pair.body_b == b) || (pair.body_a == b && pair.body_b == a);
  });
}

// Its name, or nothing.
std::string named_pair(const ModelDescription& d, const std::string& a, const std::string& b) {
  for (const auto& [name, pair] : d.pairs)
    if ((pair.body_a == a && pair.body_b == b) || (pair.body_a == b && pair.body_b == a)) return name;
  return {};
}

bool is_child(const ModelDescription& d, const std::string& body) {
  return std::any_of(d.joints.begin(), d.joints.end(), [&](const auto& joint) {
    return std::visit([&](const auto& kind) { return kind.place.child == body; }, joint.second);
  });
}

ContactDescription law_between(const ModelDescription& d, const std::string& a, const std::string& b) {
  for (const auto& [name, pair] : d.pairs)
    if ((pair.body_a == a && pair.body_b == b) || (pair.body_a == b && pair.body_b == a)) return pair.contact;
  return d.contact;
}

bool has_surface(const RigidBody& body) {
  const auto* all = body.shape ? std::get_if<UnionShape>(&*body.shape) : nullptr;
  return body.shape && (all == nullptr || !all->parts.empty());
}

// One pair of rigid bodies that the complementarity step looks after; bodies that hang on the same joints touch only
// where a pair says so.
void add_hard_pairs(const ModelDescription& d, Model& model) {
  std::vector<int> carrier(model.rigid.size());
  for (std::size_t b = 0; b < carrier.size(); ++b) carrier[b] = static_cast<int>(b);
  for (const Joint& joint : model.joints)
    if (joint.parent >= 0)
      carrier[static_cast<std::size_t>(joint.child)] = carrier[static_cast<std::size_t>(joint.parent)];
  const auto moves = [&](std::size_t b) {
    return model.rigid[b].moves_freely() || model.rigid[b].mount == Mount::jointed;
  };
  for (std::size_t a = 0; a < model.rigid.size(); ++a)
    for (std::size_t b = a + 1; b < model.rigid.size(); ++b) {
      if (!has_surface(model.rigid[a]) || !has_surface(model.rigid[b]) || (!moves(a) && !moves(b))) continue;
      const std::string &one = model.rigid[a].name, &other = model.rigid[b].name;
      if (carrier[a] == carrier[b] && !is_named_pair(d, one, other)) continue;
      ContactPair pair{false, static_cast<int>(a), static_cast<int>(b), law_between(d, one, other)};
      pair.hard = true;
      model.pairs.push_back(pair);
    }
}

// Samples of soft bodies on everything that has a surface; samples of rigid ones only where no other step looks after
// rigid pairs.
void add_sampled_pairs(const ModelDescription& d, Model& model) {
  for (std::size_t p = 0; p < model.rigid.size(); ++p) {
    const RigidBody& partner = model.rigid[p];
    if (!has_surface(partner)) continue;
    for (std::size_t s = 0; s < model.soft.size(); ++s) {
      model.pairs.push_back(
          {true, static_cast<int>(s), static_cast<int>(p), law_between(d, model.soft[s].name, partner.name)});
      if (model.pairs.back().law.is_patch()) model.pairs.back().law.normal = NormalLaw::stiff;
      if (model.pairs.back().by_facets() && !model.soft[s].tet)
        throw InputError(
            fmt::format("contact.normal: \"hunt_crossley\" acts on the facets of a tet body, which '{}' is "
                        "not; give its pair with '{}' another law",
                        model.soft[s].name, partner.name));
    }
    if (model.integrator.kind == IntegratorKind::complementarity) continue;
    for (std::size_t s = 0; s < model.rigid.size(); ++s) {
      const RigidBody& sampled = model.rigid[s];
      const bool anything_moves = sampled.mount != Mount::fixed || partner.mount != Mount::fixed;
      const auto& radii = sampled.sample_radii_m;
      const bool both_spheres = std::holds_alternative<SphereShape>(*partner.shape) && !radii.empty() &&
                                *std::min_element(radii.begin(), radii.end()) > 0.0;
      if (s == p || sampled.samples_m.empty() || !anything_moves || (both_spheres && s > p)) continue;
      ContactDescription law = law_between(d, sampled.name, partner.name);
      law.normal = NormalLaw::stiff;
      if (law.tangential == TangentialLaw::smooth_stick_slip) law.tangential = TangentialLaw::stick_slip;
      model.pairs.push_back({false, static_cast<int>(s), static_cast<int>(p), law});
    }
  }
}

// The finer of two soft bodies is sampled; paper 1's lattice has no skin to be touched.
void add_soft_pairs(const ModelDescription& d, Model& model) {
  for (std::size_t a = 0; a < model.soft.size(); ++a)
    for (std::size_t b = a + 1; b < model.soft.size(); ++b) {
      const bool swap = model.soft[b].spacing_m() < model.soft[a].spacing_m() || model.soft[b].skin_triangles.empty();
      const int sampled = static_cast<int>(swap ? b : a), partner = static_cast<int>(swap ? a : b);
      if (model.soft[static_cast<std::size_t>(partner)].skin_triangles.empty()) continue;
      ContactDescription law = law_between(d, model.soft[a].name, model.soft[b].name);
      law.normal = NormalLaw::stiff;
      if (law.tangential == TangentialLaw::smooth_stick_slip) law.tangential = TangentialLaw::stick_slip;
      model.soft_pairs.push_back({sampled, partner, law});
    }
}

}  // namespace

std::vector<std::string> find_unused_patches(const ModelDescription& d) {
  std::vector<std::string> unused;
  if (d.contact.is_patch()) unused.emplace_back("contact.normal");
  for (const auto& [name, pair] : d.pairs)
    if (pair.contact.is_patch()) unused.push_back(fmt::format("pair.{}.normal", name));
  // Without such a law there is nothing to look for.
  std::vector<std::pair<std::string, bool>> surfaces;  // and whether they move
  for (const auto& [name, body] : d.bodies) {
    if (unused.empty()) return unused;
    if (std::holds_alternative<HandDescription>(body)) return {};
    const auto* rigid = std::get_if<RigidDescription>(&body);
    if (rigid == nullptr && !std::holds_alternative<PlaneDescription>(body)) continue;
    surfaces.emplace_back(name, rigid != nullptr && (is_child(d, name) ||
                                                     (rigid->mount != Mount::fixed && rigid->mount != Mount::driven)));
  }
  for (std::size_t a = 0; a < surfaces.size(); ++a)
    for (std::size_t b = a + 1; b < surfaces.size() && !unused.empty(); ++b) {
      if (!surfaces[a].second && !surfaces[b].second) continue;
      const std::string named = named_pair(d, surfaces[a].first, surfaces[b].first);
      std::erase(unused, named.empty() ? "contact.normal" : fmt::format("pair.{}.normal", named));
    }
  return unused;
}

void add_pairs(const ModelDescription& d, Model& model) {
  add_sampled_pairs(d, model);
  if (model.integrator.kind == IntegratorKind::complementarity) add_hard_pairs(d, model);
  add_soft_pairs(d, model);
}

}  // namespace distal
