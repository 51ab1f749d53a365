#include "distal/geometry/tet_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "distal/core/error.hpp"

namespace distal {
namespace {

// A facet of a cell, equal to the same facet of a neighbour.
struct Facet {
  std::array<std::int32_t, 3> sorted;
  std::size_t place;  // 4 * cell + facet
  bool operator<(const Facet& other) const { return std::tie(sorted, place) < std::tie(other.sorted, other.place); }
};

std::array<std::int32_t, 3> facet_vertices(const TetMesh& mesh, std::size_t place) {
  const auto& cell = mesh.cells[place / 4];
  const auto& facet = cell_facets[place % 4];
  return {cell[facet[0]], cell[facet[1]], cell[facet[2]]};
}

// Equal facets beside each other, in the order of their cells.
std::vector<Facet> sort_facets(const TetMesh& mesh) {
  std::vector<Facet> facets(4 * mesh.cells.size());
  for (std::size_t place = 0; place < facets.size(); ++place) {
    facets[place] = {facet_vertices(mesh, place), place};
    std::sort(facets[place].sorted.begin(), facets[place].sorted.end());
  }
  std::sort(facets.begin(), facets.end());
  return facets;
}

std::size_t count_equal(const std::vector<Facet>& facets, std::size_t first) {
  std::size_t last = first + 1;
  while (last < facets.size() && facets[last].sorted == facets[first].sorted) ++last;
  return last - first;
}

// "cell 7 (vertices 0, 4, 2, 9)"
std::string name_cell(const TetMesh& mesh, std::size_t cell) {
  return fmt::format("cell {} (vertices {})", cell, fmt::join(mesh.cells[cell], ", "));
}

void check_vertices(const TetMesh& mesh, const std::string& where) {
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const Vec3& p = mesh.vertices[v];
    if (!p.allFinite()) {
      throw InputError(fmt::format("{}: vertex {} is not a point: ({}, {}, {}), all coordinates must be finite numbers",
                                   where, v, p.x(), p.y(), p.z()));
    }
  }
}

void check_indices(const TetMesh& mesh, const std::string& where) {
  std::vector<bool> used(mesh.vertices.size(), false);
  for (std::size_t i = 0; i < mesh.cells.size(); ++i) {
    auto cell = mesh.cells[i];
    for (const std::int32_t v : cell) {
      if (v < 0 || static_cast<std::size_t>(v) >= mesh.vertices.size()) {
        throw InputError(fmt::format("{}: {}: vertex {} does not exist, there are {}, counted from 0", where,
                                     name_cell(mesh, i), v, mesh.vertices.size()));
      }
      used[v] = true;
    }
    std::sort(cell.begin(), cell.end());
    const auto* const twice = std::adjacent_find(cell.begin(), cell.end());
    if (twice != cell.end()) {
      throw InputError(
          fmt::format("{}: {}: vertex {} stands there twice, the four must differ", where, name_cell(mesh, i), *twice));
    }
  }
  const auto unused = std::find(used.begin(), used.end(), false);
  if (unused != used.end()) {
    const auto v = unused - used.begin();
    throw InputError(fmt::format("{}: vertex {} ({}, {}, {}) belongs to no cell", where, v, mesh.vertices[v].x(),
                                 mesh.vertices[v].y(), mesh.vertices[v].z()));
  }
}

void check_volumes(const TetMesh& mesh, const std::string& where) {
  for (std::size_t i = 0; i < mesh.cells.size(); ++i) {
    double longest = 0.0;
    for (const auto& [a, b] : cell_edges) {
      longest = std::max(longest, (mesh.vertices[mesh.cells[i][a]] - mesh.vertices[mesh.cells[i][b]]).norm());
    }
    const double volume = cell_volume(mesh, i);
    const double share = volume / (longest * longest * longest);
    // Written so that a NaN, from coordinates too large to multiply, is refused too.
    if (!(std::abs(share) >= flat_cell_share)) {
      throw InputError(fmt::format(
          "{}: {} is flat: its volume is {:.3g} m^3, {:.3g} of the cube of its longest edge ({:.3g} m); at least {:g} "
          "is needed",
          where, name_cell(mesh, i), volume, share, longest, flat_cell_share));
    }
    if (volume < 0.0) {
      throw InputError(fmt::format(
          "{}: {} is inverted: its volume is {:.3g} m^3; seen from the first vertex, the other three must run "
          "clockwise",
          where, name_cell(mesh, i), volume));
    }
  }
}

void check_facets(const TetMesh& mesh, const std::string& where) {
  const std::vector<Facet> facets = sort_facets(mesh);
  std::size_t uses = 0;
  for (std::size_t first = 0; first < facets.size(); first += uses) {
    uses = count_equal(facets, first);
    if (uses == 1) continue;
    const auto one = facets[first].place / 4;
    const auto two = facets[first + 1].place / 4;
    if (uses > 2) {
      throw InputError(fmt::format("{}: the facet of vertices {} is shared by {} cells, two at most can be: {}, {}, {}",
                                   where, fmt::join(facets[first].sorted, ", "), uses, name_cell(mesh, one),
                                   name_cell(mesh, two), name_cell(mesh, facets[first + 2].place / 4)));
    }
    // Neighbours run around their facet in opposite directions: a mirrored order, which sorting tells by its parity.
    const auto is_even = [](const std::array<std::int32_t, 3>& t) {
      return ((t[0] > t[1]) + (t[0] > t[2]) + (t[1] > t[2])) % 2 == 0;
    };
    if (is_even(facet_vertices(mesh, facets[first].place)) == is_even(facet_vertices(mesh, facets[first + 1].place))) {
      throw InputError(fmt::format("{}: {} and {} lie on the same side of their common facet (vertices {}) and overlap",
                                   where, name_cell(mesh, one), name_cell(mesh, two),
                                   fmt::join(facets[first].sorted, ", ")));
    }
  }
}

}  // namespace

double cell_volume(const TetMesh& mesh, std::size_t cell) {
  const auto& v = mesh.cells[cell];
  const Vec3& base = mesh.vertices[v[0]];
  return (mesh.vertices[v[1]] - base).dot((mesh.vertices[v[2]] - base).cross(mesh.vertices[v[3]] - base)) / 6.0;
}

std::vector<std::array<std::int32_t, 3>> find_boundary(const TetMesh& mesh) {
  const std::vector<Facet> facets = sort_facets(mesh);
  std::vector<std::size_t> places;
  std::size_t uses = 0;
  for (std::size_t first = 0; first < facets.size(); first += uses) {
    uses = count_equal(facets, first);
    if (uses == 1) places.push_back(facets[first].place);
  }
  std::sort(places.begin(), places.end());
  std::vector<std::array<std::int32_t, 3>> boundary;
  boundary.reserve(places.size());
  for (const std::size_t place : places) boundary.push_back(facet_vertices(mesh, place));
  return boundary;
}

void check_tet_mesh(const TetMesh& mesh, const std::string& where) {
  if (mesh.cells.empty()) throw InputError(fmt::format("{}: no tetrahedra", where));
  check_vertices(mesh, where);
  check_indices(mesh, where);
  check_volumes(mesh, where);
  check_facets(mesh, where);
}

}  // namespace distal
