// A soft body of tetrahedra: what is constant about it. docs/models/tetrahedra.md has the equations.
#pragma once
#include <array>
#include <cstdint>
#include <limits>
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
  AlignedVector<double> mean;   // G_nj at entry (n, j), by slot, component and lane [1/m]
  AlignedVector<double> given;  // G_jn at the same entry: what vertex n gives to the mean at j
  // Once for all groups of vertices that have the same, and where: what forces read.
  AlignedVector<double> shared_mean, shared_given;
  std::vector<std::int32_t> shared_slot;
  AlignedVector<double> volume_m3;  // that vertex n stands for, a quarter of each cell around it; 0 behind the last
};

// neo_hookean: springs of zero rest length over the edges' mean gradients, f_i = -sum_j k_ij x_j. Rows sum to zero.
struct SpringRows {
  VertexGraph graph;
  LaneRows rows;
  AlignedVector<double> stiffness_n_m;  // by slot and lane
  AlignedVector<double> shared_n_m;     // like those of gradients
  std::vector<std::int32_t> shared_slot;
  std::vector<double> own_n_m;  // of every vertex: k_ii
};

// The same by edge, for bodies whose stiffness is not the same everywhere: what each edge gives to entries of the rows.
struct EdgeShares {
  std::vector<std::array<std::int32_t, 2>> ends;
  std::vector<std::int32_t> begin, entry;  // entries by slot and lane
  std::vector<double> stiffness_n_m;
  std::vector<std::int32_t> own;  // entry of every vertex with itself
};

// Share of mu/2 I1 that is taken at the vertices; the rest at the edges. Edges alone are a little too stiff in bending,
// vertices alone too soft. Strands have their own (strand_bending.hpp).
inline constexpr double kVertexShare = 0.15;

// Vertices of one thread's share begin and end on multiples of this.
inline constexpr int kTetChunk = 64;

// paper2: what a vertex gathers from its cells, and each cell's resistance.
struct VolumeCells {
  std::vector<std::int32_t> begin, cell, corner;  // per vertex, and the end
  std::vector<double> rest_m3, stiffness_n_m5;    // energy stiffness (V - V0)^2 / 2
  std::vector<double> vertex_stiffness_n_m5;      // TetVolume::vertex: of a quarter of the cells around it, instead
};

// Strands: springs of one kind, from one place of the section to another in the same ring or the next.
struct SpringFamily {
  std::int32_t from = 0, to = 0;  // places
  std::int32_t step = 0;          // rings from one end to the other
};
// Vertices are numbered by place, then by ring, so that a family is a run of neighbours in memory.
struct StrandSprings {
  int rings = 0, places = 0;
  std::vector<SpringFamily> families;           // paper4
  AlignedVector<double> stiffness_n_m, rest_m;  // at slot(family, ring); stiffness 0 where there is no spring
  bool alike = false;                           // springs that begin at rings 1 to rings - 2 are those of ring 1
  std::vector<std::int32_t> slot_of_entry;      // of every entry of TetBody::edges
  std::size_t stride() const { return static_cast<std::size_t>(rings) + 1 + kPadding; }
  // Of the spring that begins at a ring, or at -1.
  std::size_t slot(std::size_t family, int ring) const {
    return family * stride() + static_cast<std::size_t>(ring + 1);
  }
};

struct TetBody {
  TetModel model = TetModel::neo_hookean;
  Paper2Description paper2;
  TetMesh mesh;                                     // in the body's frame
  std::vector<std::array<std::int32_t, 3>> facets;  // of the surface
  ElasticModuli moduli{};
  double vertex_share = kVertexShare;  // neo_hookean; below 0: edges carry more than all of mu/2 I1
  double relaxation_time_s = 0.0;
  double edge_m = 0.0;  // mean
  double volume_m3 = 0.0;
  std::vector<double> mass;  // per vertex slot [kg]; 0 behind the last vertex
  NodalGradients gradients;
  SpringRows springs;
  EdgeShares edge_shares;  // only where a field softens the body
  SpringNetwork edges;     // paper2, paper4
  VolumeCells volumes;     // paper2
  Paper4Description paper4;
  GaussianDescription gaussian;
  StrandSprings strand;  // strands: rings and places; paper4: springs too

  // Springs with a rest length; else zero ones, or none.
  bool has_network() const { return model == TetModel::paper2 || model == TetModel::paper4; }
  bool sets() const {
    return model == TetModel::paper4 && paper4.yield_strain < std::numeric_limits<double>::infinity();
  }
  std::size_t spring_count() const {
    return model == TetModel::neo_hookean ? springs.graph.neighbour.size() / 2 : edges.count();
  }
  int slots() const { return static_cast<int>(mass.size()); }
};

EdgeShares find_edge_shares(const TetBody& body);

TetBody make_tet_body(TetMesh mesh, const ElasticModuli& moduli, double density_kg_m3, double relaxation_time_s,
                      const TetDescription& description, double vertex_share = kVertexShare);

}  // namespace distal
