#include "distal/sensor/patch.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "distal/sensor/skin.hpp"
#include "distal/state/embedding.hpp"

namespace distal {
namespace {

double curvature_of(const Shape& shape) {
  const auto* sphere = std::get_if<SphereShape>(&shape);
  return sphere == nullptr ? 0.0 : 1.0 / sphere->radius_m;
}

// Samples that touch as far as the lattice can tell.
void find_covered(const Model& model, std::size_t soft_index, const Workspace& ws, SkinView& view) {
  const SoftBody& body = model.soft[soft_index];
  const double cell = body.spacing_m();
  view.covered.assign(body.skin.size(), 0);
  for (std::size_t p = 0; p < model.pairs.size(); ++p) {
    const ContactPair& pair = model.pairs[p];
    if (!pair.sampled_is_soft || pair.sampled != static_cast<int>(soft_index)) continue;
    const double partner = curvature_of(*model.rigid[static_cast<std::size_t>(pair.partner)].shape);
    for (const Contact& contact : ws.pairs[p].near) {
      const std::size_t s = nearest_sample(body, pair, contact);
      const double curvature = std::clamp(body.skin_curvature_per_m[s] + partner, 0.0, 0.5 / cell);
      if (contact.touch != Touch::none || contact.depth_m > -cell * cell * curvature / 8.0) view.covered[s] = 1;
    }
  }
  for (std::size_t p = 0; p < model.soft_pairs.size(); ++p)
    if (model.soft_pairs[p].sampled == static_cast<int>(soft_index))
      for (const Contact& contact : ws.soft_pairs[p].near)
        if (contact.touch != Touch::none) view.covered[static_cast<std::size_t>(contact.sample)] = 1;
}

}  // namespace

ContactPatch measure_patch(const Model& model, std::size_t soft_index, const State& state, const Workspace& ws,
                           SkinView& view) {
  ContactPatch patch;
  find_skin_contacts(model, soft_index, ws, view);
  if (view.contacts.empty()) return patch;
  const SoftBody& body = model.soft[soft_index];
  find_covered(model, soft_index, ws, view);
  find_covered_areas(body, state, view);
  for (std::size_t s = 0; s < view.covered.size(); ++s)
    if (view.covered[s]) patch.area_m2 += view.areas[s];
  double force = 0.0;
  for (const auto& [vertex, normal, all] : view.contacts) {
    ++patch.count;
    force += normal;
    patch.centre_m += normal * view.positions[vertex];
    patch.peak_pressure_pa = std::max(patch.peak_pressure_pa, normal / view.areas[vertex]);
  }
  if (force > 0.0) patch.centre_m /= force;
  patch.radius_m = std::sqrt(patch.area_m2 / std::numbers::pi);
  return patch;
}

}  // namespace distal
