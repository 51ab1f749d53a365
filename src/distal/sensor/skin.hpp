// The skin of a soft body at a moment, as sensors and snapshots see it.
#pragma once
#include "distal/state/workspace.hpp"

namespace distal {

struct VertexContact {
  double normal_force_n = 0.0;
  Vec3 force_n = Vec3::Zero();
  bool touches = false;
};

// World positions of all skin vertices.
std::vector<Vec3> skin_positions(const SoftBody& body, const State& state);
// A third of each adjacent triangle, deformed; rest areas where there are no triangles.
std::vector<double> skin_areas(const SoftBody& body, const std::vector<Vec3>& positions);
// Contact of each vertex, all partners together.
std::vector<VertexContact> skin_contacts(const Model& model, std::size_t soft_index, const Workspace& ws);
// Pose that carries the undeformed shape: the rod's body frame, or the best guess for a body without one.
Pose carrying_pose(const Model& model, const SoftBody& body, const State& state);

}  // namespace distal
