#include "distal/sensor/skin.hpp"

#include <algorithm>
#include <cmath>

#include "distal/state/embedding.hpp"

namespace distal {

namespace {

void add_areas(const std::array<std::int32_t, 3>& triangle, SkinView& view) {
  const auto at = [&](std::size_t corner) -> const Vec3& {
    return view.positions[static_cast<std::size_t>(triangle[corner])];
  };
  const double third = (at(1) - at(0)).cross(at(2) - at(0)).norm() / 6.0;
  for (const std::int32_t v : triangle) view.areas[static_cast<std::size_t>(v)] += third;
}

}  // namespace

void find_skin_positions(const SoftBody& body, const State& state, SkinView& view) {
  const CellCorners corners(body);
  view.positions.resize(body.skin.size());
  for (std::size_t s = 0; s < body.skin.size(); ++s) view.positions[s] = corners.interpolate(body.skin, s, state.x);
}

void find_skin_areas(const SoftBody& body, SkinView& view) {
  view.areas = body.skin_area_m2;
  if (body.skin_triangles.empty()) return;
  std::fill(view.areas.begin(), view.areas.end(), 0.0);
  for (const auto& triangle : body.skin_triangles) add_areas(triangle, view);
}

void find_covered_areas(const SoftBody& body, const State& state, SkinView& view) {
  const CellCorners corners(body);
  const auto& triangles = body.skin_triangles;
  view.positions.resize(body.skin.size());
  view.known.assign(body.skin.size(), 0);
  const auto look = [&](std::size_t s) {
    if (view.known[s]) return;
    view.positions[s] = corners.interpolate(body.skin, s, state.x);
    view.known[s] = 1;
  };
  if (triangles.empty())
    view.areas = body.skin_area_m2;
  else
    view.areas.assign(body.skin.size(), 0.0);
  for (std::size_t s = 0; s < view.covered.size(); ++s)
    if (view.covered[s]) look(s);
  const auto first_covered =
      std::find_if(view.covered.begin(), view.covered.end(), [](char c) { return c != 0; }) - view.covered.begin();
  // Triangles are sorted by their last vertex.
  auto t = std::partition_point(triangles.begin(), triangles.end(), [&](const auto& triangle) {
    return *std::max_element(triangle.begin(), triangle.end()) < first_covered;
  });
  for (; t != triangles.end(); ++t) {
    if (std::none_of(t->begin(), t->end(), [&](std::int32_t v) { return view.covered[static_cast<std::size_t>(v)]; }))
      continue;
    for (const std::int32_t v : *t) look(static_cast<std::size_t>(v));
    add_areas(*t, view);
  }
}

void find_skin_contacts(const Model& model, std::size_t soft_index, const Workspace& ws, SkinView& view) {
  const std::size_t vertices = model.soft[soft_index].skin.size();
  view.contacts.clear();
  view.contacts.reserve(vertices / 4);  // more than a press touches
  view.contact_at.assign(vertices, -1);
  const auto touch = [&](std::size_t vertex, double share, const Contact& contact) {
    std::int32_t& at = view.contact_at[vertex];
    if (at < 0) at = static_cast<std::int32_t>(view.contacts.size()), view.contacts.push_back({vertex});
    VertexContact& sum = view.contacts[static_cast<std::size_t>(at)];
    sum.normal_force_n += std::abs(share) * contact.normal_force_n;
    sum.force_n += share * contact.force;
  };
  for (std::size_t p = 0; p < model.pairs.size(); ++p) {
    if (!model.pairs[p].sampled_is_soft || model.pairs[p].sampled != static_cast<int>(soft_index)) continue;
    for (const Contact& contact : ws.pairs[p].near) {
      if (contact.touch == Touch::none) continue;
      touch(nearest_sample(model.soft[soft_index], model.pairs[p], contact), 1.0, contact);
    }
  }
  for (std::size_t p = 0; p < model.soft_pairs.size(); ++p) {
    const SoftPair& pair = model.soft_pairs[p];
    const bool sampled = pair.sampled == static_cast<int>(soft_index);
    if (!sampled && pair.partner != static_cast<int>(soft_index)) continue;
    for (const Contact& contact : ws.soft_pairs[p].near) {
      if (contact.touch == Touch::none) continue;
      if (sampled) {
        touch(static_cast<std::size_t>(contact.sample), 1.0, contact);
        continue;
      }
      const auto& triangle = model.soft[soft_index].skin_triangles[static_cast<std::size_t>(contact.facet)];
      for (std::size_t a = 0; a < 3; ++a) touch(static_cast<std::size_t>(triangle[a]), -contact.weight[a], contact);
    }
  }
  std::sort(view.contacts.begin(), view.contacts.end(),
            [](const VertexContact& a, const VertexContact& b) { return a.vertex < b.vertex; });
}

Pose carrying_pose(const Model& model, const SoftBody& body, const State& state) {
  if (body.rod < 0) return body.initial_pose;
  return body_pose(model.rigid[static_cast<std::size_t>(body.rod)], state.rigid[static_cast<std::size_t>(body.rod)]);
}

}  // namespace distal
