// The tangent of neo-Hookean tetrahedra, for implicit steps: products (s K + d C) p without a matrix, and the 3x3
// blocks of its diagonal, in single precision. A product goes round three times (take, stress, give), each vertex by
// vertex: a caller's threads share the chunks of each round and wait between rounds.
#pragma once
#include "distal/force/lattice_tangent.hpp"
#include "distal/state/workspace.hpp"

namespace distal {

class TetTangent {
 public:
  explicit TetTangent(const SoftBody& body);

  // All take the chunks [first, last) of vertices. Arrays run over all particles of the model.
  // Linearises at the positions last taken (with any common shift).
  // `softened` holds what a field leaves of the stiffness, if any.
  void linearise(int first, int last, const TangentWeights& weights, const SoftWorkspace* softened = nullptr);
  // After all chunks are linearised: the blocks of the diagonal.
  void find_diagonal(int first, int last, BasicVec3Array<float>& straight, BasicVec3Array<float>& mixed) const;

  // Positions before linearise, p before a product.
  void take(int first, int last, const BasicVec3Array<float>& p);
  void find_stress(int first, int last);
  // minus (s K + d C) p
  void give(int first, int last, BasicVec3Array<float>& out) const;

 private:
  static constexpr int kRows = 9;
  struct Range {
    std::size_t begin, end;
  };
  Range vertices(int first, int last) const;
  void linearise_vertex(std::size_t n, const TangentWeights& weights, double volume);
  float* row(AlignedVector<float>& matrix, int k) { return matrix.data() + static_cast<std::size_t>(k) * slots_; }
  const float* row(const AlignedVector<float>& matrix, int k) const {
    return matrix.data() + static_cast<std::size_t>(k) * slots_;
  }

  VertexGraph nodal_, springs_;
  std::size_t first_particle_, vertices_, slots_;
  double mu_, lambda_, viscosity_;
  std::vector<double> volume_;
  AlignedVector<float> mean_, given_;                            // four floats an entry
  AlignedVector<float> stiffness_, weighted_;                    // of springs, an entry each; and times s
  std::vector<std::int32_t> own_;                                // entry of every vertex's spring to itself
  AlignedVector<float> columns_;                                 // area_ again: three columns of four floats a vertex
  AlignedVector<float> f_, area_;                                // by component, row k of the matrix over all vertices
  AlignedVector<float> linear_, volume_a_, volume_b_, viscous_;  // per vertex, with weights and volume
  AlignedVector<float> p_;                                       // four floats a vertex
  AlignedVector<float> gradient_;                                // of p, by component
  AlignedVector<float> stress_;                                  // three columns of four floats a vertex
};

}  // namespace distal
