#include "distal/force/tet_force.hpp"

#include <algorithm>
#include <cmath>

#include "distal/force/lattice_force.hpp"

namespace distal {
namespace {

// The stress of vertex n times its volume, P_n, from the mean gradient of positions and velocities around it.
void find_stress(const TetBody& body, std::size_t first, std::size_t n, const State& state, bool energy, Mat3& stress,
                 PlaneSums& sums) {
  const NodalGradients& gradients = body.gradients;
  const double mu = body.moduli.shear_pa, lambda = body.moduli.lame_lambda_pa, volume = gradients.volume_m3[n];
  const double viscosity = mu * body.relaxation_time_s;
  Mat3 f = Mat3::Zero(), rate = Mat3::Zero();
  for (auto e = static_cast<std::size_t>(gradients.graph.begin[n]);
       e < static_cast<std::size_t>(gradients.graph.begin[n + 1]); ++e) {
    const std::size_t p = first + static_cast<std::size_t>(gradients.graph.neighbour[e]);
    f.noalias() += state.x.get(p) * gradients.mean[e].transpose();
    if (viscosity > 0.0) rate.noalias() += state.v.get(p) * gradients.mean[e].transpose();
  }
  const Mat3 area = cofactor(f);
  const double j = f.col(0).dot(area.col(0));
  if (!std::isfinite(j) && sums.worst_cell < 0) sums.worst_cell = static_cast<std::int32_t>(n);
  sums.smallest_j = std::min(sums.smallest_j, j);
  const VolumeLog log_j = volume_log(j);
  stress = volume * (kVertexShare * mu * f + (lambda * log_j.value - mu) * log_j.slope * area);
  if (viscosity > 0.0 && j > kLeastVolume) {
    const Mat3 inverse = area.transpose() / j, l = rate * inverse, strain_rate = 0.5 * (l + l.transpose());
    stress += 2.0 * viscosity * volume * strain_rate * inverse.transpose();
    sums.dissipation_w += 2.0 * viscosity * volume * strain_rate.squaredNorm();
  }
  if (energy)
    sums.elastic_j += volume * (mu * (0.5 * kVertexShare * f.squaredNorm() - 1.5) - mu * log_j.value +
                                0.5 * lambda * log_j.value * log_j.value);
}

Vec3 gather_force(const TetBody& body, std::size_t first, std::size_t i, const State& state, bool energy,
                  const std::vector<Mat3>& stress, PlaneSums& sums) {
  Vec3 pull = Vec3::Zero(), force = Vec3::Zero();
  // Against the vertex itself: rows sum to zero, and rounding stays small far from the origin.
  const Vec3 own = state.x.get(first + i);
  for (auto e = static_cast<std::size_t>(body.springs.graph.begin[i]);
       e < static_cast<std::size_t>(body.springs.graph.begin[i + 1]); ++e)
    pull -= body.springs.stiffness_n_m[e] *
            (state.x.get(first + static_cast<std::size_t>(body.springs.graph.neighbour[e])) - own);
  for (auto e = static_cast<std::size_t>(body.gradients.graph.begin[i]);
       e < static_cast<std::size_t>(body.gradients.graph.begin[i + 1]); ++e)
    force.noalias() -= stress[static_cast<std::size_t>(body.gradients.graph.neighbour[e])] * body.gradients.given[e];
  if (energy) sums.elastic_j -= 0.5 * pull.dot(own);
  return force + pull;
}

}  // namespace

VolumeLog volume_log(double j) {
  if (j >= kLeastVolume) return {std::log(j), 1.0 / j, -1.0 / (j * j)};
  const double d = (j - kLeastVolume) / kLeastVolume;
  return {std::log(kLeastVolume) + d - 0.5 * d * d, (1.0 - d) / kLeastVolume, -1.0 / (kLeastVolume * kLeastVolume)};
}

Mat3 cofactor(const Mat3& f) {
  Mat3 area;
  area << f.col(1).cross(f.col(2)), f.col(2).cross(f.col(0)), f.col(0).cross(f.col(1));
  return area;
}

void compute_tet_force(const Model& model, std::size_t soft_index, const State& state, Workspace& ws) {
  const SoftBody& soft = model.soft[soft_index];
  const TetBody& body = *soft.tet;
  SoftWorkspace& work = ws.soft[soft_index];
  const auto first = static_cast<std::size_t>(soft.first_particle), vertices = body.mesh.vertices.size();
  const auto for_chunks = [&](const auto& visit) {
    ws.team->run([&](int t) {
      for (int k = work.first_plane[static_cast<std::size_t>(t)]; k < work.first_plane[static_cast<std::size_t>(t) + 1];
           ++k) {
        const std::size_t begin = static_cast<std::size_t>(k) * kTetChunk;
        for (std::size_t n = begin; n < std::min(begin + kTetChunk, vertices); ++n)
          visit(n, work.planes[static_cast<std::size_t>(k)]);
      }
    });
  };
  std::fill(work.planes.begin(), work.planes.end(), PlaneSums{});
  for_chunks([&](std::size_t n, PlaneSums& sums) {
    find_stress(body, first, n, state, ws.want_energy, work.vertex_stress[n], sums);
  });
  for_chunks([&](std::size_t n, PlaneSums& sums) {
    ws.force.set(first + n, gather_force(body, first, n, state, ws.want_energy, work.vertex_stress, sums));
  });
  sum_planes(work);
}

}  // namespace distal
