#include "distal/state/workspace.hpp"

#include <algorithm>
#include <limits>

namespace distal {
namespace {

std::vector<int> split_cells(const Lattice& lattice, int threads) {
  std::vector<double> cost(static_cast<std::size_t>(lattice.grid.cell_planes()), 1.0);
  if (lattice.kind == LatticeKind::neo_hookean)
    for (std::size_t k = 0; k < cost.size(); ++k)
      cost[k] += lattice.tile_plane_begin[k + 1] - lattice.tile_plane_begin[k];
  std::vector<int> first;
  split_evenly(cost, threads, first);
  return first;
}

SoftWorkspace make_tet_workspace(const SoftBody& body, int threads) {
  SoftWorkspace ws;
  ws.planes.resize(static_cast<std::size_t>(body.planes()));
  const std::size_t vertices = body.tet->mesh.vertices.size();
  if (body.tet->model == TetModel::paper4) {
    // Pieces of work are blocks of rings.
    ws.planes.resize(static_cast<std::size_t>((body.tet->strand.rings + kStrandBlockRings - 1) / kStrandBlockRings));
    const std::size_t rows = static_cast<std::size_t>(body.tet->strand.places) * kStrandRows * kStrandRowLength;
    ws.strand_rows.assign(static_cast<std::size_t>(threads), AlignedVector<double>(rows, 0.0));
  } else if (body.tet->model == TetModel::paper2) {
    ws.cell_force.resize(body.tet->mesh.cells.size());
    ws.vertex_pressure_pa.resize(body.tet->volumes.vertex_stiffness_n_m5.size());
  } else if (body.tet->model == TetModel::neo_hookean) {
    const std::size_t stride = lane_stride(body.tet->mass.size());
    for (AlignedVector<double>* vectors : {&ws.vertex_place, &ws.vertex_speed}) vectors->resize(3 * stride);
    ws.vertex_stress.resize(9 * stride);
  }
  // A vertex costs what its springs do.
  const std::vector<std::int32_t>& begin =
      body.tet->has_network() ? body.tet->edges.begin : body.tet->springs.graph.begin;
  std::vector<double> cost;
  for (std::size_t first = 0; first < vertices; first += kTetChunk)
    cost.push_back(begin.empty() ? 1.0 : begin[std::min(first + kTetChunk, vertices)] - begin[first]);
  split_evenly(cost, threads, ws.first_plane);
  return ws;
}

std::vector<int> split_ligaments(const SoftBody& body, int threads) {
  std::vector<double> cost(static_cast<std::size_t>(body.lattice.grid.nz), 0.0);
  const LigamentMatrix& matrix = body.ligament_matrix;
  for (std::size_t k = 0; k + 1 < matrix.plane_begin.size(); ++k)
    cost[static_cast<std::size_t>(matrix.first[2]) + k] = matrix.plane_begin[k + 1] - matrix.plane_begin[k];
  std::vector<int> first;
  split_evenly(cost, threads, first);
  return first;
}

SoftWorkspace make_soft_workspace(const Model& model, const SoftBody& body) {
  SoftWorkspace ws;
  const Grid& grid = body.lattice.grid;
  const auto threads = static_cast<std::size_t>(model.threads);
  ws.planes.resize(static_cast<std::size_t>(grid.cell_planes()));
  ws.first_plane = split_cells(body.lattice, model.threads);
  ws.first_ligament_plane = split_ligaments(body, model.threads);
  ws.ligament_planes.resize(static_cast<std::size_t>(body.ligament_matrix.count[2]));
  for (auto* rings : {&ws.ligament_displacement, &ws.ligament_rate}) {
    rings->resize(threads);
    for (LigamentRing<double>& ring : *rings) ring.resize(body.ligament_matrix);
  }
  if (body.lattice.kind == LatticeKind::paper) return ws;
  const std::size_t plane = 3 * (static_cast<std::size_t>(grid.plane_size()) + kPadding);
  const std::size_t row = 12 * (static_cast<std::size_t>(grid.nx) + kPadding);
  ws.scratch.resize(threads);
  ws.carry.assign(threads, AlignedVector<double>(plane, 0.0));
  const bool use_float = model.precision == Precision::float_;
  for (auto& s : ws.scratch) {
    if (use_float)
      s.low_float.resize(plane), s.high_float.resize(plane), s.row_float.resize(row);
    else
      s.low.resize(plane), s.high.resize(plane), s.row.resize(row);
  }
  return ws;
}

}  // namespace

Workspace::Workspace(const Model& model) : team(std::make_unique<ThreadTeam>(model.threads)) {
  double smallest_cell = std::numeric_limits<double>::infinity(), largest_cell = 0.0;
  for (const SoftBody& body : model.soft) {
    soft.push_back(body.tet ? make_tet_workspace(body, model.threads) : make_soft_workspace(model, body));
    smallest_cell = std::min(smallest_cell, body.spacing_m());
    largest_cell = std::max(largest_cell, body.spacing_m());
  }
  for (const BodyField& field : model.fields) {
    if (!field.softens()) continue;
    const auto s = static_cast<std::size_t>(field.soft);
    const TetBody& tet = *model.soft[s].tet;
    soft[s].node_factor.assign(tet.mesh.vertices.size(), 1.0);
    soft[s].soft_volume_m3 = tet.gradients.volume_m3;
    soft[s].soft_springs_n_m = tet.springs.stiffness_n_m;
  }
  near_travel_m = model.soft.empty() ? 1e-3 : smallest_cell;
  // The patch counts samples that hover by up to a sixteenth of a cell: the list holds them at any time.
  near_margin_m = near_travel_m + largest_cell / 16.0;
  pairs.resize(model.pairs.size());
  soft_pairs.resize(model.soft_pairs.size());
  skin_neighbours.resize(model.soft.size());
  for (const SoftPair& pair : model.soft_pairs) {
    const SoftBody& partner = model.soft[static_cast<std::size_t>(pair.partner)];
    auto& around = skin_neighbours[static_cast<std::size_t>(pair.partner)];
    if (!around.empty()) continue;
    around.resize(partner.skin.size());
    for (std::size_t t = 0; t < partner.skin_triangles.size(); ++t)
      for (const std::int32_t v : partner.skin_triangles[t])
        around[static_cast<std::size_t>(v)].push_back(static_cast<std::int32_t>(t));
  }
  // A quarter of the skin at once near one thing is more than a press does; beyond it the lists grow once more.
  retry_touches.resize(model.pairs.size() + model.soft_pairs.size());
  for (std::size_t p = 0; p < pairs.size(); ++p)
    if (model.pairs[p].sampled_is_soft) {
      const std::size_t samples = model.soft[static_cast<std::size_t>(model.pairs[p].sampled)].skin.size();
      pairs[p].near.reserve(samples / 4);
      retry_touches[p].reserve(samples / 4);
    }
  force.resize(model.particle_slots);
  rigid_force.resize(model.rigid.size());
  rigid_acceleration.resize(model.rigid.size());
  applied.resize(model.rigid.size());
  joint_commands.resize(model.joints.size());
}

}  // namespace distal
