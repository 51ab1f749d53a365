// Tiles: all cells of the lattice in the order and the layout of the vector kernel.
#include <algorithm>
#include <bit>

#include "distal/core/error.hpp"
#include "distal/math/instruction_set.hpp"
#include "distal/model/cut_cell.hpp"

namespace distal {
namespace {

// Place of a mode (from 0) among the hourglass modes, or -1.
constexpr int hourglass_place(int mode) {
  for (int k = 0; k < 4; ++k)
    if (kHourglassModes[static_cast<std::size_t>(k)] == mode + 1) return k;
  return -1;
}

using TileValues = std::array<float, kTileValues>;

TileValues cut_values(const CutCells& cut, const CutCell& cell) {
  TileValues values{};
  const double size = cut.cell_size_m, unit = cut.spring_unit_n_m();
  values[0] = static_cast<float>(cell.volume / (size * size * size));
  for (int k = 0; k < 4; ++k) {
    const int b = kHourglassModes[static_cast<std::size_t>(k)] - 1;
    const Vec3& g = cell.gradient[static_cast<std::size_t>(b)];
    for (int axis = 0; axis < 3; ++axis)
      values[static_cast<std::size_t>(kTileGradients + 3 * k + axis)] = static_cast<float>(4.0 * size * g[axis]);
    for (int o = 0; o <= k; ++o) {
      const int c = kHourglassModes[static_cast<std::size_t>(o)] - 1;
      const double mean = cut.mu_pa * cell.volume * g.dot(cell.gradient[static_cast<std::size_t>(c)]);
      values[static_cast<std::size_t>(kTileSprings + packed_index(k, o))] =
          static_cast<float>((cell.stiffness[static_cast<std::size_t>(packed_index(b, c))] - mean) / unit);
    }
    values[static_cast<std::size_t>(kTileDamping + k)] =
        static_cast<float>(cell.stiffness[static_cast<std::size_t>(packed_index(b, b))] / unit);
  }
  return values;
}

// One plane of cells: what lies at each node of it.
struct PlaneMap {
  static constexpr int kEmpty = -2, kFull = -1;  // otherwise the index of a cut cell
  std::vector<int> cell;
};

class TilePacker {
 public:
  TilePacker(const std::vector<TileValues>& cells, Lattice& lattice) : cells_(cells), lattice_(lattice) {}

  void add_plane(const PlaneMap& map, std::int32_t first_node) {
    const auto lanes = static_cast<std::size_t>(lattice_.lanes);
    for (std::size_t n = 0; n < map.cell.size(); ++n) {
      if (map.cell[n] == PlaneMap::kEmpty) continue;
      const std::size_t end = std::min(n + lanes, map.cell.size());
      add_tile(map, n, end, first_node);
      n = end - 1;
    }
  }

 private:
  void add_tile(const PlaneMap& map, std::size_t begin, std::size_t end, std::int32_t first_node) {
    CellTile tile{first_node + static_cast<std::int32_t>(begin), static_cast<std::int32_t>(done_)};
    for (std::size_t n = begin; n < end; ++n) {
      tile.before[n - begin] = static_cast<std::uint8_t>(std::popcount(tile.cut));
      if (map.cell[n] != PlaneMap::kEmpty) tile.active |= 1U << (n - begin);
      if (map.cell[n] >= 0) tile.cut |= 1U << (n - begin);
    }
    lattice_.tiles.push_back(tile);
    const auto count = static_cast<std::size_t>(std::popcount(tile.cut));
    CutCells& cut = lattice_.cut;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < kTileValues; ++k)
        cut.values[done_ * kTileValues + k * count + i] = cells_[done_ + i][k];
      cut.first[done_ + i] = static_cast<std::int32_t>(done_);
    }
    done_ += count;
  }

  const std::vector<TileValues>& cells_;  // the cut ones
  Lattice& lattice_;
  std::size_t done_ = 0;  // cut cells
};

NodeSpans find_spans(const Lattice& lattice) {
  NodeSpans spans;
  const std::size_t nx = static_cast<std::size_t>(lattice.grid.nx), lanes = static_cast<std::size_t>(lattice.lanes);
  std::vector<char> wanted(static_cast<std::size_t>(lattice.grid.plane_size()));
  const auto mark = [&](std::size_t begin, std::size_t count) {
    for (std::size_t n = begin; n < std::min(begin + count, wanted.size()); ++n) wanted[n] = 1;
  };
  for (int k = 0; k < lattice.grid.nz; ++k) {
    std::fill(wanted.begin(), wanted.end(), 0);
    for (int cells = std::max(k - 1, 0); cells <= std::min(k, lattice.grid.cell_planes() - 1); ++cells)
      for (auto t = static_cast<std::size_t>(lattice.tile_plane_begin[static_cast<std::size_t>(cells)]);
           t < static_cast<std::size_t>(lattice.tile_plane_begin[static_cast<std::size_t>(cells) + 1]); ++t) {
        const auto node = static_cast<std::size_t>(lattice.tiles[t].node - cells * lattice.grid.plane_size());
        mark(node, lanes + 1), mark(node + nx, lanes + 1);
      }
    spans.add_plane(wanted);
  }
  return spans;
}

