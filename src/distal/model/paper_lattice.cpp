#include "distal/model/paper_lattice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "distal/core/error.hpp"

namespace distal {
namespace {

// The body's volume by counting small cubes, each with its share inside.
double measure_volume(const Solid& solid, const Grid& grid) {
  constexpr int kFine = 4;
  const double step = grid.cell_size_m / kFine;
  double volume = 0.0;
  const int cells[3] = {(grid.nx - 1) * kFine, (grid.ny - 1) * kFine, (grid.nz - 1) * kFine};
  for (int k = 0; k < cells[2]; ++k)
    for (int j = 0; j < cells[1]; ++j)
      for (int i = 0; i < cells[0]; ++i) {
        const Vec3 point = grid.origin_m + step * (Vec3(i, j, k) + Vec3::Constant(0.5));
        volume += std::clamp(0.5 - solid.signed_distance(point) / step, 0.0, 1.0) * step * step * step;
      }
  return volume;
}

template <typename Visit>
void for_each_neighbour(const Lattice& lattice, int node, Visit&& visit) {
  const Grid& grid = lattice.grid;
  const int i = node % grid.nx, j = node / grid.nx % grid.ny, k = node / grid.plane_size();
  for (int dk = -1; dk <= 1; ++dk)
    for (int dj = -1; dj <= 1; ++dj)
      for (int di = -1; di <= 1; ++di) {
        if (di == 0 && dj == 0 && dk == 0) continue;
        const int ni = i + di, nj = j + dj, nk = k + dk;
        if (ni < 0 || nj < 0 || nk < 0 || ni >= grid.nx || nj >= grid.ny || nk >= grid.nz) continue;
        const int neighbour = grid.node(ni, nj, nk);
        if (lattice.mass[static_cast<std::size_t>(neighbour)] > 0.0)
          visit(neighbour, std::sqrt(di * di + dj * dj + dk * dk));
      }
}

}  // namespace

void build_paper_lattice(const Solid& solid, double density_kg_m3, Lattice& lattice) {
  const Grid& grid = lattice.grid;
  // Points on the surface belong to the body; a point on the rod does not (r < |w| in the paper). A part in 10^9 of a
  // cell settles rounding.
  std::vector<std::int32_t> inside;
  for (int node = 0; node < grid.node_count(); ++node)
    if (solid.signed_distance(grid.rest_position(node)) <= 1e-9 * grid.cell_size_m) inside.push_back(node);
  if (inside.empty()) throw InputError("the body holds no particle: cell_size_m is too large for its shape");
  lattice.volume_m3 = measure_volume(solid, grid);
  const double mass = density_kg_m3 * lattice.volume_m3 / static_cast<double>(inside.size());
  for (const std::int32_t node : inside) lattice.mass[static_cast<std::size_t>(node)] = mass;

  const double area = grid.cell_size_m * grid.cell_size_m;
  SpringNetwork& springs = lattice.springs;
  for (int node = 0; node < grid.node_count(); ++node) {
    springs.begin.push_back(static_cast<std::int32_t>(springs.neighbour.size()));
    if (lattice.mass[static_cast<std::size_t>(node)] == 0.0) continue;
    for_each_neighbour(lattice, node, [&](int neighbour, double cells) {
      const double length = cells * grid.cell_size_m, stiffness = lattice.moduli.youngs_pa * area / length;
      springs.neighbour.push_back(neighbour);
      springs.rest_length.push_back(length);
      springs.stiffness.push_back(stiffness);
      springs.damping.push_back(2.0 * std::sqrt(stiffness * mass / 2.0));
    });
  }
  springs.begin.push_back(static_cast<std::int32_t>(springs.neighbour.size()));
}

int nearest_particle(const Lattice& lattice, const Vec3& point) {
  int best = -1;
  double best_distance = std::numeric_limits<double>::infinity();
  for (int node = 0; node < lattice.grid.node_count(); ++node) {
    if (lattice.mass[static_cast<std::size_t>(node)] == 0.0) continue;
    const double distance = (lattice.grid.rest_position(node) - point).squaredNorm();
    if (distance < best_distance) best_distance = distance, best = node;
  }
  return best;
}

std::vector<std::int32_t> boundary_particles(const Lattice& lattice) {
  std::vector<std::int32_t> boundary;
  for (int node = 0; node < lattice.grid.node_count(); ++node) {
    if (lattice.mass[static_cast<std::size_t>(node)] == 0.0) continue;
    int neighbours = 0;
    for_each_neighbour(lattice, node, [&](int, double) { ++neighbours; });
    if (neighbours < 26) boundary.push_back(node);
  }
  return boundary;
}

}  // namespace distal
