#include <cmath>

#include "distal/force/strand_force.hpp"

namespace distal {
namespace {

struct RingMotion {
  Vec3 x = Vec3::Zero(), v = Vec3::Zero(), force = Vec3::Zero(), touch = Vec3::Zero();
  double mass = 0.0;
};

// What touches the body, but the ground: the paper spreads the hand's force alone.
void add_touches(const Model& model, std::size_t soft_index, const Workspace& ws, std::vector<RingMotion>& rings) {
  const SoftBody& soft = model.soft[soft_index];
  for (std::size_t p = 0; p < model.pairs.size(); ++p) {
    const ContactPair& pair = model.pairs[p];
    const RigidBody& partner = model.rigid[static_cast<std::size_t>(pair.partner)];
    if (!pair.sampled_is_soft || pair.sampled != static_cast<int>(soft_index) || pair.by_facets() ||
        std::holds_alternative<PlaneShape>(*partner.shape))
      continue;
    for (const Contact& contact : ws.pairs[p].near) {
      if (contact.touch == Touch::none) continue;
      const auto s = static_cast<std::size_t>(contact.sample);
      for (std::size_t a = 0; a < 3; ++a)
        rings[static_cast<std::size_t>(soft.skin.facet[s][a]) % rings.size()].touch +=
            soft.skin.place[s][a] * contact.force;
    }
  }
}

}  // namespace

void spread_gaussian_force(const Model& model, std::size_t soft_index, const State& state, Workspace& ws) {
  const SoftBody& soft = model.soft[soft_index];
  const GaussianDescription& law = soft.tet->gaussian;
  const StrandSprings& strand = soft.tet->strand;
  SoftWorkspace& work = ws.soft[soft_index];
  const auto first = static_cast<std::size_t>(soft.first_particle), count = static_cast<std::size_t>(strand.rings),
             nodes = soft.tet->mesh.vertices.size();
  std::vector<RingMotion> rings(count);
  std::vector<Vec3> rest(count, Vec3::Zero());
  for (std::size_t n = 0; n < nodes; ++n) {
    RingMotion& ring = rings[n % count];
    const double mass = model.mass_kg[first + n];
    ring.mass += mass;
    ring.x += mass * state.x.get(first + n), ring.v += mass * state.v.get(first + n);
    ring.force += ws.force.get(first + n);
    rest[n % count] += mass * soft.tet->mesh.vertices[n];
  }
  for (std::size_t r = 0; r < count; ++r)
    rings[r].x /= rings[r].mass, rings[r].v /= rings[r].mass, rest[r] /= rings[r].mass;
  if (ws.skin_contact == SkinContact::real) add_touches(model, soft_index, ws, rings);
  work.elastic_j = work.dissipation_w = 0.0;
  for (std::size_t r = 0; r < count; ++r) {
    RingMotion& ring = rings[r];
    if (ring.touch.isZero(0.0)) continue;
    ring.force -= ring.touch;
    for (RingMotion& other : rings)
      other.force += ring.touch * std::exp(-(other.x - ring.x).squaredNorm() / (2.0 * law.spread_m * law.spread_m));
  }
  for (std::size_t r = 0; r + 1 < count; ++r) {
    const Vec3 d = rings[r + 1].x - rings[r].x;
    const double length = d.norm(), stretch = length - (rest[r + 1] - rest[r]).norm(),
                 rate = (rings[r + 1].v - rings[r].v).dot(d) / length;
    const Vec3 pull = (law.stiffness_n_m * stretch + law.damping_n_s_m * rate) / length * d;
    rings[r].force += pull, rings[r + 1].force -= pull;
    work.elastic_j += 0.5 * law.stiffness_n_m * stretch * stretch;
    work.dissipation_w += law.damping_n_s_m * rate * rate;
  }
  for (RingMotion& ring : rings) {
    ring.force -= law.drag_n_s_m * ring.v;
    work.dissipation_w += law.drag_n_s_m * ring.v.squaredNorm();
  }
  // A ring moves as one.
  for (std::size_t n = 0; n < nodes; ++n)
    ws.force.set(first + n, model.mass_kg[first + n] / rings[n % count].mass * rings[n % count].force);
}

}  // namespace distal
