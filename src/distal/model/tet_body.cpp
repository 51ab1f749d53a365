#include "distal/model/tet_body.hpp"

#include "distal/model/paper2_body.hpp"

#include <algorithm>
#include <array>
#include <map>

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

// The mean gradients over the cells around something: volume, and per vertex the sum of volume times gradient.
struct Mean {
  double volume = 0.0;
  std::map<std::int32_t, Vec3> sum;

  void add(const TetMesh& mesh, std::size_t cell, double part, const Gradients& g) {
    volume += part;
    for (std::size_t a = 0; a < 4; ++a) sum.try_emplace(mesh.cells[cell][a], Vec3::Zero()).first->second += part * g[a];
  }
};

NodalGradients find_nodal_gradients(const std::vector<Mean>& around) {
  NodalGradients result;
  result.graph.begin.push_back(0);
  for (const Mean& mean : around) {
    for (const auto& [vertex, sum] : mean.sum) {
      result.graph.neighbour.push_back(vertex);
      result.mean.push_back(sum / mean.volume);
    }
    result.volume_m3.push_back(mean.volume);
    result.graph.begin.push_back(static_cast<std::int32_t>(result.graph.neighbour.size()));
  }
  // Neighbours are mutual: entry (n, j) finds (j, n) in the row of j.
  for (std::size_t n = 0; n < around.size(); ++n)
    for (const auto& [j, sum] : around[n].sum) {
      const Mean& other = around[static_cast<std::size_t>(j)];
      result.given.push_back(other.sum.at(static_cast<std::int32_t>(n)) / other.volume);
    }
  return result;
}

SpringRows find_springs(const std::map<std::array<std::int32_t, 2>, Mean>& edges, std::size_t vertices, double mu_pa) {
  std::vector<std::map<std::int32_t, double>> rows(vertices);
  for (const auto& [ends, mean] : edges)
    for (const auto& [i, gi] : mean.sum)
      for (const auto& [j, gj] : mean.sum)
        rows[static_cast<std::size_t>(i)][j] += (1.0 - kVertexShare) * mu_pa / mean.volume * gi.dot(gj);
  SpringRows result;
  result.graph.begin.push_back(0);
  for (const auto& row : rows) {
    for (const auto& [j, k] : row) {
      result.graph.neighbour.push_back(j);
      result.stiffness_n_m.push_back(k);
    }
    result.graph.begin.push_back(static_cast<std::int32_t>(result.graph.neighbour.size()));
  }
  return result;
}

double mean_edge(const std::map<std::array<std::int32_t, 2>, Mean>& edges, const TetMesh& mesh) {
  double sum = 0.0;
  for (const auto& [ends, mean] : edges)
    sum += (mesh.vertices[static_cast<std::size_t>(ends[0])] - mesh.vertices[static_cast<std::size_t>(ends[1])]).norm();
  return sum / static_cast<double>(edges.size());
}

}  // namespace

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
  std::map<std::array<std::int32_t, 2>, Mean> edges;
  for (std::size_t c = 0; c < body.mesh.cells.size(); ++c) {
    const Gradients g = cell_gradients(body.mesh, c);
    const double volume = cell_volume(body.mesh, c);
    const auto& cell = body.mesh.cells[c];
    body.volume_m3 += volume;
    for (std::size_t a = 0; a < 4; ++a) {
      body.mass[static_cast<std::size_t>(cell[a])] += 0.25 * density_kg_m3 * volume;
      around[static_cast<std::size_t>(cell[a])].add(body.mesh, c, 0.25 * volume, g);
      for (std::size_t b = 0; b < a; ++b)
        edges[{std::min(cell[a], cell[b]), std::max(cell[a], cell[b])}].add(body.mesh, c, volume / 6.0, g);
    }
  }
  if (body.model == TetModel::paper2) {
    add_paper2_springs(body);
  } else {
    body.gradients = find_nodal_gradients(around);
    body.springs = find_springs(edges, vertices, moduli.shear_pa);
  }
  body.edge_m = mean_edge(edges, body.mesh);
  return body;
}

}  // namespace distal
