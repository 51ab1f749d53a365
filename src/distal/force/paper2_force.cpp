#include "distal/force/paper2_force.hpp"

#include <algorithm>
#include <cmath>

#include "distal/force/lattice_force.hpp"

namespace distal {
namespace {

std::array<Vec3, 4> corners_of(const SoftBody& soft, std::size_t cell, const State& state) {
  std::array<Vec3, 4> corners;
  for (std::size_t a = 0; a < 4; ++a)
    corners[a] = state.x.get(static_cast<std::size_t>(soft.first_particle + soft.tet->mesh.cells[cell][a]));
  return corners;
}

// Eqs 10 to 12: each corner is pushed so that the volume comes back.
std::array<Vec3, 4> cell_force(const TetBody& body, std::size_t cell, const std::array<Vec3, 4>& corners) {
  const double change = volume_of(corners) - body.volumes.rest_m3[cell];
  std::array<Vec3, 4> force = volume_gradient(corners);
  if (body.paper2.volume != TetVolume::barycentre) {
    for (Vec3& f : force) f *= -body.volumes.stiffness_n_m5[cell] * change;
    return force;
  }
  const Vec3 middle = 0.25 * (corners[0] + corners[1] + corners[2] + corners[3]);
  for (std::size_t a = 0; a < 4; ++a)
    force[a] = -body.paper2.volume_stiffness_n_m3 * change * (corners[a] - middle).normalized();
  return force;
}

// Eqs 3 and 4 at one end of every edge.
Vec3 edge_forces(const TetBody& body, std::size_t first, std::size_t i, const State& state, PlaneSums& sums) {
  const SpringNetwork& edges = body.edges;
  const Vec3 x = state.x.get(first + i), v = state.v.get(first + i);
  Vec3 force = Vec3::Zero();
  for (auto e = static_cast<std::size_t>(edges.begin[i]); e < static_cast<std::size_t>(edges.begin[i + 1]); ++e) {
    const std::size_t j = first + static_cast<std::size_t>(edges.neighbour[e]);
    const Vec3 d = state.x.get(j) - x;
    const double length = d.norm(), rate = (state.v.get(j) - v).dot(d) / length,
                 stretch = length - edges.rest_length[e];
    force += (edges.stiffness[e] * stretch + edges.damping[e] * rate) / length * d;
    sums.elastic_j += 0.25 * edges.stiffness[e] * stretch * stretch;  // half of the spring's energy, at each end
    sums.dissipation_w += 0.5 * edges.damping[e] * rate * rate;
    if (!(length > 0.0) && sums.worst_cell < 0) sums.worst_cell = static_cast<std::int32_t>(i), sums.smallest_j = 0.0;
  }
  return force;
}

}  // namespace

double volume_of(const std::array<Vec3, 4>& c) { return (c[1] - c[0]).cross(c[2] - c[0]).dot(c[3] - c[0]) / 6.0; }

std::array<Vec3, 4> volume_gradient(const std::array<Vec3, 4>& c) {
  const Vec3 a = c[1] - c[0], b = c[2] - c[0], d = c[3] - c[0];
  std::array<Vec3, 4> g{Vec3::Zero(), b.cross(d) / 6.0, d.cross(a) / 6.0, a.cross(b) / 6.0};
  g[0] = -(g[1] + g[2] + g[3]);
  return g;
}

void compute_paper2_force(const Model& model, std::size_t soft_index, const State& state, Workspace& ws) {
  const SoftBody& soft = model.soft[soft_index];
  const TetBody& body = *soft.tet;
  SoftWorkspace& work = ws.soft[soft_index];
  const auto first = static_cast<std::size_t>(soft.first_particle), vertices = body.mesh.vertices.size();
  std::fill(work.planes.begin(), work.planes.end(), PlaneSums{});
  const int cells = static_cast<int>(body.mesh.cells.size());
  ws.team->run([&](int t) {
    for (int c = ThreadTeam::share_begin(cells, t, ws.team->size());
         c < ThreadTeam::share_begin(cells, t + 1, ws.team->size()); ++c) {
      const auto cell = static_cast<std::size_t>(c);
      work.cell_force[cell] = cell_force(body, cell, corners_of(soft, cell, state));
    }
  });
  ws.team->run([&](int t) {
    for (int k = work.first_plane[static_cast<std::size_t>(t)]; k < work.first_plane[static_cast<std::size_t>(t) + 1];
         ++k) {
      const std::size_t begin = static_cast<std::size_t>(k) * kTetChunk;
      for (std::size_t n = begin; n < std::min(begin + kTetChunk, vertices); ++n) {
        Vec3 force = edge_forces(body, first, n, state, work.planes[static_cast<std::size_t>(k)]);
        for (auto e = static_cast<std::size_t>(body.volumes.begin[n]);
             e < static_cast<std::size_t>(body.volumes.begin[n + 1]); ++e)
          force += work.cell_force[static_cast<std::size_t>(body.volumes.cell[e])]
                                  [static_cast<std::size_t>(body.volumes.corner[e])];
        ws.force.set(first + n, force);
      }
    }
  });
  sum_planes(work);
  if (!ws.want_energy) return;
  for (std::size_t c = 0; c < body.mesh.cells.size(); ++c) {
    const double change = volume_of(corners_of(soft, c, state)) - body.volumes.rest_m3[c];
    work.elastic_j += 0.5 * body.volumes.stiffness_n_m5[c] * change * change;
  }
}

}  // namespace distal
