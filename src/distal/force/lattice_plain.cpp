// The neo-Hookean lattice, written as its equations stand in docs/models/neo_hookean_lattice.md.
#include <algorithm>
#include <cmath>

#include "distal/force/lattice_force.hpp"

namespace distal {
namespace {

struct PlainCell {
  double volume;
  std::array<double, kPackedSize> stiffness;  // K
  std::array<Vec3, kModes> gradient;          // g
  std::array<double, 4> damping;              // of the hourglass modes, over the relaxation time
};

PlainCell full_cell(const Lattice& lattice) {
  const double size = lattice.grid.cell_size_m, mu = lattice.moduli.shear_pa;
  PlainCell cell{size * size * size, {}, {}, {}};
  for (int b = 1; b <= kModes; ++b) {
    const int order = (b & 1) + ((b >> 1) & 1) + ((b >> 2) & 1);
    // 1/64 times the integral of |grad phi|^2 = (2/A)^2 (sum of products of xi^2, each of mean 1/3).
    const double mean = order == 1 ? 1.0 : order == 2 ? 2.0 / 3.0 : 1.0 / 3.0;
    cell.stiffness[static_cast<std::size_t>(packed_index(b - 1, b - 1))] = mu * size / 16.0 * mean;
    cell.gradient[static_cast<std::size_t>(b - 1)] = Vec3::Zero();
  }
  for (int axis = 0; axis < 3; ++axis) cell.gradient[static_cast<std::size_t>((1 << axis) - 1)][axis] = 0.25 / size;
  for (std::size_t k = 0; k < kHourglassModes.size(); ++k) {
    const int b = kHourglassModes[k] - 1;
    cell.damping[k] = cell.stiffness[static_cast<std::size_t>(packed_index(b, b))];
  }
  return cell;
}

PlainCell cut_cell(const CutCells& cut, std::size_t c) {
  const auto value = [&](std::size_t k) { return cut.get(c, static_cast<int>(k)); };
  PlainCell cell{value(0), {}, {}, {}};
  for (int k = 0; k < 4; ++k) cell.damping[static_cast<std::size_t>(k)] = cut.hourglass_damping(c, k);
  for (std::size_t k = 0; k < kPackedSize; ++k) cell.stiffness[k] = value(1 + k);
  for (std::size_t b = 0; b < kModes; ++b)
    cell.gradient[b] =
        Vec3(value(1 + kPackedSize + 3 * b), value(2 + kPackedSize + 3 * b), value(3 + kPackedSize + 3 * b));
  return cell;
}

void add_cell(const SoftBody& body, const PlainCell& cell, std::int32_t node, const State& state, bool energy,
              Workspace& ws, PlaneSums& sums) {
  const Lattice& lattice = body.lattice;
  const double mu = lattice.moduli.shear_pa, lambda = lattice.moduli.lame_lambda_pa, tau = lattice.relaxation_time_s;
  const auto particle = [&](int a) {
    return static_cast<std::size_t>(body.first_particle + node + lattice.grid.corner_offset(a));
  };
  std::array<Vec3, kModes> m, rate, s;
  for (int b = 1; b <= kModes; ++b) {
    const auto i = static_cast<std::size_t>(b - 1);
    m[i] = rate[i] = Vec3::Zero();
    for (int a = 0; a < kCorners; ++a) {
      m[i] += mode_sign(b, a) * state.x.get(particle(a));
      rate[i] += mode_sign(b, a) * state.v.get(particle(a));
    }
  }
  Mat3 f = Mat3::Zero(), f_rate = Mat3::Zero();
  for (std::size_t b = 0; b < kModes; ++b) {
    f += m[b] * cell.gradient[b].transpose();
    f_rate += rate[b] * cell.gradient[b].transpose();
  }
  const double j = f.determinant(), log_j = std::log(j);
  if (!(j > 0.0) && sums.worst_cell < 0) sums.worst_cell = node;
  sums.smallest_j = std::min(sums.smallest_j, j);
  const Mat3 inverse = f.inverse(), l = f_rate * inverse, strain_rate = 0.5 * (l + l.transpose());
  Mat3 t = cell.volume * (lambda * log_j - mu) * Mat3::Identity() + 2.0 * mu * tau * cell.volume * strain_rate;
  sums.dissipation_w += 2.0 * mu * tau * cell.volume * strain_rate.squaredNorm();
  const auto stiffness = [&](std::size_t b, std::size_t c) {
    return cell.stiffness[static_cast<std::size_t>(packed_index(static_cast<int>(b), static_cast<int>(c)))];
  };
  for (std::size_t b = 0; b < kModes; ++b) {
    s[b] = Vec3::Zero();
    for (std::size_t c = 0; c < kModes; ++c) s[b] += stiffness(b, c) * m[c];
    if (energy) sums.elastic_j += 0.5 * s[b].dot(m[b]);
  }
  for (std::size_t h = 0; h < kHourglassModes.size(); ++h) {
    const auto k = static_cast<std::size_t>(kHourglassModes[h] - 1);
    const Vec3 q = rate[k] - l * m[k], damping = tau * cell.damping[h] * q;
    sums.dissipation_w += damping.dot(q);
    t -= damping * m[k].transpose();
    s[k] += damping;
  }
  if (energy) sums.elastic_j += cell.volume * (-1.5 * mu - mu * log_j + 0.5 * lambda * log_j * log_j);
  const Mat3 p = t * inverse.transpose();
  for (std::size_t b = 0; b < kModes; ++b) s[b] += p * cell.gradient[b];
  for (int a = 0; a < kCorners; ++a) {
    Vec3 force = Vec3::Zero();
    for (int b = 1; b <= kModes; ++b) force -= mode_sign(b, a) * s[static_cast<std::size_t>(b - 1)];
    ws.force.add(particle(a), force);
  }
}

}  // namespace

void compute_lattice_force_plain(const Model& model, std::size_t soft_index, const State& state, Workspace& ws) {
  const SoftBody& body = model.soft[soft_index];
  const Lattice& lattice = body.lattice;
  for (int n = 0; n < lattice.grid.node_count(); ++n)
    ws.force.set(static_cast<std::size_t>(body.first_particle + n), Vec3::Zero());
  auto& planes = ws.soft[soft_index].planes;
  std::fill(planes.begin(), planes.end(), PlaneSums{});
  const auto sums = [&](std::int32_t node) -> PlaneSums& {
    return planes[static_cast<std::size_t>(node / lattice.grid.plane_size())];
  };
  const PlainCell full = full_cell(lattice);
  for (const CellRun& run : lattice.runs)
    for (std::int32_t i = 0; i < run.count; ++i)
      add_cell(body, full, run.node + i, state, ws.want_energy, ws, sums(run.node));
  for (std::size_t c = 0; c < lattice.cut.node.size(); ++c)
    add_cell(body, cut_cell(lattice.cut, c), lattice.cut.node[c], state, ws.want_energy, ws, sums(lattice.cut.node[c]));
  sum_planes(ws.soft[soft_index]);
}

}  // namespace distal
