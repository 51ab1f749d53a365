#include "distal/model/tet_body.hpp"

#include "distal/model/paper2_body.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <type_traits>
#include <utility>

namespace distal {
namespace {

using Gradients = std::array<Vec3, 4>;  // of the four shape functions of a cell

Gradients cell_gradients(const TetMesh& mesh, std::size_t cell) {
  const auto at = [&](std::size_t a) -> const Vec3& {
    return mesh.vertices[static_cast<std::size_t>(mesh.cells[cell][a])];
  };
  Mat3 edges;
  edges << at(1) - at(0), at(2) - at(0), at(3) - at(0);
  const Mat3 inverse = edges.inverse();
  Gradients g;
  for (int a = 0; a < 3; ++a) g[static_cast<std::size_t>(a) + 1] = inverse.row(a).transpose();
  g[0] = -(g[1] + g[2] + g[3]);
  return g;
}

// A few entries by vertex. A search from the front is quicker than a tree at such lengths.
template <typename T>
struct SparseRow {
  std::vector<std::pair<std::int32_t, T>> entries;

  T& operator[](std::int32_t vertex) {
    for (auto& [v, value] : entries)
      if (v == vertex) return value;
    return entries.emplace_back(vertex, zero()).second;
  }
  void sort() {
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  }
  static T zero() {
    if constexpr (std::is_same_v<T, Vec3>)
      return Vec3::Zero();
    else
      return T{};
  }
};

// The mean gradients over the cells around something: volume, and per vertex the sum of volume times gradient.
struct Mean {
  double volume = 0.0;
  SparseRow<Vec3> sum;

  void add(const TetMesh& mesh, std::size_t cell, double part, const Gradients& g) {
    volume += part;
    for (std::size_t a = 0; a < 4; ++a) sum[mesh.cells[cell][a]] += part * g[a];
  }
};

// Entries that symmetry makes zero are rounding: this share of the largest is left out.
constexpr double kNothing = 1e-12;

NodalGradients find_nodal_gradients(std::vector<Mean>& around, std::size_t slots) {
  NodalGradients result;
  std::vector<Vec3> means, givens;
  result.graph.begin.push_back(0);
  double largest = 0.0;
  for (Mean& mean : around) {
    mean.sum.sort();
    for (const auto& [j, sum] : mean.sum.entries) largest = std::max(largest, sum.norm() / mean.volume);
  }
  // Neighbours are mutual: entry (n, j) finds (j, n) in the row of j.
  for (std::size_t n = 0; n < around.size(); ++n) {
    for (const auto& [j, sum] : around[n].sum.entries) {
      Mean& other = around[static_cast<std::size_t>(j)];
      const Vec3 mean = sum / around[n].volume, given = other.sum[static_cast<std::int32_t>(n)] / other.volume;
      if (mean.norm() <= kNothing * largest && given.norm() <= kNothing * largest) continue;
      result.graph.neighbour.push_back(j);
      means.push_back(mean);
      givens.push_back(given);
    }
    result.volume_m3.push_back(around[n].volume);
    result.graph.begin.push_back(static_cast<std::int32_t>(result.graph.neighbour.size()));
  }
  result.volume_m3.resize(slots, 0.0);
  result.rows = make_lane_rows(result.graph, slots);
  result.mean = by_lanes(result.rows, means);
  result.given = by_lanes(result.rows, givens);
  result.rows.entry = {};
  return result;
}

SpringRows find_springs(const std::map<std::array<std::int32_t, 2>, Mean>& edges, std::size_t vertices,
                        std::size_t slots, double mu_pa) {
  std::vector<SparseRow<double>> rows(vertices);
  for (const auto& [ends, mean] : edges)
    for (const auto& [i, gi] : mean.sum.entries)
      for (const auto& [j, gj] : mean.sum.entries)
        rows[static_cast<std::size_t>(i)][j] += (1.0 - kVertexShare) * mu_pa / mean.volume * gi.dot(gj);
  SpringRows result;
  std::vector<double> stiffness;
  result.graph.begin.push_back(0);
  for (std::size_t i = 0; i < vertices; ++i) {
    rows[i].sort();
    const double own = rows[i][static_cast<std::int32_t>(i)], least = kNothing * own;
    result.own_n_m.push_back(own);
    for (const auto& [j, k] : rows[i].entries)
      if (std::abs(k) > least) {
        result.graph.neighbour.push_back(j);
        stiffness.push_back(k);
      }
    result.graph.begin.push_back(static_cast<std::int32_t>(result.graph.neighbour.size()));
  }
  result.rows = make_lane_rows(result.graph, slots);
  result.stiffness_n_m = by_lanes(result.rows, stiffness);
  result.rows.entry = {};
  return result;
}

std::map<std::array<std::int32_t, 2>, Mean> find_edge_means(const TetMesh& mesh) {
  std::map<std::array<std::int32_t, 2>, Mean> edges;
  for (std::size_t c = 0; c < mesh.cells.size(); ++c) {
    const Gradients g = cell_gradients(mesh, c);
    const auto& cell = mesh.cells[c];
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = 0; b < a; ++b)
        edges[{std::min(cell[a], cell[b]), std::max(cell[a], cell[b])}].add(mesh, c, cell_volume(mesh, c) / 6.0, g);
  }
  return edges;
}

double mean_edge(const std::map<std::array<std::int32_t, 2>, Mean>& edges, const TetMesh& mesh) {
  double sum = 0.0;
  for (const auto& [ends, mean] : edges)
    sum += (mesh.vertices[static_cast<std::size_t>(ends[0])] - mesh.vertices[static_cast<std::size_t>(ends[1])]).norm();
  return sum / static_cast<double>(edges.size());
}

// Where each entry of the graph stands among slots and lanes.
std::vector<std::int32_t> places_of_entries(const LaneRows& rows, const VertexGraph& graph) {
  std::vector<std::int32_t> place(graph.neighbour.size());
  for (std::size_t k = 0; k < rows.entry.size(); ++k)
    if (rows.entry[k] >= 0) place[static_cast<std::size_t>(rows.entry[k])] = static_cast<std::int32_t>(k);
  return place;
}

}  // namespace

