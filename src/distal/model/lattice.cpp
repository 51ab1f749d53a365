#include "distal/model/lattice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "distal/core/error.hpp"
#include "distal/model/cut_cell.hpp"
#include "distal/model/paper_lattice.hpp"

namespace distal {

Vec3 Grid::rest_position(int node_index) const {
  const int i = node_index % nx, j = node_index / nx % ny, k = node_index / (nx * ny);
  return origin_m + cell_size_m * Vec3(i, j, k);
}

int Lattice::active_nodes() const {
  return static_cast<int>(std::count_if(mass.begin(), mass.end(), [](double m) { return m > 0.0; }));
}

std::size_t Lattice::spring_count() const {
  // A full cell gives a share of 12 face diagonals and 4 body diagonals; the paper's springs are counted one by one.
  return kind == LatticeKind::paper
             ? springs.count()
             : 16 * static_cast<std::size_t>(full_cells) + 28 * static_cast<std::size_t>(cut.count);
}

namespace {

Grid make_grid(const Solid& solid, double cell_size, const Vec3& shift_cells) {
  Grid grid;
  grid.cell_size_m = cell_size;
  Eigen::Vector3i nodes;
  for (int axis = 0; axis < 3; ++axis) {
    // A thousandth of a cell of play: a body that ends on a node plane does not ask for another layer.
    const double low = std::floor(solid.bounds.min[axis] / cell_size - shift_cells[axis] + 1e-3);
    const double high = std::ceil(solid.bounds.max[axis] / cell_size - shift_cells[axis] - 1e-3);
    grid.origin_m[axis] = (low + shift_cells[axis]) * cell_size;
    nodes[axis] = static_cast<int>(high - low) + 1;
  }
  grid.nx = nodes.x(), grid.ny = nodes.y(), grid.nz = nodes.z();
  return grid;
}

// What the builder knows about each cell while it works.
enum class Fill : std::uint8_t { empty, full, cut, dropped };

struct CellCensus {
  std::vector<Fill> fill;     // per node = lowest corner
  std::vector<CutCell> cuts;  // by node, in order
  std::vector<std::int32_t> cut_node;
};

CellCensus census_cells(const Solid& solid, const Grid& grid, double mu, double smallest_fraction) {
  CellCensus census;
  census.fill.assign(static_cast<std::size_t>(grid.node_count()), Fill::empty);
  const double size = grid.cell_size_m, reach = 0.5 * std::sqrt(3.0) * size, volume = size * size * size;
  for (int k = 0; k + 1 < grid.nz; ++k)
    for (int j = 0; j + 1 < grid.ny; ++j)
      for (int i = 0; i + 1 < grid.nx; ++i) {
        const int node = grid.node(i, j, k);
        const Vec3 centre = grid.rest_position(node) + Vec3::Constant(0.5 * size);
        const double distance = solid.signed_distance(centre);
        if (distance > reach) continue;
        if (distance < -reach) {
          census.fill[static_cast<std::size_t>(node)] = Fill::full;
          continue;
        }
        CutCell cell = integrate_cut_cell(solid, centre, size, mu);
        Fill fill = Fill::cut;
        if (cell.volume <= 0.0)
          fill = Fill::empty;
        else if (cell.volume < smallest_fraction * volume)
          fill = Fill::dropped;
        else if (cell.volume > (1.0 - 1e-9) * volume)
          fill = Fill::full;
        census.fill[static_cast<std::size_t>(node)] = fill;
        if (fill == Fill::cut || fill == Fill::dropped) {
          census.cuts.push_back(cell);
          census.cut_node.push_back(node);
        }
      }
  return census;
}

// The nearest usable cell to a point, searched in growing rings of cells around its own.
int find_cell(const Grid& grid, const auto& usable, const Vec3& point) {
  const Vec3 place = (point - grid.origin_m) / grid.cell_size_m;
  const auto clamp_cell = [](double value, int nodes) {
    return std::clamp(static_cast<int>(std::floor(value)), 0, nodes - 2);
  };
  const int ci = clamp_cell(place.x(), grid.nx), cj = clamp_cell(place.y(), grid.ny),
            ck = clamp_cell(place.z(), grid.nz);
  int best = -1;
  double best_distance = std::numeric_limits<double>::infinity();
  const int rings = std::max({grid.nx, grid.ny, grid.nz});
  for (int ring = 0; ring < rings; ++ring) {
    if (best >= 0 && ring > best_distance + 1.0) break;
    for (int k = std::max(0, ck - ring); k <= std::min(grid.nz - 2, ck + ring); ++k)
      for (int j = std::max(0, cj - ring); j <= std::min(grid.ny - 2, cj + ring); ++j)
        for (int i = std::max(0, ci - ring); i <= std::min(grid.nx - 2, ci + ring); ++i) {
          if (std::max({std::abs(i - ci), std::abs(j - cj), std::abs(k - ck)}) != ring) continue;
          const int node = grid.node(i, j, k);
          if (!usable(node)) continue;
          const Vec3 low(i, j, k);
          const Vec3 outside = (low - place).cwiseMax(place - low - Vec3::Ones()).cwiseMax(0.0);
          if (outside.norm() < best_distance) best_distance = outside.norm(), best = node;
        }
  }
  DISTAL_ASSERT(best >= 0);
  return best;
}

Vec3 cell_coordinates(const Grid& grid, int node, const Vec3& point) {
  return 2.0 * (point - grid.rest_position(node)) / grid.cell_size_m - Vec3::Ones();
}

void add_masses(Lattice& lattice, const CellCensus& census, double density) {
  const Grid& grid = lattice.grid;
  const double full_share = density * std::pow(grid.cell_size_m, 3) / kCorners;
  const auto usable = [&](int node) {
    const Fill fill = census.fill[static_cast<std::size_t>(node)];
    return fill == Fill::full || fill == Fill::cut;
  };
  for (int node = 0; node < grid.node_count(); ++node)
    if (census.fill[static_cast<std::size_t>(node)] == Fill::full)
      for (int a = 0; a < kCorners; ++a)
        lattice.mass[static_cast<std::size_t>(node + grid.corner_offset(a))] += full_share;
  for (std::size_t c = 0; c < census.cuts.size(); ++c) {
    const CutCell& cell = census.cuts[c];
    int node = census.cut_node[c];
    auto share = cell.mass_share;
    if (census.fill[static_cast<std::size_t>(node)] == Fill::dropped) {
      // Too small to be a cell of its own: its mass goes to the nearest cell, as if it sat at that cell's border.
      lattice.moved_mass_kg += density * cell.volume;
      node = find_cell(grid, usable, cell.centroid);
      share = corner_weights(cell_coordinates(grid, node, cell.centroid).cwiseMax(-1.0).cwiseMin(1.0));
    }
    for (int a = 0; a < kCorners; ++a)
      lattice.mass[static_cast<std::size_t>(node + grid.corner_offset(a))] +=
          density * cell.volume * share[static_cast<std::size_t>(a)];
  }
}

void collect_runs(Lattice& lattice, const CellCensus& census) {
  const Grid& grid = lattice.grid;
  for (int k = 0; k < grid.cell_planes(); ++k) {
    lattice.run_plane_begin.push_back(static_cast<std::int32_t>(lattice.runs.size()));
    for (int j = 0; j + 1 < grid.ny; ++j)
      for (int i = 0; i + 1 < grid.nx; ++i) {
        if (census.fill[static_cast<std::size_t>(grid.node(i, j, k))] != Fill::full) continue;
        const int first = i;
        while (i + 1 < grid.nx && census.fill[static_cast<std::size_t>(grid.node(i, j, k))] == Fill::full) ++i;
        lattice.runs.push_back({grid.node(first, j, k), i - first});
        lattice.full_cells += i - first;
      }
  }
  lattice.run_plane_begin.push_back(static_cast<std::int32_t>(lattice.runs.size()));
}

}  // namespace

Lattice make_lattice(const Solid& solid, const LatticeDescription& description, const ElasticModuli& moduli,
                     double density_kg_m3, double relaxation_time_s, Precision precision) {
  Lattice lattice;
  lattice.kind = description.lattice;
  lattice.moduli = moduli;
  lattice.relaxation_time_s = relaxation_time_s;
  lattice.grid = make_grid(solid, description.cell_size_m, description.grid_shift_cells);
  lattice.mass.assign(static_cast<std::size_t>(lattice.grid.node_count()), 0.0);
  if (description.lattice == LatticeKind::paper) {
    build_paper_lattice(solid, density_kg_m3, lattice);
    return lattice;
  }
  const CellCensus census = census_cells(solid, lattice.grid, moduli.shear_pa, description.smallest_cell_fraction);
  collect_runs(lattice, census);
  add_masses(lattice, census, density_kg_m3);
  lattice.volume_m3 = lattice.full_cells * std::pow(lattice.grid.cell_size_m, 3);
  std::vector<CutCell> kept;
  std::vector<std::int32_t> kept_node;
  for (std::size_t c = 0; c < census.cuts.size(); ++c) {
    lattice.volume_m3 += census.cuts[c].volume;
    if (census.fill[static_cast<std::size_t>(census.cut_node[c])] == Fill::dropped) {
      ++lattice.dropped_cells;
      continue;
    }
    kept.push_back(census.cuts[c]);
    kept_node.push_back(census.cut_node[c]);
  }
  pack_cells(kept, kept_node, precision, lattice);
  if (lattice.full_cells + lattice.cut.count == 0)
    throw InputError("the body holds no cell: cell_size_m is too large for its shape");
  return lattice;
}

EmbeddedPoints embed_points(const Lattice& lattice, const std::vector<Vec3>& points, std::vector<std::int32_t>& order) {
  const Grid& grid = lattice.grid;
  std::vector<std::uint8_t> usable(static_cast<std::size_t>(grid.node_count()), 0);
  std::vector<int> node(points.size());
  std::vector<std::array<double, 3>> place(points.size());
  if (lattice.kind == LatticeKind::paper) {
    // The paper's springs end on particles: each point hangs on the nearest one.
    for (std::size_t p = 0; p < points.size(); ++p) {
      const int particle = nearest_particle(lattice, points[p]);
      const int i = particle % grid.nx, j = particle / grid.nx % grid.ny, k = particle / grid.plane_size();
      const int ci = std::min(i, grid.nx - 2), cj = std::min(j, grid.ny - 2), ck = std::min(k, grid.nz - 2);
      node[p] = grid.node(ci, cj, ck);
      place[p] = {2.0 * (i - ci) - 1.0, 2.0 * (j - cj) - 1.0, 2.0 * (k - ck) - 1.0};
    }
  } else {
    for (const CellRun& run : lattice.runs)
      for (int i = 0; i < run.count; ++i) usable[static_cast<std::size_t>(run.node + i)] = 1;
    for (const std::int32_t n : lattice.cut.node) usable[static_cast<std::size_t>(n)] = 1;
    for (std::size_t p = 0; p < points.size(); ++p) {
      node[p] = find_cell(
          grid, [&](int n) { return usable[static_cast<std::size_t>(n)] != 0; }, points[p]);
      const Vec3 at = cell_coordinates(grid, node[p], points[p]);
      place[p] = {at.x(), at.y(), at.z()};
    }
  }
  order.resize(points.size());
  for (std::size_t p = 0; p < points.size(); ++p) order[p] = static_cast<std::int32_t>(p);
  // By plane of cells, then along the row: neighbours in memory are neighbours in space.
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return node[static_cast<std::size_t>(a)] < node[static_cast<std::size_t>(b)];
  });
  EmbeddedPoints embedded;
  for (const std::int32_t p : order) {
    embedded.node.push_back(node[static_cast<std::size_t>(p)]);
    embedded.place.push_back(place[static_cast<std::size_t>(p)]);
  }
  for (int k = 0; k <= grid.nz; ++k)
    embedded.plane_begin.push_back(static_cast<std::int32_t>(
        std::lower_bound(embedded.node.begin(), embedded.node.end(), k * grid.plane_size()) - embedded.node.begin()));
  return embedded;
}

}  // namespace distal
