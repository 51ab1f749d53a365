#include "distal/force/tet_force.hpp"

#include <algorithm>
#include <cmath>

#include "distal/force/lattice_force.hpp"
#include "distal/force/tet_force_kernel.hpp"

namespace distal {
namespace {

void copy_vectors(const Vec3Array& from, std::size_t first, std::size_t begin, std::size_t end, std::size_t stride,
                  double* to) {
  for (std::size_t c = 0; c < 3; ++c)
    std::copy(from.component[c].data() + first + begin, from.component[c].data() + first + end,
              to + c * stride + kSpareLanes + begin);
}

tet::ForceJob make_job(const TetBody& body, SoftWorkspace& work, bool energy) {
  const double mu = body.moduli.shear_pa;
  const bool softens = !work.node_factor.empty();
  return {tet::view_of(body.gradients.rows, body.gradients.shared_slot.data()),
          tet::view_of(body.springs.rows, softens ? nullptr : body.springs.shared_slot.data()),
          body.gradients.shared_mean.data(),
          body.gradients.shared_given.data(),
          softens ? work.soft_springs_n_m.data() : body.springs.shared_n_m.data(),
          softens ? work.soft_volume_m3.data() : body.gradients.volume_m3.data(),
          mu,
          body.moduli.lame_lambda_pa,
          mu * body.relaxation_time_s,
          body.vertex_share,
          work.vertex_place.data() + kSpareLanes,
          work.vertex_speed.data() + kSpareLanes,
          work.vertex_stress.data() + kSpareLanes,
          lane_stride(body.mass.size()),
          energy};
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
  SoftWorkspace& work = ws.soft[soft_index];
  const auto first = static_cast<std::size_t>(soft.first_particle), vertices = soft.tet->mesh.vertices.size();
  const auto for_chunks = [&](const auto& visit) {
    ws.team->run([&](int t) {
      for (int k = work.first_plane[static_cast<std::size_t>(t)]; k < work.first_plane[static_cast<std::size_t>(t) + 1];
           ++k) {
        const std::size_t begin = static_cast<std::size_t>(k) * kTetChunk;
        visit(begin, std::min(begin + kTetChunk, vertices), work.planes[static_cast<std::size_t>(k)]);
      }
    });
  };
  const tet::ForceJob job = make_job(*soft.tet, work, ws.want_energy);
  std::fill(work.planes.begin(), work.planes.end(), PlaneSums{});
  for_chunks([&](std::size_t begin, std::size_t end, PlaneSums&) {
    copy_vectors(state.x, first, begin, end, job.stride, work.vertex_place.data());
    if (job.viscosity > 0.0) copy_vectors(state.v, first, begin, end, job.stride, work.vertex_speed.data());
  });
  for_chunks([&](std::size_t begin, std::size_t end, PlaneSums& sums) { find_vertex_stress(job, begin, end, sums); });
  for_chunks([&](std::size_t begin, std::size_t end, PlaneSums& sums) {
    gather_forces(job, begin, end, ws.force.data(0) + first, ws.force.data(1) + first, ws.force.data(2) + first, sums);
  });
  sum_planes(work);
}

}  // namespace distal
