#include "distal/force/strand_force.hpp"

#include <algorithm>

#include "distal/force/lattice_force.hpp"
#include "distal/force/strand_kernel.hpp"

namespace distal {
namespace {

using strand::kForceRow;

const double* rest_lengths(const TetBody& body, const State& state, std::size_t soft) {
  return state.spring_rest_m.empty() || state.spring_rest_m[soft].empty() ? body.strand.rest_m.data()
                                                                          : state.spring_rest_m[soft].data();
}

// One block of rings: its rows are filled, its springs summed, its forces written.
class StrandBlock {
 public:
  StrandBlock(const SoftBody& soft, const State& state, const double* rest, const SoftWorkspace& work)
      : soft_(soft), springs_(soft.tet->strand), state_(state), rest_(rest), work_(work) {}

  void compute(int block, double* rows, PlaneSums& sums, Vec3Array& force) const {
    const int first = block * kStrandBlockRings, rings = std::min(kStrandBlockRings, springs_.rings - first);
    // Column 0 is the ring before. Where there is none, nor one behind, its springs have no stiffness.
    const int from = std::max(first - 1, 0), to = std::min(first + rings + 1, springs_.rings);
    for (int place = 0; place < springs_.places; ++place) {
      double* row = rows + static_cast<std::size_t>(place) * kStrandRows * kStrandRowLength;
      const auto column = static_cast<std::size_t>(from - first + 1);
      const auto particle = static_cast<std::size_t>(soft_.first_particle + place * springs_.rings + from);
      for (int c = 0; c < 3; ++c) {
        const auto k = static_cast<std::size_t>(c);
        std::copy_n(state_.x.data(c) + particle, to - from, row + k * kStrandRowLength + column);
        std::copy_n(state_.v.data(c) + particle, to - from, row + (3 + k) * kStrandRowLength + column);
        std::fill_n(row + (kForceRow + k) * kStrandRowLength, kStrandRowLength, 0.0);
      }
      if (!work_.node_factor.empty())
        std::copy_n(work_.node_factor.data() + place * springs_.rings + from, to - from,
                    row + strand::kFactorRow * kStrandRowLength + column);
    }
    // Where rings are alike, all blocks between the outermost read the springs of one: a long strand waits for memory.
    const std::size_t own = springs_.slot(0, first - 1);
    const bool inner = springs_.alike && block > 1 && first + rings < springs_.rings;
    const std::size_t slot = inner ? springs_.slot(0, kStrandBlockRings - 1) : own;
    const bool has_set = rest_ != springs_.rest_m.data();
    strand::add_block_forces(
        {springs_.families.data(), springs_.families.size(), springs_.stride(), springs_.stiffness_n_m.data() + slot,
         rest_ + (has_set ? own : slot), rows, rings, soft_.tet->paper4.spring_damping_s, !work_.node_factor.empty()},
        sums);
    write(first, rings, rows, sums, force);
  }

 private:
  void write(int first, int rings, const double* rows, PlaneSums& sums, Vec3Array& force) const {
    const double beta = soft_.tet->paper4.velocity_damping_n_s_m;
    double lost = 0.0;
    for (int place = 0; place < springs_.places; ++place) {
      const double* row = rows + static_cast<std::size_t>(place) * kStrandRows * kStrandRowLength;
      const auto particle = static_cast<std::size_t>(soft_.first_particle + place * springs_.rings + first);
      for (int c = 0; c < 3; ++c) {
        const double *pull = row + (kForceRow + static_cast<std::size_t>(c)) * kStrandRowLength + 1,
                     *v = row + (3 + static_cast<std::size_t>(c)) * kStrandRowLength + 1;
        double* out = force.data(c) + particle;
        for (int r = 0; r < rings; ++r) {
          out[r] = pull[r] - beta * v[r];
          lost += v[r] * v[r];
        }
      }
    }
    sums.dissipation_w += beta * lost;
  }

  const SoftBody& soft_;
  const StrandSprings& springs_;
  const State& state_;
  const double* rest_;
  const SoftWorkspace& work_;
};

}  // namespace

void compute_strand_force(const Model& model, std::size_t soft_index, const State& state, Workspace& ws) {
  const SoftBody& soft = model.soft[soft_index];
  SoftWorkspace& work = ws.soft[soft_index];
  const StrandBlock block(soft, state, rest_lengths(*soft.tet, state, soft_index), work);
  std::fill(work.planes.begin(), work.planes.end(), PlaneSums{});
  const int blocks = static_cast<int>(work.planes.size());
  ws.team->run([&](int t) {
    double* rows = work.strand_rows[static_cast<std::size_t>(t)].data();
    for (int b = ThreadTeam::share_begin(blocks, t, ws.team->size());
         b < ThreadTeam::share_begin(blocks, t + 1, ws.team->size()); ++b)
      block.compute(b, rows, work.planes[static_cast<std::size_t>(b)], ws.force);
  });
  sum_planes(work);
}

void compute_strand_force_plainly(const Model& model, std::size_t soft_index, const State& state, Workspace& ws) {
  const SoftBody& soft = model.soft[soft_index];
  const TetBody& body = *soft.tet;
  const SpringNetwork& edges = body.edges;
  const double* rest = rest_lengths(body, state, soft_index);
  const AlignedVector<double>& factor = ws.soft[soft_index].node_factor;
  const auto first = static_cast<std::size_t>(soft.first_particle);
  for (std::size_t i = 0; i < body.mesh.vertices.size(); ++i) {
    const Vec3 x = state.x.get(first + i), v = state.v.get(first + i);
    Vec3 force = -body.paper4.velocity_damping_n_s_m * v;
    for (auto e = static_cast<std::size_t>(edges.begin[i]); e < static_cast<std::size_t>(edges.begin[i + 1]); ++e) {
      const auto j = static_cast<std::size_t>(edges.neighbour[e]);
      const Vec3 d = state.x.get(first + j) - x;
      const double length = d.norm(), rate = (state.v.get(first + j) - v).dot(d) / length,
                   stretch = length - rest[body.strand.slot_of_entry[e]],
                   share = factor.empty() ? 1.0 : 0.5 * (factor[i] + factor[j]);
      force += share * (edges.stiffness[e] * stretch + edges.damping[e] * rate) / length * d;
    }
    ws.force.set(first + i, force);
  }
}

}  // namespace distal
