// Solids as tetrahedra with shared vertices.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "distal/math/spatial.hpp"

namespace distal {

struct TetMesh {
  std::vector<Vec3> vertices;                      // [m]
  std::vector<std::array<std::int32_t, 4>> cells;  // det(v1 - v0, v2 - v0, v3 - v0) > 0
};

// A cell whose volume is a smaller share of the cube of its longest edge is flat (0.118 is a regular tetrahedron).
inline constexpr double flat_cell_share = 1e-9;

// The facets of a cell, as places in it, counter-clockwise seen from outside; facet k is opposite to vertex k.
inline constexpr std::array<std::array<int, 3>, 4> cell_facets{{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

inline constexpr std::array<std::array<int, 2>, 6> cell_edges{{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

// [m^3], negative where the cell is inverted.
double cell_volume(const TetMesh& mesh, std::size_t cell);

// The facets that belong to one cell only, as indices into the vertices, counter-clockwise seen from outside; in the
// order of their cells.
std::vector<std::array<std::int32_t, 3>> find_boundary(const TetMesh& mesh);

struct TetQuality {
  double smallest_angle_deg, largest_angle_deg;  // dihedral
  double smallest_volume_m3, largest_volume_m3, total_volume_m3;
  double mean_edge_m, shortest_edge_m, longest_edge_m;
  std::size_t vertices, cells;
};
// All zero for a mesh without cells.
TetQuality measure_quality(const TetMesh& mesh);

// Throws InputError that begins with `where` and names the cell, counted from 0, and its vertices: no cells, an index
// out of range, a repeated vertex, a flat or inverted cell, a facet shared by more than two cells or by two on the same
// side of it, a vertex that is not finite or that no cell uses.
void check_tet_mesh(const TetMesh& mesh, const std::string& where);

}  // namespace distal
