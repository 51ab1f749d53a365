#include "distal/force/lattice_force.hpp"

#include <algorithm>

#include "distal/force/lattice_kernel.hpp"

namespace distal {
namespace {

template <typename T>
struct Buffers {
  const T* x[3];
  const T* v[3];
};

template <typename T>
void run_planes(const SoftBody& body, int thread, const Buffers<T>& in, bool energy, AlignedVector<T>& low,
                AlignedVector<T>& high, AlignedVector<T>& row, AlignedVector<double>& carry, Vec3Array& force, SoftWorkspace& ws) {
  const Grid& grid = body.lattice.grid;
  const int first = ws.first_plane[static_cast<std::size_t>(thread)], last = ws.first_plane[static_cast<std::size_t>(thread) + 1];
  const auto plane = static_cast<std::size_t>(grid.plane_size()), stride = plane + kPadding;
  std::fill(carry.begin(), carry.end(), 0.0);
  for (int k = first; k < last; ++k) {
    // `low` starts as what the plane below left for these nodes: the order of the sum is the same for every split.
    std::fill(low.begin(), low.end(), T(0));
    std::fill(high.begin(), high.end(), T(0));
    PlaneJob<T> job{&body.lattice, k, {}, {}, {}, {}, row.data(), energy};
    for (std::size_t c = 0; c < 3; ++c) {
      job.x[c] = in.x[c], job.v[c] = in.v[c];
      job.low[c] = low.data() + c * stride, job.high[c] = high.data() + c * stride;
    }
    add_plane_force(job, ws.planes[static_cast<std::size_t>(k)]);
    for (std::size_t c = 0; c < 3; ++c) {
      double* out = force.data(static_cast<int>(c)) + body.first_particle + static_cast<std::size_t>(k) * plane;
      double* kept = carry.data() + c * stride;
      for (std::size_t n = 0; n < plane; ++n) out[n] = kept[n] + static_cast<double>(low[c * stride + n]);
      combine_planes(high.data() + c * stride, static_cast<const T*>(nullptr), kept, plane);
    }
  }
}

void add_carry(const SoftBody& body, int node_plane, const AlignedVector<double>& carry, bool overwrite, Vec3Array& force) {
  const auto plane = static_cast<std::size_t>(body.lattice.grid.plane_size()), stride = plane + kPadding;
  for (std::size_t c = 0; c < 3; ++c) {
    double* out = force.data(static_cast<int>(c)) + body.first_particle + static_cast<std::size_t>(node_plane) * plane;
    const double* kept = carry.data() + c * stride;
    for (std::size_t n = 0; n < plane; ++n) out[n] = overwrite ? kept[n] : kept[n] + out[n];
  }
}

// The reference point of the single-precision copies: near the body, so that digits go to its shape and not its place.
Vec3 body_centre(const SoftBody& body, const State& state) {
  const Grid& grid = body.lattice.grid;
  return state.x.get(static_cast<std::size_t>(body.first_particle + grid.node(grid.nx / 2, grid.ny / 2, grid.nz / 2)));
}

void copy_to_float(const SoftBody& body, const State& state, int thread, int threads, const Vec3& centre, SoftWorkspace& ws) {
  const int nodes = body.lattice.grid.node_count();
  const auto stride = static_cast<std::size_t>(nodes) + kPadding;
  const auto begin = static_cast<std::size_t>(ThreadTeam::share_begin(nodes / 16, thread, threads)) * 16;
  const auto end = thread + 1 == threads ? static_cast<std::size_t>(nodes) : static_cast<std::size_t>(ThreadTeam::share_begin(nodes / 16, thread + 1, threads)) * 16;
  for (int c = 0; c < 3; ++c) {
    const std::size_t to = static_cast<std::size_t>(c) * stride + begin, from = static_cast<std::size_t>(body.first_particle) + begin;
    narrow(state.x.data(c) + from, centre[c], ws.x_float.data() + to, end - begin);
    narrow(state.v.data(c) + from, 0.0, ws.v_float.data() + to, end - begin);
  }
}

}  // namespace

void compute_lattice_force(const Model& model, std::size_t soft_index, const State& state, Workspace& workspace) {
  const SoftBody& body = model.soft[soft_index];
  SoftWorkspace& ws = workspace.soft[soft_index];
  const auto stride = static_cast<std::size_t>(body.lattice.grid.node_count()) + kPadding;
  if (model.precision == Precision::float_) {
    const Vec3 centre = body_centre(body, state);
    workspace.team->run([&](int t) { copy_to_float(body, state, t, workspace.team->size(), centre, ws); });
  }
  workspace.team->run([&](int t) {
    SoftWorkspace::Scratch& s = ws.scratch[static_cast<std::size_t>(t)];
    auto& carry = ws.carry[static_cast<std::size_t>(t)];
    if (model.precision == Precision::float_) {
      Buffers<float> in{};
      for (std::size_t c = 0; c < 3; ++c) in.x[c] = ws.x_float.data() + c * stride, in.v[c] = ws.v_float.data() + c * stride;
      run_planes(body, t, in, workspace.want_energy, s.low_float, s.high_float, s.row_float, carry, workspace.force, ws);
    } else {
      Buffers<double> in{};
      for (int c = 0; c < 3; ++c) in.x[c] = state.x.data(c) + body.first_particle, in.v[c] = state.v.data(c) + body.first_particle;
      run_planes(body, t, in, workspace.want_energy, s.low, s.high, s.row, carry, workspace.force, ws);
    }
  });
  // What each thread's last plane adds to the first nodes of the next thread.
  const int planes = body.lattice.grid.cell_planes();
  for (std::size_t t = 0; t < ws.carry.size(); ++t) {
    const int end = ws.first_plane[t + 1];
    if (end > ws.first_plane[t]) add_carry(body, end, ws.carry[t], end == planes, workspace.force);
  }
  sum_planes(ws);
}

void sum_planes(SoftWorkspace& ws) {
  ws.elastic_j = ws.dissipation_w = 0.0;
  ws.smallest_j = 1.0;
  ws.worst_cell = -1;
  for (const PlaneSums& plane : ws.planes) {
    ws.elastic_j += plane.elastic_j;
    ws.dissipation_w += plane.dissipation_w;
    ws.smallest_j = std::min(ws.smallest_j, plane.smallest_j);
    if (ws.worst_cell < 0) ws.worst_cell = plane.worst_cell;
  }
}

}  // namespace distal
