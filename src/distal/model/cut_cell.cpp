#include "distal/model/cut_cell.hpp"

#include <algorithm>

namespace distal {
namespace {

constexpr int kSubdivisions = 8;

std::array<Vec3, kModes> physical_mode_gradients(const Vec3& xi, double cell_size) {
  std::array<Vec3, kModes> gradients;
  for (int b = 1; b <= kModes; ++b)
    gradients[static_cast<std::size_t>(b - 1)] = (2.0 / cell_size) * mode_gradient(b, xi);
  return gradients;
}

}  // namespace

CutCell integrate_cut_cell(const Solid& solid, const Vec3& centre, double cell_size_m, double mu_pa) {
  CutCell cell;
  cell.gradient.fill(Vec3::Zero());  // Eigen leaves new vectors as they are
  const double small = cell_size_m / kSubdivisions, small_volume = small * small * small;
  for (int n = 0; n < kSubdivisions * kSubdivisions * kSubdivisions; ++n) {
    const Vec3 index(n % kSubdivisions, n / kSubdivisions % kSubdivisions, n / (kSubdivisions * kSubdivisions));
    const Vec3 xi = (2.0 * index + Vec3::Ones()) / kSubdivisions - Vec3::Ones();
    const Vec3 point = centre + 0.5 * cell_size_m * xi;
    const double inside = std::clamp(0.5 - solid.signed_distance(point) / small, 0.0, 1.0);
    if (inside == 0.0) continue;
    const double w = inside * small_volume;
    cell.volume += w;
    cell.centroid += w * point;
    const auto gradients = physical_mode_gradients(xi, cell_size_m);
    for (std::size_t b = 0; b < kModes; ++b) {
      cell.gradient[b] += w / 8.0 * gradients[b];
      for (std::size_t c = 0; c <= b; ++c)
        cell.stiffness[static_cast<std::size_t>(packed_index(static_cast<int>(b), static_cast<int>(c)))] +=
            mu_pa / 64.0 * w * gradients[b].dot(gradients[c]);
    }
    const auto weights = corner_weights(xi);
    for (std::size_t a = 0; a < kCorners; ++a) cell.mass_share[a] += w * weights[a];
  }
  if (cell.volume <= 0.0) return cell;
  cell.centroid /= cell.volume;
  for (auto& g : cell.gradient) g /= cell.volume;
  for (auto& share : cell.mass_share) share /= cell.volume;
  return cell;
}

CutCells pack_cut_cells(const Grid& grid, const std::vector<CutCell>& cells, const std::vector<std::int32_t>& nodes,
                        Precision precision) {
  CutCells packed;
  packed.count = static_cast<int>(cells.size());
  packed.lanes = precision == Precision::float_ ? 16 : 8;
  const auto lanes = static_cast<std::size_t>(packed.lanes);
  std::vector<double> values;
  const auto value_at = [&](std::size_t c, std::size_t coefficient) -> double& {
    return values[(c / lanes * kCutCoefficients + coefficient) * lanes + c % lanes];
  };
  std::size_t next = 0;
  for (int plane = 0; plane < grid.cell_planes(); ++plane) {
    packed.plane_begin.push_back(static_cast<std::int32_t>(packed.node.size() / lanes));
    while (next < cells.size() && nodes[next] / grid.plane_size() == plane) {
      const std::size_t place = packed.node.size();
      if (place % lanes == 0) values.resize(values.size() + kCutCoefficients * lanes, 0.0);
      packed.node.push_back(nodes[next]);
      const CutCell& cell = cells[next++];
      value_at(place, 0) = cell.volume;
      value_at(place, kDampingShare) = 1.0;
      for (std::size_t c = 0; c < kPackedSize; ++c) value_at(place, 1 + c) = cell.stiffness[c];
      for (std::size_t b = 0; b < kModes; ++b)
        for (std::size_t axis = 0; axis < 3; ++axis)
          value_at(place, 1 + kPackedSize + 3 * b + axis) = cell.gradient[b][static_cast<Eigen::Index>(axis)];
    }
    while (packed.node.size() % lanes != 0) packed.node.push_back(-1);
  }
  packed.plane_begin.push_back(static_cast<std::int32_t>(packed.node.size() / lanes));
  if (precision == Precision::float_) packed.coefficients_float.assign(values.begin(), values.end());
  else packed.coefficients.assign(values.begin(), values.end());
  return packed;
}

}  // namespace distal
