#include <algorithm>
#include <cmath>

#include "distal/force/forces.hpp"

namespace distal {

// Paper 1, eq. (1), gathered per particle: u = (k (|d| - l0) + mu |d|') d/|d|. Every spring is computed at both of its
// ends, so no two threads write to one particle.
void compute_spring_force(const Model& model, std::size_t soft_index, const State& state, Workspace& workspace) {
  const SoftBody& body = model.soft[soft_index];
  const SpringNetwork& springs = body.lattice.springs;
  SoftWorkspace& ws = workspace.soft[soft_index];
  const int plane_size = body.lattice.grid.plane_size(), node_planes = body.lattice.grid.nz;
  std::fill(ws.planes.begin(), ws.planes.end(), PlaneSums{});
  // Sums of the last layer of nodes go with the last plane of cells.
  const auto sums_of = [&](int k) -> PlaneSums& {
    return ws.planes[static_cast<std::size_t>(std::min(k, node_planes - 2))];
  };
  const auto gather_plane = [&](int k) {
    PlaneSums& sums = sums_of(k);
    for (int n = k * plane_size; n < (k + 1) * plane_size; ++n) {
      const auto i = static_cast<std::size_t>(body.first_particle + n);
      const Vec3 x = state.x.get(i), v = state.v.get(i);
      Vec3 force = Vec3::Zero();
      for (std::int32_t s = springs.begin[static_cast<std::size_t>(n)];
           s < springs.begin[static_cast<std::size_t>(n) + 1]; ++s) {
        const auto e = static_cast<std::size_t>(s),
                   j = static_cast<std::size_t>(body.first_particle + springs.neighbour[e]);
        const Vec3 d = state.x.get(j) - x;
        const double length = d.norm(), rate = (state.v.get(j) - v).dot(d) / length,
                     stretch = length - springs.rest_length[e];
        force += (springs.stiffness[e] * stretch + springs.damping[e] * rate) / length * d;
        sums.elastic_j += 0.25 * springs.stiffness[e] * stretch * stretch;  // half of the spring's energy, at each end
        sums.dissipation_w += 0.5 * springs.damping[e] * rate * rate;
        if (!(length > 0.0) && sums.worst_cell < 0) sums.worst_cell = n, sums.smallest_j = 0.0;
      }
      workspace.force.set(i, force);
    }
  };
  workspace.team->run([&](int thread) {
    const int begin = ThreadTeam::share_begin(node_planes - 1, thread, workspace.team->size());
    const int end = ThreadTeam::share_begin(node_planes - 1, thread + 1, workspace.team->size());
    for (int k = begin; k < end; ++k) gather_plane(k);
    if (end == node_planes - 1 && begin < end) gather_plane(end);
  });
}

}  // namespace distal
