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

// How much the volume around a vertex has grown: a quarter of each of its cells.
double vertex_change_m3(const SoftBody& soft, std::size_t vertex, const State& state) {
  const VolumeCells& volumes = soft.tet->volumes;
  double sum = 0.0;
  for (auto e = static_cast<std::size_t>(volumes.begin[vertex]);
       e < static_cast<std::size_t>(volumes.begin[vertex + 1]); ++e) {
    const auto c = static_cast<std::size_t>(volumes.cell[e]);
    sum += 0.25 * (volume_of(corners_of(soft, c, state)) - volumes.rest_m3[c]);
  }
  return sum;
}

// A cell has the mean of its corners' pressures.
std::array<Vec3, 4> pressed_cell_force(const TetBody& body, std::size_t cell, const std::array<Vec3, 4>& corners,
                                       const std::vector<double>& pressure_pa) {
  double sum = 0.0;
  for (const std::int32_t v : body.mesh.cells[cell]) sum += pressure_pa[static_cast<std::size_t>(v)];
  std::array<Vec3, 4> force = volume_gradient(corners);
  for (Vec3& f : force) f *= 0.25 * sum;
  return force;
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
    const double length = d.norm(), rate = (state.v.get(j) - v).dot(d) / length;
    const EdgePull pull = edge_pull(body, e, length);
    force += (pull.force_n + edges.damping[e] * rate) / length * d;
    sums.elastic_j += 0.5 * pull.energy_j;  // half at each end
    sums.dissipation_w += 0.5 * edges.damping[e] * rate * rate;
    if (!(length > 0.0) && sums.worst_cell < 0) sums.worst_cell = static_cast<std::int32_t>(i), sums.smallest_j = 0.0;
  }
  return force;
}

}  // namespace

double beyond_m(const Paper2Description& limits, double length_m, double rest_m) {
  return std::max(length_m - (1.0 + limits.stretch_limit) * rest_m, 0.0) +
         std::min(length_m - (1.0 - limits.compression_limit) * rest_m, 0.0);
}

EdgePull edge_pull(const TetBody& body, std::size_t edge, double length_m) {
  const double k = body.edges.stiffness[edge], rest = body.edges.rest_length[edge], stretch = length_m - rest;
  EdgePull pull{k * stretch, k, 0.5 * k * stretch * stretch};
  const double more = k * body.paper2.limit_stiffness_ratio;
  if (more == 0.0) return pull;
  const double beyond = beyond_m(body.paper2, length_m, rest);
  if (beyond == 0.0) return pull;
  return {pull.force_n + more * beyond, pull.slope_n_m + more, pull.energy_j + 0.5 * more * beyond * beyond};
}

double find_volume_energy(const SoftBody& soft, const State& state) {
  const VolumeCells& volumes = soft.tet->volumes;
  double sum = 0.0;
  if (!volumes.vertex_stiffness_n_m5.empty()) {
    for (std::size_t n = 0; n < volumes.vertex_stiffness_n_m5.size(); ++n) {
      const double change = vertex_change_m3(soft, n, state);
      sum += 0.5 * volumes.vertex_stiffness_n_m5[n] * change * change;
    }
    return sum;
  }
  for (std::size_t c = 0; c < volumes.rest_m3.size(); ++c) {
    const double change = volume_of(corners_of(soft, c, state)) - volumes.rest_m3[c];
    sum += 0.5 * volumes.stiffness_n_m5[c] * change * change;
  }
  return sum;
}

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
  const bool by_vertex = body.paper2.volume == TetVolume::vertex;
  if (by_vertex)
    ws.team->run([&](int t) {
      const int count = static_cast<int>(vertices);
      for (int n = ThreadTeam::share_begin(count, t, ws.team->size());
           n < ThreadTeam::share_begin(count, t + 1, ws.team->size()); ++n) {
        const auto vertex = static_cast<std::size_t>(n);
        work.vertex_pressure_pa[vertex] =
            -body.volumes.vertex_stiffness_n_m5[vertex] * vertex_change_m3(soft, vertex, state);
      }
    });
  const int cells = static_cast<int>(body.mesh.cells.size());
  ws.team->run([&](int t) {
    for (int c = ThreadTeam::share_begin(cells, t, ws.team->size());
         c < ThreadTeam::share_begin(cells, t + 1, ws.team->size()); ++c) {
      const auto cell = static_cast<std::size_t>(c);
      const std::array<Vec3, 4> corners = corners_of(soft, cell, state);
      work.cell_force[cell] = by_vertex ? pressed_cell_force(body, cell, corners, work.vertex_pressure_pa)
                                        : cell_force(body, cell, corners);
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
  if (ws.want_energy) work.elastic_j += find_volume_energy(soft, state);
}

}  // namespace distal
