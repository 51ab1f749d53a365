#include "distal/force/softening.hpp"

#include <algorithm>

namespace distal {
namespace {

// An edge has the mean share of its ends: springs and pressure then still balance at rest, whatever the field.
void soften_springs(const TetBody& body, SoftWorkspace& work) {
  const EdgeShares& shares = body.edge_shares;
  for (std::size_t n = 0; n < work.node_factor.size(); ++n)
    work.soft_volume_m3[n] = work.node_factor[n] * body.gradients.volume_m3[n];
  std::fill(work.soft_springs_n_m.begin(), work.soft_springs_n_m.end(), 0.0);
  for (std::size_t e = 0; e < shares.ends.size(); ++e) {
    const double factor = 0.5 * (work.node_factor[static_cast<std::size_t>(shares.ends[e][0])] +
                                 work.node_factor[static_cast<std::size_t>(shares.ends[e][1])]);
    for (auto k = static_cast<std::size_t>(shares.begin[e]); k < static_cast<std::size_t>(shares.begin[e + 1]); ++k)
      work.soft_springs_n_m[static_cast<std::size_t>(shares.entry[k])] += factor * shares.stiffness_n_m[k];
  }
}

}  // namespace

void update_softening(const Model& model, std::size_t soft, const State& state, Workspace& ws) {
  for (std::size_t f = 0; f < model.fields.size(); ++f) {
    const BodyField& field = model.fields[f];
    if (field.soft != static_cast<int>(soft) || !field.softens()) continue;
    SoftWorkspace& work = ws.soft[soft];
    bool changed = false;
    for (std::size_t n = 0; n < state.fields[f].size(); ++n) {
      const double share = field.stiffness_share(state.fields[f][n]);
      changed |= share != work.node_factor[n];
      work.node_factor[n] = share;
    }
    if (changed && model.soft[soft].tet->model == TetModel::neo_hookean) soften_springs(*model.soft[soft].tet, work);
  }
}

}  // namespace distal
