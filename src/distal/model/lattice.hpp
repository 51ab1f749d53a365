// A soft body on a regular grid: what is constant about it. Nodes fill a box, x fastest; those outside the body are
// inactive (mass 0) and never move. See docs/models/neo_hookean_lattice.md for the equations.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "distal/core/aligned.hpp"
#include "distal/geometry/solid.hpp"
#include "distal/model/cell_modes.hpp"
#include "distal/model/description.hpp"

namespace distal {

// The grid: node (i, j, k) rests at origin + A (i, j, k) in the body's frame; cell (i, j, k) has it as its lowest corner.
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

// Cut cells in blocks of `lanes`, padded per plane by copies of zero volume, coefficients interleaved by lane:
// coefficient c of cell l of block b stands at (b * kCutCoefficients + c) * lanes + l.
//   0         V, the volume inside the body [m^3]
//   1..28     K, spring stiffness between modes [N/m], packed
//   29..49    g, mean gradient of each mode (7 x 3) [1/m]
//   50        share of the hourglass damping, under 1 where a light node would feel too much of it
inline constexpr int kDampingShare = 1 + kPackedSize + 3 * kModes;
inline constexpr int kCutCoefficients = kDampingShare + 1;
struct CutCells {
  int lanes = 8;
  std::vector<std::int32_t> node;         // lowest corner, per padded cell
  std::vector<std::int32_t> plane_begin;  // first block of each plane, and the end
  AlignedVector<double> coefficients;     // one of the two is filled, by the model's precision
  AlignedVector<float> coefficients_float;
  int count = 0;                          // without padding

  double get(std::size_t cell, int coefficient) const {
    return coefficients.empty() ? static_cast<double>(coefficients_float[place(cell, coefficient)]) : coefficients[place(cell, coefficient)];
  }
  void set(std::size_t cell, int coefficient, double value) {
    if (coefficients.empty()) coefficients_float[place(cell, coefficient)] = static_cast<float>(value);
    else coefficients[place(cell, coefficient)] = value;
  }

 private:
  std::size_t place(std::size_t cell, int coefficient) const {
    const auto width = static_cast<std::size_t>(lanes);
    return (cell / width * kCutCoefficients + static_cast<std::size_t>(coefficient)) * width + cell % width;
  }
};

// Springs of the paper's lattice, gathered per particle: neighbour, stiffness [N/m], damping [N s/m], rest length [m].
struct SpringNetwork {
  std::vector<std::int32_t> begin;  // per particle, and the end
  std::vector<std::int32_t> neighbour;
  std::vector<double> stiffness, damping, rest_length;
  std::size_t count() const { return neighbour.size() / 2; }
};

// Points carried by cells: eight corner weights each, sorted by plane of cells.
struct EmbeddedPoints {
  std::vector<std::int32_t> node;                       // lowest corner of the cell
  std::vector<std::array<double, kCorners>> weight;
  std::vector<std::int32_t> plane_begin;                // first point of each plane of cells, and the end
  std::size_t size() const { return node.size(); }
};

struct Lattice {
  Grid grid;
  LatticeKind kind = LatticeKind::neo_hookean;
  ElasticModuli moduli{};
  double relaxation_time_s = 0.0;
  std::vector<CellRun> runs;                   // neo_hookean: full cells
  std::vector<std::int32_t> run_plane_begin;   // per plane of cells, and the end
  CutCells cut;
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

// Carries points (in the body's frame) by the lattice; every point gets a cell, the nearest one if its own is empty.
// `order` receives the index of the given point at each place of the result.
EmbeddedPoints embed_points(const Lattice& lattice, const std::vector<Vec3>& points, std::vector<std::int32_t>& order);

}  // namespace distal
