// A soft body on a regular grid: what is constant about it. Nodes fill a box, x fastest; those outside the body are
// inactive (mass 0) and never move. See docs/models/neo_hookean_lattice.md for the equations.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "distal/core/aligned.hpp"
#include "distal/geometry/solid.hpp"
#include "distal/model/cell_modes.hpp"
#include "distal/model/description.hpp"
#include "distal/model/node_spans.hpp"

namespace distal {

// The grid: node (i, j, k) rests at origin + A (i, j, k) in the body's frame; cell (i, j, k) has it as its lowest
// corner.
struct Grid {
  int nx = 0, ny = 0, nz = 0;  // nodes
  double cell_size_m = 0.0;    // A
  Vec3 origin_m = Vec3::Zero();

  int node(int i, int j, int k) const { return (k * ny + j) * nx + i; }
  int node_count() const { return nx * ny * nz; }
  int plane_size() const { return nx * ny; }
  int cell_planes() const { return nz - 1; }
  int corner_offset(int a) const { return (a & 1) + ((a >> 1) & 1) * nx + ((a >> 2) & 1) * nx * ny; }
  Vec3 rest_position(int node_index) const;
};

// Contiguous full cells of one row; `node` is the lowest corner of the first.
struct CellRun {
  std::int32_t node, count;
};

// What makes a cut cell, by the number that get() takes:
//   0         V, the volume inside the body [m^3]
//   1..28     K, spring stiffness between modes [N/m], packed
//   29..49    g, mean gradient of each mode (7 x 3) [1/m]
//   50        share of the hourglass damping, under 1 where a light node would feel too much of it
inline constexpr int kDampingShare = 1 + kPackedSize + 3 * kModes;

// Stored is only what differs from a full cell. A linear mode has the same gradient everywhere, so that K between it
// and any mode is the mean part mu V g_b . g_c, and the rest K' lives on the four hourglass modes alone:
//   0         V / A^3
//   1..10     K' = K - mu V g_b . g_c, packed, in mu A / 48
//   11..22    4 A g (4 x 3)
//   23..26    damping share times K_kk, in mu A / 48
// The n cut cells of a tile stand together: value k of the i-th of them, the first being c of all, at
// c * kTileValues + k * n + i.
inline constexpr int kTileSprings = 1, kTileGradients = 11, kTileDamping = 23, kTileValues = 27;

// Of a full cell.
inline constexpr std::array<float, kTileValues> kFullCell = [] {
  std::array<float, kTileValues> values{};
  values[0] = 1.0F;
  for (int k = 0; k < 4; ++k)
    values[static_cast<std::size_t>(kTileSprings + packed_index(k, k))] =
        values[static_cast<std::size_t>(kTileDamping + k)] = k < 3 ? 2.0F : 1.0F;
  return values;
}();

// Cells side by side in memory that the vector kernel takes at once; row ends and empty cells among them are not
// active.
struct CellTile {
  std::int32_t node;                         // lowest corner of the first lane
  std::int32_t first_cut;                    // of its cut cells
  std::uint32_t active = 0, cut = 0;         // one bit a lane
  std::array<std::uint8_t, 16> before = {};  // per lane: how many lanes before it are cut cells
};

struct CutCells {
  double mu_pa = 0.0, cell_size_m = 0.0;
  std::vector<std::int32_t> node;   // lowest corner, per cut cell; in the order of tiles
  std::vector<std::int32_t> first;  // cut cell of the same tile, per cut cell
  // In single precision whatever that of the forces is: a cell rests in balance, and what it does to its corners sums
  // to zero, for any values.
  AlignedVector<float> values;
  int count = 0;

  std::size_t place(std::size_t cell, int value) const;  // in `values`
  double get(std::size_t cell, int coefficient) const;
  void set_damping_share(std::size_t cell, double share);
  // Of the place of a mode among the hourglass modes: its damping share times its stiffness [N/m].
  double hourglass_damping(std::size_t cell, int k) const { return stored(cell, kTileDamping + k); }
  double spring_unit_n_m() const { return mu_pa * cell_size_m / 48.0; }

 private:
  double stored(std::size_t cell, int value) const;
  double stiffness(std::size_t cell, int b, int c) const;
  double gradient(std::size_t cell, int b, int axis) const;
};

// Springs of the paper's lattice, gathered per particle: neighbour, stiffness [N/m], damping [N s/m], rest length [m].
struct SpringNetwork {
  std::vector<std::int32_t> begin;  // per particle, and the end
  std::vector<std::int32_t> neighbour;
  std::vector<double> stiffness, damping, rest_length;
  std::size_t count() const { return neighbour.size() / 2; }
};

// Points carried by cells, sorted by plane of cells; or by facets.
struct EmbeddedPoints {
  std::vector<std::int32_t> node;                  // lowest corner of the cell, or the first of the facet
  std::vector<std::array<std::int32_t, 3>> facet;  // its vertices; empty for points in cells
  // In its cell, each coordinate from -1 to 1, beyond them where the nearest cell has to carry it; or in its facet, the
  // weights of the three vertices.
  std::vector<std::array<double, 3>> place;
  std::vector<std::int32_t> plane_begin;  // first point of each plane of cells, and the end
  std::size_t size() const { return node.size(); }
  std::array<double, kCorners> weights(std::size_t p) const { return corner_weights(place[p]); }  // of a cell's corners
};

struct Lattice {
  Grid grid;
  LatticeKind kind = LatticeKind::neo_hookean;
  ElasticModuli moduli{};
  double relaxation_time_s = 0.0;
  std::vector<CellRun> runs;                  // neo_hookean: full cells
  std::vector<std::int32_t> run_plane_begin;  // per plane of cells, and the end
  CutCells cut;
  int lanes = 8;                               // of a tile
  std::vector<CellTile> tiles;                 // all cells, for the vector kernel
  std::vector<std::int32_t> tile_plane_begin;  // per plane of cells, and the end
  NodeSpans spans;                             // nodes that tiles read and write, with a few around them
  SpringNetwork springs;                       // paper
  std::vector<double> mass;                    // per node [kg]; 0 = inactive
  int full_cells = 0, dropped_cells = 0;
  double volume_m3 = 0.0, moved_mass_kg = 0.0;  // mass of dropped cells, given to their neighbours

  int active_nodes() const;
  std::size_t spring_count() const;
};

// Fills a solid with cells. `shift_cells` moves the grid against the body's origin, where a node lies otherwise.
Lattice make_lattice(const Solid& solid, const LatticeDescription& description, const ElasticModuli& moduli,
                     double density_kg_m3, double relaxation_time_s, Precision precision);

// The same cells laid out for another precision.
Lattice repacked(const Lattice& lattice, Precision precision);

// Carries points (in the body's frame) by the lattice; every point gets a cell, the nearest one if its own is empty.
// `order` receives the index of the given point at each place of the result.
EmbeddedPoints embed_points(const Lattice& lattice, const std::vector<Vec3>& points, std::vector<std::int32_t>& order);

}  // namespace distal
