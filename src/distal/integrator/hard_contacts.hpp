// Contacts between rigid bodies for the complementarity step: where they touch, and the patch of each under the load
// that it bore last. docs/models/soft_finger.md.
#pragma once
#include <vector>

#include "distal/geometry/broad_phase.hpp"
#include "distal/geometry/manifold.hpp"
#include "distal/geometry/mesh_quadric.hpp"
#include "distal/state/workspace.hpp"

namespace distal {

// A contact, and where its friction acts: for a face on a face not at the corners that bear the load, but as far from
// the middle as an even pressure would put it.
struct FoundContact {
  HardContact contact;
  Vec3 friction_point = Vec3::Zero();
};

class HardContactFinder {
 public:
  explicit HardContactFinder(const Model& model);

  // All that may touch within h, in the order of pairs; memory of the last step is taken over from `state`.
  const std::vector<FoundContact>& find(const State& state, double h);

 private:
  SurfaceQuadric quadric_at(const Shape& shape, const Pose& pose, int part, const Vec3& point, HardContact& contact);
  RelativeCurvature find_gap(const State& state, HardContact& contact);
  // Patch and eccentricity under the last load, where the surfaces are curved against each other: false where not.
  bool shape_patch(const State& state, HardContact& contact);
  // What the same contact was in the last step.
  static void remember(const State& state, HardContact& contact);
  double margin_of(std::size_t body, const State& state, double h) const;
  void add_contact(const State& state, bool is_patch, FoundContact found);
  void add_manifold(std::size_t pair, const Manifold& manifold, const State& state);

  const Model& model_;
  std::vector<std::size_t> bodies_;    // that may touch another
  std::vector<std::int32_t> pair_of_;  // two bodies' in model.pairs, or -1
  std::vector<Aabb> boxes_;            // of bodies_
  BroadPhase broad_phase_;
  MeshQuadrics meshes_;
  std::vector<Manifold> manifolds_;
  std::vector<FoundContact> found_;
};

// Throws InputError where rigid bodies stand in each other at the start.
void check_start(const Model& model, const State& state);

}  // namespace distal
