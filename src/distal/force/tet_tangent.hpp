// The tangent of neo-Hookean tetrahedra, for implicit steps: products (s K + d C) p without a matrix, and the 3x3
// blocks of its diagonal, in single precision. A product goes round three times (take, stress, give), each vertex by
// vertex: a caller's threads share the chunks of each round and wait between rounds.
#pragma once
#include "distal/force/lattice_tangent.hpp"
#include "distal/force/tet_tangent_kernel.hpp"
#include "distal/state/workspace.hpp"

namespace distal {

class TetTangent {
 public:
  explicit TetTangent(const SoftBody& body);

  // All take the chunks [first, last) of vertices. Arrays run over all particles of the model.
  // Linearises at the positions last taken (with any common shift), with the weights given before and what a field
  // leaves of the stiffness.
  void set_weights(const TangentWeights& weights, const SoftWorkspace& work);
  void linearise(int first, int last);
  // After all chunks are linearised: the blocks of the diagonal.
  void find_diagonal(int first, int last, BasicVec3Array<float>& straight, BasicVec3Array<float>& mixed) const;

  // Positions before linearise, p before a product.
  void take(int first, int last, const BasicVec3Array<float>& p);
  void find_stress(int first, int last);
  // minus (s K + d C) p
  void give(int first, int last, BasicVec3Array<float>& out) const;

 private:
  struct Range {
    std::size_t begin, end;
  };
  Range vertices(int first, int last) const;
  tet::TangentJob make_job() const;
  void linearise_vertex(std::size_t n, double j);

  const TetBody& body_;
  std::size_t first_particle_, slots_, stride_;
  double mu_, lambda_, viscosity_;
  TangentWeights weights_;
  const SoftWorkspace* softened_ = nullptr;             // none: the body's own stiffness
  AlignedVector<float> mean_, given_, stiffness_;       // as in the body, those of groups with the same ones only once
  std::vector<std::int32_t> nodal_slot_, spring_slot_;  // per group: where they begin
  // Of the vertices, in the layout of tet_lanes.hpp. Kernels of different vertices write into them at once.
  mutable AlignedVector<float> p_, f_, area_, stress_, linear_, volume_a_, volume_b_, viscous_;
};

}  // namespace distal
