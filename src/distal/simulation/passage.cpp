#include "distal/simulation/passage.hpp"

#include <fmt/format.h>

#include "distal/contact/partner_frame.hpp"
#include "distal/state/embedding.hpp"

namespace distal {
namespace {

// Cosine between the two directions out of the partner; past an edge of a box they stand at right angles.
constexpr double kFarSide = -0.1;

}  // namespace

std::string find_passage(const Model& model, const State& state, const Workspace& ws) {
  for (std::size_t p = 0; p < model.pairs.size(); ++p) {
    const ContactPair& pair = model.pairs[p];
    if (!pair.sampled_is_soft || pair.by_facets() || ws.retry_touches[p].empty()) continue;
    const SoftBody& body = model.soft[static_cast<std::size_t>(pair.sampled)];
    const CellCorners corners(body);
    const PartnerFrame before(model, pair, ws.retry), now(model, pair, state);
    for (const TouchMemory& memory : ws.retry_touches[p]) {
      const auto s = static_cast<std::size_t>(memory.sample);
      if (state.pairs[p].touch[s] != Touch::none) continue;
      const Vec3 out_before = before.distance(corners.interpolate(body.skin, s, ws.retry.x)).normal;
      const Vec3 out_now = now.distance(corners.interpolate(body.skin, s, state.x)).normal;
      if (out_before.dot(out_now) < kFarSide)
        return fmt::format("'{}' passed through the skin of '{}'",
                           model.rigid[static_cast<std::size_t>(pair.partner)].name, body.name);
    }
  }
  return {};
}

}  // namespace distal
