// The tangent of springs with a rest length, of paper 2 (its eq. 43) and of paper 4, for implicit steps: rows of 3x3
// blocks, s K + d C, in single precision. Gathered row by row: a caller's threads share the chunks.
#pragma once
#include "distal/force/lattice_tangent.hpp"

namespace distal {

class Paper2Tangent {
 public:
  explicit Paper2Tangent(const SoftBody& body);

  // All take the chunks [first, last) of vertices. Arrays run over all particles of the model.
  // `now` holds what is not the body's own: rest lengths that have set, and what a field leaves of the stiffness.
  struct SpringsNow {
    const double* rest_m = nullptr;       // at slots of the strand
    const double* node_factor = nullptr;  // per vertex
  };
  void linearise(int first, int last, const BasicVec3Array<float>& x, const TangentWeights& weights,
                 const SpringsNow& now);
  void linearise(int first, int last, const BasicVec3Array<float>& x, const TangentWeights& weights) {
    linearise(first, last, x, weights, {});
  }
  void find_diagonal(int first, int last, BasicVec3Array<float>& straight, BasicVec3Array<float>& mixed) const;
  // minus (s K + d C) p
  void multiply(int first, int last, const BasicVec3Array<float>& p, BasicVec3Array<float>& out) const;

 private:
  void add_edges(std::size_t i, const BasicVec3Array<float>& x, const TangentWeights& weights, const SpringsNow& now);
  void add_cells(std::size_t i, const BasicVec3Array<float>& x, double stiffness);
  Eigen::Matrix3f& block(std::size_t i, std::int32_t j);

  const SoftBody& body_;
  std::size_t first_particle_, vertices_;
  // Row i: its own block at begin(i) + i, then one for every edge in the order of `edges`.
  std::vector<Eigen::Matrix3f> blocks_;
};

}  // namespace distal
