// A soft body of tetrahedra: what is constant about it. docs/models/tetrahedra.md has the equations.
#pragma once
#include <cstdint>
#include <vector>

#include "distal/geometry/tet_mesh.hpp"
#include "distal/model/description.hpp"
#include "distal/model/lane_rows.hpp"
#include "distal/model/lattice.hpp"

namespace distal {

// neo_hookean: the mean deformation gradient around vertex n is F_n = sum_j x_j G_nj^T.
struct NodalGradients {
  VertexGraph graph;
  LaneRows rows;
  AlignedVector<double> mean;       // G_nj at entry (n, j), by slot, component and lane [1/m]
  AlignedVector<double> given;      // G_jn at the same entry: what vertex n gives to the mean at j
  AlignedVector<double> volume_m3;  // that vertex n stands for, a quarter of each cell around it; 0 behind the last
};

// neo_hookean: springs of zero rest length over the edges' mean gradients, f_i = -sum_j k_ij x_j. Rows sum to zero.
struct SpringRows {
  VertexGraph graph;
  LaneRows rows;
  AlignedVector<double> stiffness_n_m;  // by slot and lane
  std::vector<double> own_n_m;          // of every vertex: k_ii
};

// Share of mu/2 I1 that is taken at the vertices; the rest at the edges. Edges alone are a little too stiff in bending,
// vertices alone too soft.
inline constexpr double kVertexShare = 0.15;

// Vertices of one thread's share begin and end on multiples of this.
inline constexpr int kTetChunk = 64;

// paper2: what a vertex gathers from its cells, and each cell's resistance.
struct VolumeCells {
  std::vector<std::int32_t> begin, cell, corner;  // per vertex, and the end
  std::vector<double> rest_m3, stiffness_n_m5;    // energy stiffness (V - V0)^2 / 2
};

struct TetBody {
  TetModel model = TetModel::neo_hookean;
  Paper2Description paper2;
  TetMesh mesh;                                     // in the body's frame
  std::vector<std::array<std::int32_t, 3>> facets;  // of the surface
  ElasticModuli moduli{};
  double relaxation_time_s = 0.0;
  double edge_m = 0.0;  // mean
  double volume_m3 = 0.0;
  std::vector<double> mass;  // per vertex slot [kg]; 0 behind the last vertex
  NodalGradients gradients;
  SpringRows springs;
  SpringNetwork edges;  // paper2
  VolumeCells volumes;  // paper2

  std::size_t spring_count() const {
    return model == TetModel::paper2 ? edges.count() : springs.graph.neighbour.size() / 2;
  }
  int slots() const { return static_cast<int>(mass.size()); }
};

TetBody make_tet_body(TetMesh mesh, const ElasticModuli& moduli, double density_kg_m3, double relaxation_time_s,
                      const TetDescription& description);

}  // namespace distal
