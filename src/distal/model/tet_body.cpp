#include "distal/model/tet_body.hpp"

#include "distal/model/paper2_body.hpp"
#include "distal/model/shared_weights.hpp"
#include "distal/model/tet_means.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace distal {
namespace {

constexpr double kAlike = 1e-13;  // weights, in the largest: rounding of the vertices' places

// Entries that symmetry makes zero are rounding: this share of the largest is left out.
constexpr double kNothing = 1e-12;

NodalGradients find_nodal_gradients(std::vector<TetMean>& around, std::size_t slots) {
  NodalGradients result;
  std::vector<Vec3> means, givens;
  result.graph.begin.push_back(0);
  double largest = 0.0;
  for (TetMean& mean : around) {
    mean.sum.sort();
    for (const auto& [j, sum] : mean.sum.entries) largest = std::max(largest, sum.norm() / mean.volume);
  }
  // Neighbours are mutual: entry (n, j) finds (j, n) in the row of j.
  for (std::size_t n = 0; n < around.size(); ++n) {
    for (const auto& [j, sum] : around[n].sum.entries) {
      TetMean& other = around[static_cast<std::size_t>(j)];
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
  result.shared_mean = result.mean, result.shared_given = result.given;
  const std::array arrays{SlotWeights<double>{&result.shared_mean, 3 * kLanes},
                          SlotWeights<double>{&result.shared_given, 3 * kLanes}};
  result.shared_slot = share_weights<double>(result.rows, arrays, kAlike);
  result.rows.entry = {};
  return result;
}

SpringRows find_springs(const EdgeMeans& edges, std::size_t vertices, std::size_t slots, double mu_pa) {
  std::vector<SparseRow<double>> rows(vertices);
  for (const auto& [ends, mean] : edges)
    for (const auto& [i, gi] : mean.sum.entries)
      for (const auto& [j, gj] : mean.sum.entries)
        rows[static_cast<std::size_t>(i)][j] += mu_pa / mean.volume * gi.dot(gj);
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
  result.shared_n_m = result.stiffness_n_m;
  result.shared_slot =
      share_weights<double>(result.rows, std::array{SlotWeights<double>{&result.shared_n_m, kLanes}}, kAlike);
  result.rows.entry = {};
  return result;
}

double mean_edge(const EdgeMeans& edges, const TetMesh& mesh) {
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
        shares.stiffness_n_m.push_back((1.0 - body.vertex_share) * body.moduli.shear_pa / mean.volume * gi.dot(gj));
      }
  }
  shares.begin.push_back(static_cast<std::int32_t>(shares.entry.size()));
  return shares;
}

TetBody make_tet_body(TetMesh mesh, const ElasticModuli& moduli, double density_kg_m3, double relaxation_time_s,
                      const TetDescription& description, double vertex_share) {
  TetBody body;
  body.vertex_share = vertex_share;
  body.model = description.model;
  body.paper2 = description.paper2;
  body.mesh = std::move(mesh);
  body.moduli = moduli;
  body.relaxation_time_s = relaxation_time_s;
  body.facets = find_boundary(body.mesh);
  const std::size_t vertices = body.mesh.vertices.size();
  body.mass.assign((vertices + kTetChunk - 1) / kTetChunk * kTetChunk, 0.0);
  for (std::size_t c = 0; c < body.mesh.cells.size(); ++c) {
    const double volume = cell_volume(body.mesh, c);
    body.volume_m3 += volume;
    for (const std::int32_t n : body.mesh.cells[c])
      body.mass[static_cast<std::size_t>(n)] += 0.25 * density_kg_m3 * volume;
  }
  const EdgeMeans edges = find_edge_means(body.mesh);
  if (body.model == TetModel::paper2) {
    add_paper2_springs(body);
  } else if (body.model == TetModel::neo_hookean) {
    std::vector<TetMean> around = find_vertex_means(body.mesh);
    body.gradients = find_nodal_gradients(around, body.mass.size());
    body.springs = find_springs(edges, vertices, body.mass.size(), (1.0 - vertex_share) * moduli.shear_pa);
  }
  body.edge_m = mean_edge(edges, body.mesh);
  return body;
}

}  // namespace distal
