#include "distal/force/lattice_force.hpp"

#include <algorithm>

#include "distal/force/lattice_kernel.hpp"

namespace distal {
namespace {

// Room for a plane of nodes and its padding on both sides, an odd number of cache lines in either precision: the kernel
// works on thirty such arrays at once, and at even distances they would fight for the same lines of the cache.
std::size_t plane_stride(const Grid& grid) {
  constexpr std::size_t kLine = kAlignment / sizeof(float);
  const std::size_t lines = (static_cast<std::size_t>(grid.plane_size()) + 2 * kPadding + kLine - 1) / kLine;
  return (lines / 4 * 4 + 5) * kLine;
}

template <typename T>
void grow(AlignedVector<T>& buffer, std::size_t size) {
  if (buffer.size() < size) buffer.resize(size, T(0));
}

// Six arrays over the nodes of a plane, from the given place of a buffer.
template <typename T>
NodeForces<T> node_forces(AlignedVector<T>& buffer, std::size_t stride, std::size_t place) {
  NodeForces<T> forces{};
  for (std::size_t c = 0; c < 3; ++c) {
    forces.left[c] = buffer.data() + (place + c) * stride + kPadding;
    forces.right[c] = buffer.data() + (place + 3 + c) * stride + kPadding;
  }
  return forces;
}

// Positions and velocities of planes of nodes, in the kernel's precision.
class NodesDouble {
 public:
  NodesDouble(const SoftBody& body, const State& state, AlignedVector<double>&) : body_(body), state_(state) {}
  void load(int) {}
  void point(int node_plane, const double* (&x)[3], const double* (&v)[3]) const {
    const auto offset = static_cast<std::size_t>(body_.first_particle + node_plane * body_.lattice.grid.plane_size());
    for (int c = 0; c < 3; ++c) x[c] = state_.x.data(c) + offset, v[c] = state_.v.data(c) + offset;
  }

 private:
  const SoftBody& body_;
  const State& state_;
};

// Copies of two planes, taken when they are needed: they stay in the cache. Positions count from the middle of the
// body, so that digits go to its shape and not its place.
class NodesFloat {
 public:
  NodesFloat(const SoftBody& body, const State& state, AlignedVector<float>& copies)
      : body_(body), state_(state), copies_(copies) {
    const Grid& grid = body.lattice.grid;
    centre_ =
        state.x.get(static_cast<std::size_t>(body.first_particle + grid.node(grid.nx / 2, grid.ny / 2, grid.nz / 2)));
    stride_ = plane_stride(grid);
    grow(copies_, 12 * stride_);
  }
  void load(int node_plane) {
    const auto count = static_cast<std::size_t>(body_.lattice.grid.plane_size());
    const std::size_t from =
        static_cast<std::size_t>(body_.first_particle) + static_cast<std::size_t>(node_plane) * count;
    for (int c = 0; c < 3; ++c) {
      narrow(state_.x.data(c) + from, centre_[c], copy(node_plane, c), count);
      narrow(state_.v.data(c) + from, 0.0, copy(node_plane, 3 + c), count);
    }
  }
  void point(int node_plane, const float* (&x)[3], const float* (&v)[3]) {
    for (int c = 0; c < 3; ++c) x[c] = copy(node_plane, c), v[c] = copy(node_plane, 3 + c);
  }

 private:
  float* copy(int node_plane, int c) {
    return copies_.data() + static_cast<std::size_t>(6 * (node_plane & 1) + c) * stride_;
  }

  const SoftBody& body_;
  const State& state_;
  AlignedVector<float>& copies_;
  Vec3 centre_;
  std::size_t stride_ = 0;
};

// Planes of one thread. What a plane adds to the nodes below it and above it is summed apart, and then together: the
// order of the sum is the same for every split.
template <typename T, class Nodes>
void run_planes(const SoftBody& body, const State& state, int thread, Nodes nodes, bool energy,
                AlignedVector<T>& low_buffer, AlignedVector<T>& high_buffer, Vec3Array& force, SoftWorkspace& ws) {
  const Grid& grid = body.lattice.grid;
  const int first = ws.first_plane[static_cast<std::size_t>(thread)],
            last = ws.first_plane[static_cast<std::size_t>(thread) + 1];
  if (first == last) return;
  const auto plane = static_cast<std::size_t>(grid.plane_size()), stride = plane_stride(grid);
  grow(low_buffer, 6 * stride), grow(high_buffer, 12 * stride);
  const NodeForces<T> low = node_forces(low_buffer, stride, 0);
  NodeForces<T> high = node_forces(high_buffer, stride, 0), below = node_forces(high_buffer, stride, 6);
  nodes.load(first);
  for (int k = first; k < last; ++k) {
    nodes.load(k + 1);
    PlaneJob<T> job{&body.lattice, k, {}, {}, {}, {}, low, high, {}, {}, energy};
    nodes.point(k, job.x_low, job.v_low), nodes.point(k + 1, job.x_high, job.v_high);
    double* out[3];
    const std::size_t next =
        static_cast<std::size_t>(body.first_particle) + static_cast<std::size_t>(std::min(k + 2, last)) * plane;
    for (int c = 0; c < 3; ++c) {
      job.out[c] = out[c] = force.data(c) + body.first_particle + static_cast<std::size_t>(k) * plane;
      job.ahead[c] = state.x.data(c) + next, job.ahead[3 + c] = state.v.data(c) + next;
    }
    add_plane_force(job, ws.planes[static_cast<std::size_t>(k)]);
    for (int c = 0; c < 3; ++c) take_forces(low, k == first ? nullptr : &below, c, out[c], plane);
    std::swap(high, below);
  }
  double* carry = ws.carry[static_cast<std::size_t>(thread)].data();
  for (std::size_t c = 0; c < 3; ++c) take_forces(below, nullptr, static_cast<int>(c), carry + c * plane, plane);
}

// What each thread's last plane adds to the first nodes of the next thread.
void add_carries(const SoftBody& body, const SoftWorkspace& ws, Vec3Array& force) {
  const auto plane = static_cast<std::size_t>(body.lattice.grid.plane_size());
  for (std::size_t t = 0; t < ws.carry.size(); ++t) {
    const int end = ws.first_plane[t + 1];
    if (end == ws.first_plane[t]) continue;
    const bool top = end == body.lattice.grid.cell_planes();
    for (std::size_t c = 0; c < 3; ++c) {
      double* out = force.data(static_cast<int>(c)) + body.first_particle + static_cast<std::size_t>(end) * plane;
      const double* carry = ws.carry[t].data() + c * plane;
      for (std::size_t n = 0; n < plane; ++n) out[n] = top ? carry[n] : carry[n] + out[n];
    }
  }
}

}  // namespace

void compute_lattice_force(const Model& model, std::size_t soft_index, const State& state, Workspace& workspace) {
  const SoftBody& body = model.soft[soft_index];
  SoftWorkspace& ws = workspace.soft[soft_index];
  workspace.team->run([&](int t) {
    SoftWorkspace::Scratch& s = ws.scratch[static_cast<std::size_t>(t)];
    if (model.precision == Precision::float_)
      run_planes<float>(body, state, t, NodesFloat(body, state, s.row_float), workspace.want_energy, s.low_float,
                        s.high_float, workspace.force, ws);
    else
      run_planes<double>(body, state, t, NodesDouble(body, state, s.row), workspace.want_energy, s.low, s.high,
                         workspace.force, ws);
  });
  add_carries(body, ws, workspace.force);
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
