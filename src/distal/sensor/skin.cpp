#include "distal/sensor/skin.hpp"

#include <algorithm>

#include "distal/state/embedding.hpp"

namespace distal {

void find_skin_positions(const SoftBody& body, const State& state, SkinView& view, ThreadTeam* team) {
  const CellCorners corners(body);
  const int count = static_cast<int>(body.skin.size());
  view.positions.resize(body.skin.size());
  const auto find = [&](int begin, int end) {
    for (auto s = static_cast<std::size_t>(begin); s < static_cast<std::size_t>(end); ++s)
      view.positions[s] = corners.interpolate(body.skin, s, state.x);
  };
  if (team == nullptr) return find(0, count);
  team->run([&](int t) {
    find(ThreadTeam::share_begin(count, t, team->size()), ThreadTeam::share_begin(count, t + 1, team->size()));
  });
}

void find_skin_areas(const SoftBody& body, SkinView& view, const std::vector<char>* only) {
  const std::vector<Vec3>& positions = view.positions;
  std::vector<double>& areas = view.areas;
  if (body.skin_triangles.empty()) {
    areas = body.skin_area_m2;
    return;
  }
  areas.assign(positions.size(), 0.0);
  for (const auto& t : body.skin_triangles) {
    const auto wanted = [&](std::int32_t v) { return (*only)[static_cast<std::size_t>(v)] != 0; };
    if (only != nullptr && std::none_of(t.begin(), t.end(), wanted)) continue;
    const Vec3& a = positions[static_cast<std::size_t>(t[0])];
    const double third =
        (positions[static_cast<std::size_t>(t[1])] - a).cross(positions[static_cast<std::size_t>(t[2])] - a).norm() /
        6.0;
    for (const std::int32_t v : t) areas[static_cast<std::size_t>(v)] += third;
  }
}

void find_skin_contacts(const Model& model, std::size_t soft_index, const Workspace& ws, SkinView& view) {
  std::vector<VertexContact>& contacts = view.contacts;
  contacts.assign(model.soft[soft_index].skin.size(), VertexContact{});
  for (std::size_t p = 0; p < model.pairs.size(); ++p) {
    if (!model.pairs[p].sampled_is_soft || model.pairs[p].sampled != static_cast<int>(soft_index)) continue;
    for (const Contact& contact : ws.pairs[p].near) {
      if (contact.touch == Touch::none) continue;
      VertexContact& vertex = contacts[static_cast<std::size_t>(contact.sample)];
      vertex.normal_force_n += contact.normal_force_n;
      vertex.force_n += contact.force;
      vertex.touches = true;
    }
  }
}

Pose carrying_pose(const Model& model, const SoftBody& body, const State& state) {
  if (body.rod < 0) return body.initial_pose;
  return body_pose(model.rigid[static_cast<std::size_t>(body.rod)], state.rigid[static_cast<std::size_t>(body.rod)]);
}

}  // namespace distal
