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

}  // namespace distal
