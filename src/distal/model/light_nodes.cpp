#include "distal/model/light_nodes.hpp"

#include <algorithm>
#include <cmath>

namespace distal {
namespace {

// What a cell adds to the row sum of its corner a for corner o, at a * kCorners + o.
using CellRows = std::array<double, kCorners * kCorners>;

// Row sums |K| of the stiffness at rest bound the frequency of each node: omega^2 <= row sum / mass (Gershgorin).
CellRows compute_rows(const ElasticModuli& moduli, double volume, const auto& stiffness, const auto& gradient) {
  std::array<Vec3, kCorners> g;
  for (int a = 0; a < kCorners; ++a) {
    g[static_cast<std::size_t>(a)] = Vec3::Zero();
    for (int b = 1; b <= kModes; ++b) g[static_cast<std::size_t>(a)] += mode_sign(b, a) * gradient(b - 1);
  }
  CellRows rows;
  for (int a = 0; a < kCorners; ++a)
    for (int o = 0; o < kCorners; ++o) {
      double spring = 0.0;
      for (int b = 1; b <= kModes; ++b)
        for (int c = 1; c <= kModes; ++c) spring += mode_sign(b, a) * mode_sign(c, o) * stiffness(b - 1, c - 1);
      rows[static_cast<std::size_t>(a * kCorners + o)] =
          std::abs(spring) + (moduli.lame_lambda_pa + moduli.shear_pa) * volume *
                                 g[static_cast<std::size_t>(a)].norm() * g[static_cast<std::size_t>(o)].norm();
    }
  return rows;
}

void add_rows(const Grid& grid, std::int32_t node, const CellRows& rows, std::vector<double>& sums) {
  for (int a = 0; a < kCorners; ++a)
    for (int o = 0; o < kCorners; ++o)
      sums[static_cast<std::size_t>(node + grid.corner_offset(a))] += rows[static_cast<std::size_t>(a * kCorners + o)];
}

double full_spring(const Lattice& lattice, int b, int c) {
  if (b != c) return 0.0;
  const int order = ((b + 1) & 1) + (((b + 1) >> 1) & 1) + (((b + 1) >> 2) & 1);
  return lattice.moduli.shear_pa * lattice.grid.cell_size_m / (order == 1 ? 16.0 : order == 2 ? 24.0 : 48.0);
}

Vec3 full_gradient(const Lattice& lattice, int b) {
  Vec3 g = Vec3::Zero();
  for (int axis = 0; axis < 3; ++axis)
    if (b + 1 == 1 << axis) g[axis] = 0.25 / lattice.grid.cell_size_m;
  return g;
}

// Nodes may vibrate this much faster (squared) than those inside the body.
constexpr double kLightness = 2.0;

std::vector<double> sum_rows(const SoftBody& body) {
  const Lattice& lattice = body.lattice;
  std::vector<double> sums(lattice.mass.size(), 0.0);
  const double size = lattice.grid.cell_size_m;
  // Full cells are all alike.
  const CellRows full = compute_rows(
      lattice.moduli, size * size * size, [&](int b, int c) { return full_spring(lattice, b, c); },
      [&](int b) { return full_gradient(lattice, b); });
  for (const CellRun& run : lattice.runs)
    for (std::int32_t i = 0; i < run.count; ++i) add_rows(lattice.grid, run.node + i, full, sums);
  const CutCells& cut = lattice.cut;
  for (std::size_t n = 0; n < cut.node.size(); ++n) {
    Eigen::Matrix<double, kDampingShare, 1> value;
    for (int k = 0; k < kDampingShare; ++k) value[k] = cut.get(n, k);
    const CellRows rows = compute_rows(
        lattice.moduli, value[0], [&](int b, int c) { return value[1 + packed_index(b, c)]; },
        [&](int b) -> Vec3 { return value.segment<3>(1 + kPackedSize + 3 * b); });
    add_rows(lattice.grid, cut.node[n], rows, sums);
  }
  return sums;
}

// Row sum of one corner of a full cell; a node inside the body has eight of them and the mass of one cell.
double full_row_sum(const Lattice& lattice) {
  const ElasticModuli& moduli = lattice.moduli;
  const double size = lattice.grid.cell_size_m, gradient = std::sqrt(3.0) / (4.0 * size);
  double sum = kCorners * (moduli.lame_lambda_pa + moduli.shear_pa) * size * size * size * gradient * gradient;
  for (int o = 0; o < kCorners; ++o) {
    double spring = 0.0;
    for (int b = 1; b <= kModes; ++b) spring += mode_sign(b, 0) * mode_sign(b, o) * full_spring(lattice, b - 1, b - 1);
    sum += std::abs(spring);
  }
  return sum;
}

// Row sums bound each node's frequency; those over the yardstick borrow mass from neighbours that can spare it.
double balance_masses(SoftBody& body, double cell_mass) {
  Lattice& lattice = body.lattice;
  const Grid& grid = lattice.grid;
  const std::vector<double> rows = sum_rows(body);
  const double mass_per_stiffness = cell_mass / (kLightness * kCorners * full_row_sum(lattice));

  std::vector<double> wanted(lattice.mass.size(), 0.0);
  for (std::size_t n = 0; n < wanted.size(); ++n)
    if (lattice.mass[n] > 0.0) wanted[n] = mass_per_stiffness * rows[n];
  double moved = 0.0;
  for (int n = 0; n < grid.node_count(); ++n) {
    const auto node = static_cast<std::size_t>(n);
    double lack = wanted[node] - lattice.mass[node];
    if (lattice.mass[node] == 0.0 || lack <= 0.0) continue;
    // Neighbours give in proportion to what they can spare.
    std::vector<std::size_t> donors;
    double spare = 0.0;
    const int i = n % grid.nx, j = n / grid.nx % grid.ny, k = n / grid.plane_size();
    for (int dk = std::max(k - 1, 0); dk <= std::min(k + 1, grid.nz - 1); ++dk)
      for (int dj = std::max(j - 1, 0); dj <= std::min(j + 1, grid.ny - 1); ++dj)
        for (int di = std::max(i - 1, 0); di <= std::min(i + 1, grid.nx - 1); ++di) {
          const auto other = static_cast<std::size_t>(grid.node(di, dj, dk));
          if (lattice.mass[other] <= wanted[other]) continue;
          donors.push_back(other);
          spare += lattice.mass[other] - wanted[other];
        }
    if (spare <= 0.0) continue;
    const double given = std::min(lack, spare);
    for (const std::size_t other : donors) lattice.mass[other] -= given * (lattice.mass[other] - wanted[other]) / spare;
    lattice.mass[node] += given;
    moved += given;
  }
  return moved;
}

// Embedded points that hang on light nodes (an emptied neighbour cell, a sliver) are held more softly: none pulls
// harder on its mass than kOutlier times an ordinary point does.
constexpr double kOutlier = 4.0;

void soften_outliers(const SoftBody& body, const EmbeddedPoints& points, double cell_mass, std::vector<double>& share) {
  share.assign(points.size(), 1.0);
  for (std::size_t p = 0; p < points.size(); ++p)
    share[p] = std::min(1.0, kOutlier * embedded_mass(body.lattice, points, p) / (2.0 * cell_mass));
}

// Hourglass damping goes by modes and does not see how little of a node is inside the body: kept to what a node of its
// mass would feel in kOutlier times its share of full cells.
void limit_damping(Lattice& lattice, double cell_mass) {
  double full = 0.0;
  for (const int mode : kHourglassModes) full += full_spring(lattice, mode - 1, mode - 1);
  CutCells& cut = lattice.cut;
  for (std::size_t n = 0; n < cut.node.size(); ++n) {
    double lightest = cell_mass, stiffness = 0.0;
    for (int a = 0; a < kCorners; ++a)
      lightest =
          std::min(lightest, lattice.mass[static_cast<std::size_t>(cut.node[n] + lattice.grid.corner_offset(a))]);
    for (const int mode : kHourglassModes) stiffness += cut.get(n, 1 + packed_index(mode - 1, mode - 1));
    cut.set_damping_share(n, std::min(1.0, kOutlier * full * lightest / cell_mass / stiffness));
  }
}

}  // namespace

double embedded_mass(const Lattice& lattice, const EmbeddedPoints& points, std::size_t p) {
  const auto weight = points.weights(p);
  double inverse = 0.0;
  for (int a = 0; a < kCorners; ++a) {
    const double w = weight[static_cast<std::size_t>(a)];
    const double m = lattice.mass[static_cast<std::size_t>(points.node[p] + lattice.grid.corner_offset(a))];
    if (w != 0.0 && m > 0.0) inverse += w * w / m;
  }
  return inverse > 0.0 ? 1.0 / inverse : 0.0;
}

void relieve_light_nodes(SoftBody& body) {
  Lattice& lattice = body.lattice;
  if (lattice.kind == LatticeKind::paper) {
    body.skin_stiffness_share.assign(body.skin.size(), 1.0);
    return;
  }
  double total = 0.0;
  for (const double m : lattice.mass) total += m;
  const double cell_mass = total / lattice.volume_m3 * std::pow(lattice.grid.cell_size_m, 3);
  body.balanced_mass_kg = balance_masses(body, cell_mass);
  limit_damping(lattice, cell_mass);
  soften_outliers(body, body.skin, cell_mass, body.skin_stiffness_share);
  std::vector<double> share;
  soften_outliers(body, body.ligaments, cell_mass, share);
  for (std::size_t p = 0; p < share.size(); ++p) body.ligament_stiffness_n_m[p] *= share[p];
}

}  // namespace distal
