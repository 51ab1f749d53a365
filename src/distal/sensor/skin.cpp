#include "distal/sensor/skin.hpp"

#include "distal/state/embedding.hpp"

namespace distal {

std::vector<Vec3> skin_positions(const SoftBody& body, const State& state) {
  const CellCorners corners(body);
  std::vector<Vec3> positions(body.skin.size());
  for (std::size_t s = 0; s < positions.size(); ++s) positions[s] = corners.interpolate(body.skin, s, state.x);
  return positions;
}

std::vector<double> skin_areas(const SoftBody& body, const std::vector<Vec3>& positions) {
  if (body.skin_triangles.empty()) return body.skin_area_m2;
  std::vector<double> areas(positions.size(), 0.0);
  for (const auto& t : body.skin_triangles) {
    const Vec3& a = positions[static_cast<std::size_t>(t[0])];
    const double third = (positions[static_cast<std::size_t>(t[1])] - a).cross(positions[static_cast<std::size_t>(t[2])] - a).norm() / 6.0;
    for (const std::int32_t v : t) areas[static_cast<std::size_t>(v)] += third;
  }
  return areas;
}

std::vector<VertexContact> skin_contacts(const Model& model, std::size_t soft_index, const Workspace& ws) {
  std::vector<VertexContact> contacts(model.soft[soft_index].skin.size());
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
  return contacts;
}

Pose carrying_pose(const Model& model, const SoftBody& body, const State& state) {
  if (body.rod < 0) return body.initial_pose;
  return body_pose(model.rigid[static_cast<std::size_t>(body.rod)], state.rigid[static_cast<std::size_t>(body.rod)]);
}

}  // namespace distal
