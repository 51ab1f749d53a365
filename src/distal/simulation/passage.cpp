#include "distal/simulation/passage.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "distal/contact/partner_frame.hpp"
#include "distal/geometry/broad_phase.hpp"
#include "distal/state/embedding.hpp"

namespace distal {
namespace {

// Cosine between the two directions out of the partner; past an edge of a box they stand at right angles.
constexpr double kFarSide = -0.1;

// Whether a point that goes straight from one place to another, both outside a shape, is inside on its way.
bool goes_through(const Shape& shape, double shortest_m, const Vec3& from, const Vec3& to) {
  const double way = (to - from).norm();
  if (signed_distance(shape, from).value <= 0.0 || signed_distance(shape, to).value <= 0.0) return false;
  for (double share = 0.0; share < 1.0;) {
    const double distance = signed_distance(shape, from + share * (to - from)).value;
    if (distance <= 0.0) return true;
    share += std::max(distance, shortest_m) / way;
  }
  return false;
}

// One that goes further than its own size in a period may never have been seen to touch.
bool jumps_through(const SoftBody& body, const PartnerFrame& before, const PartnerFrame& now, const Vec3Array& x_before,
                   const Vec3Array& x_now) {
  constexpr double kGraze = 1e-3;  // of its size: what is no deeper inside may be missed
  const double moved = (now.centre - before.centre).norm();
  if (moved == 0.0 || std::holds_alternative<PlaneShape>(now.shape)) return false;
  const Aabb bounds = find_bounds(now.shape, Pose{});
  const double size = (bounds.max - bounds.min).minCoeff();
  if (moved < 0.5 * size) return false;
  const CellCorners corners(body);
  for (std::size_t s = 0; s < body.skin.size(); ++s)
    if (goes_through(now.shape, kGraze * size, before.pose.to_local(corners.interpolate(body.skin, s, x_before)),
                     now.pose.to_local(corners.interpolate(body.skin, s, x_now))))
      return true;
  return false;
}

}  // namespace

std::string find_passage(const Model& model, const State& state, const Workspace& ws) {
  for (std::size_t p = 0; p < model.pairs.size(); ++p) {
    const ContactPair& pair = model.pairs[p];
    if (!pair.sampled_is_soft) continue;
    const SoftBody& body = model.soft[static_cast<std::size_t>(pair.sampled)];
    const PartnerFrame before(model, pair, ws.retry), now(model, pair, state);
    bool passed = jumps_through(body, before, now, ws.retry.x, state.x);
    const CellCorners corners(body);
    for (const TouchMemory& memory : ws.retry_touches[p]) {
      const auto s = static_cast<std::size_t>(memory.sample);
      if (pair.by_facets() || state.pairs[p].touch[s] != Touch::none) continue;
      const Vec3 out_before = before.distance(corners.interpolate(body.skin, s, ws.retry.x)).normal;
      const Vec3 out_now = now.distance(corners.interpolate(body.skin, s, state.x)).normal;
      passed |= out_before.dot(out_now) < kFarSide;
    }
    if (passed)
      return fmt::format("'{}' passed through the skin of '{}'",
                         model.rigid[static_cast<std::size_t>(pair.partner)].name, body.name);
  }
  return {};
}

}  // namespace distal