EdgeShares find_edge_shares(const TetBody& body) {
  EdgeShares shares;
  const VertexGraph& graph = body.springs.graph;
  const std::vector<std::int32_t> place = places_of_entries(make_lane_rows(graph, body.mass.size()), graph);
  shares.own.resize(body.mesh.vertices.size());
  for (const auto& [ends, mean] : find_edge_means(body.mesh)) {
    shares.ends.push_back(ends);
    shares.begin.push_back(static_cast<std::int32_t>(shares.entry.size()));
    for (const auto& [i, gi] : mean.sum.entries)
      for (const auto& [j, gj] : mean.sum.entries) {
        const auto first = graph.neighbour.begin() + graph.begin[static_cast<std::size_t>(i)],
                   last = graph.neighbour.begin() + graph.begin[static_cast<std::size_t>(i) + 1];
        const auto found = std::lower_bound(first, last, j);
        if (found == last || *found != j) continue;  // the sum over all edges is nothing
        shares.entry.push_back(place[static_cast<std::size_t>(found - graph.neighbour.begin())]);
        if (i == j) shares.own[static_cast<std::size_t>(i)] = shares.entry.back();
        shares.stiffness_n_m.push_back((1.0 - kVertexShare) * body.moduli.shear_pa / mean.volume * gi.dot(gj));
      }
  }
  shares.begin.push_back(static_cast<std::int32_t>(shares.entry.size()));
  return shares;
}

TetBody make_tet_body(TetMesh mesh, const ElasticModuli& moduli, double density_kg_m3, double relaxation_time_s,
                      const TetDescription& description) {
  TetBody body;
  body.model = description.model;
  body.paper2 = description.paper2;
  body.mesh = std::move(mesh);
  body.moduli = moduli;
  body.relaxation_time_s = relaxation_time_s;
  body.facets = find_boundary(body.mesh);
  const std::size_t vertices = body.mesh.vertices.size();
  body.mass.assign((vertices + kTetChunk - 1) / kTetChunk * kTetChunk, 0.0);
  std::vector<Mean> around(vertices);
  const std::map<std::array<std::int32_t, 2>, Mean> edges = find_edge_means(body.mesh);
  for (std::size_t c = 0; c < body.mesh.cells.size(); ++c) {
    const Gradients g = cell_gradients(body.mesh, c);
    const double volume = cell_volume(body.mesh, c);
    const auto& cell = body.mesh.cells[c];
    body.volume_m3 += volume;
    for (std::size_t a = 0; a < 4; ++a) {
      body.mass[static_cast<std::size_t>(cell[a])] += 0.25 * density_kg_m3 * volume;
      around[static_cast<std::size_t>(cell[a])].add(body.mesh, c, 0.25 * volume, g);
    }
  }
  if (body.model == TetModel::paper2) {
    add_paper2_springs(body);
  } else if (body.model == TetModel::neo_hookean) {
    body.gradients = find_nodal_gradients(around, body.mass.size());
    body.springs = find_springs(edges, vertices, body.mass.size(), moduli.shear_pa);
  }
  body.edge_m = mean_edge(edges, body.mesh);
  return body;
}

}  // namespace distal
