// The skin of a soft body at a moment, as sensors and snapshots see it.
#pragma once
#include "distal/state/workspace.hpp"

namespace distal {

// A vertex of the skin that touches, all partners together.
struct VertexContact {
  std::size_t vertex;
  double normal_force_n = 0.0;
  Vec3 force_n = Vec3::Zero();
};

// Memory for looking at a skin again and again without allocating.
struct SkinView {
  std::vector<Vec3> positions;           // world positions of all skin vertices
  std::vector<double> areas;             // a third of each adjacent triangle, deformed; rest areas where there are none
  std::vector<VertexContact> contacts;   // by vertex
  std::vector<std::int32_t> contact_at;  // scratch of find_skin_contacts: of each vertex, its contact or -1
  std::vector<char> covered;             // touches as far as the lattice can tell
  std::vector<double> load_n;            // normal force on each covered vertex, all partners together
  std::vector<char> known;               // its position is, when not all are wanted
};

void find_skin_positions(const SoftBody& body, const State& state, SkinView& view);
// From the positions.
void find_skin_areas(const SoftBody& body, SkinView& view);
// Areas of the covered vertices and all positions that they need, and no others.
void find_covered_areas(const SoftBody& body, const State& state, SkinView& view);
void find_skin_contacts(const Model& model, std::size_t soft_index, const Workspace& ws, SkinView& view);
// Pose that carries the undeformed shape: the rod's body frame, or the best guess for a body without one.
Pose carrying_pose(const Model& model, const SoftBody& body, const State& state);

}  // namespace distal