void pack_values(const std::vector<TileValues>& cells, const std::vector<std::int32_t>& nodes, Precision precision,
                 Lattice& lattice) {
  CutCells& cut = lattice.cut;
  lattice.tiles.clear();
  lattice.tile_plane_begin.clear();
  lattice.lanes = precision == Precision::float_ ? kernel_lanes<float>() : kernel_lanes<double>();
  cut.count = static_cast<int>(cells.size());
  cut.node = nodes;
  cut.first.assign(nodes.size(), 0);
  cut.values.assign(nodes.size() * kTileValues + kPadding, 0.0F);
  TilePacker packer(cells, lattice);
  const std::int32_t plane_size = lattice.grid.plane_size();
  PlaneMap map;
  std::size_t next = 0;
  const auto mark_plane = [&] { lattice.tile_plane_begin.push_back(static_cast<std::int32_t>(lattice.tiles.size())); };
  for (int plane = 0; plane < lattice.grid.cell_planes(); ++plane) {
    mark_plane();
    const std::int32_t first = plane * plane_size;
    map.cell.assign(static_cast<std::size_t>(plane_size), PlaneMap::kEmpty);
    for (int r = lattice.run_plane_begin[static_cast<std::size_t>(plane)];
         r < lattice.run_plane_begin[static_cast<std::size_t>(plane) + 1]; ++r) {
      const CellRun& run = lattice.runs[static_cast<std::size_t>(r)];
      std::fill_n(map.cell.begin() + (run.node - first), run.count, PlaneMap::kFull);
    }
    for (; next < nodes.size() && nodes[next] < first + plane_size; ++next)
      map.cell[static_cast<std::size_t>(nodes[next] - first)] = static_cast<int>(next);
    packer.add_plane(map, first);
  }
  mark_plane();
  lattice.spans = find_spans(lattice);
}

}  // namespace

void pack_cells(const std::vector<CutCell>& cells, const std::vector<std::int32_t>& nodes, Precision precision,
                Lattice& lattice) {
  lattice.cut.mu_pa = lattice.moduli.shear_pa;
  lattice.cut.cell_size_m = lattice.grid.cell_size_m;
  std::vector<TileValues> values;
  values.reserve(cells.size());
  for (const CutCell& cell : cells) values.push_back(cut_values(lattice.cut, cell));
  pack_values(values, nodes, precision, lattice);
}

Lattice repacked(const Lattice& lattice, Precision precision) {
  std::vector<TileValues> values(lattice.cut.node.size());
  for (std::size_t c = 0; c < values.size(); ++c)
    for (int k = 0; k < kTileValues; ++k)
      values[c][static_cast<std::size_t>(k)] = lattice.cut.values[lattice.cut.place(c, k)];
  Lattice result = lattice;
  pack_values(values, lattice.cut.node, precision, result);
  return result;
}

std::size_t CutCells::place(std::size_t cell, int value) const {
  const auto begin = static_cast<std::size_t>(first[cell]);
  std::size_t end = cell + 1;
  while (end < first.size() && first[end] == first[cell]) ++end;
  return begin * kTileValues + static_cast<std::size_t>(value) * (end - begin) + cell - begin;
}

// In its unit.
double CutCells::stored(std::size_t cell, int value) const {
  const double number = static_cast<double>(values[place(cell, value)]);
  if (value == 0) return number * cell_size_m * cell_size_m * cell_size_m;
  return value < kTileGradients || value >= kTileDamping ? number * spring_unit_n_m() : number;
}

double CutCells::gradient(std::size_t cell, int b, int axis) const {
  const int k = hourglass_place(b);
  const double scaled = k < 0 ? (b + 1 == 1 << axis ? 1.0 : 0.0) : stored(cell, kTileGradients + 3 * k + axis);
  return 0.25 / cell_size_m * scaled;
}

double CutCells::stiffness(std::size_t cell, int b, int c) const {
  double product = 0.0;
  for (int axis = 0; axis < 3; ++axis) product += gradient(cell, b, axis) * gradient(cell, c, axis);
  const int k = hourglass_place(b), o = hourglass_place(c);
  return mu_pa * stored(cell, 0) * product + (k < 0 || o < 0 ? 0.0 : stored(cell, kTileSprings + packed_index(k, o)));
}

double CutCells::get(std::size_t cell, int coefficient) const {
  DISTAL_ASSERT(coefficient >= 0 && coefficient <= kDampingShare);
  if (coefficient == 0) return stored(cell, 0);
  if (coefficient <= kPackedSize) {
    int b = 0;
    while (packed_index(b, b) < coefficient - 1) ++b;
    return stiffness(cell, b, coefficient - 1 - packed_index(b, 0));
  }
  if (coefficient < kDampingShare)
    return gradient(cell, (coefficient - 1 - kPackedSize) / 3, (coefficient - 1 - kPackedSize) % 3);
  const int b = kHourglassModes[0] - 1;
  return stored(cell, kTileDamping) / stiffness(cell, b, b);
}

void CutCells::set_damping_share(std::size_t cell, double share) {
  for (int k = 0; k < 4; ++k) {
    const int b = kHourglassModes[static_cast<std::size_t>(k)] - 1;
    values[place(cell, kTileDamping + k)] = static_cast<float>(share * stiffness(cell, b, b) / spring_unit_n_m());
  }
}

}  // namespace distal
