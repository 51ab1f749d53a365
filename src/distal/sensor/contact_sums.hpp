// What contact does to every body, gathered in one pass over pairs, contacts and skins. Memory is kept.
#pragma once
#include "distal/sensor/reading.hpp"
#include "distal/sensor/skin.hpp"

namespace distal {

struct TouchSums {
  Wrench contact;  // on it, world; about a rigid body's centre of mass, for a soft one about the world's origin
  ContactPatch patch;
  double load_n = 0.0;   // normal, of the patch
  double depth_m = 0.0;  // see BodyReading
};

struct ContactSums {
  explicit ContactSums(const Model& model);

  std::vector<TouchSums> rigid, soft;                             // one per body
  std::vector<std::vector<std::size_t>> pairs_of, soft_pairs_of;  // of each soft body: those where it is sampled
  std::vector<char> wanted;          // rigid bodies with a patch of their own: they move, without tip
  SkinView skin;                     // scratch
  std::vector<std::size_t> counted;  // scratch: by which pair each sample was counted last
};

// Patches. Centre, pressure and count come from the samples that touch; the area from all that do so as far as the
// lattice can tell. A cell carries its piece of skin almost rigidly: on a flattened patch only the lowest part of a
// piece that bends with radius rho presses, the rest hovers by up to the sagitta A^2 / (8 rho). Samples nearer than
// that count. 1/rho is the curvature of the skin plus that of what it touches, at most 1/(2 A): sharper bends are
// edges. What has no samples, a rigid body or the partner of two soft ones, has the patch of the skin that touches it.
void update_contact_sums(const Model& model, const State& state, const Workspace& ws, ContactSums& sums);

}  // namespace distal
