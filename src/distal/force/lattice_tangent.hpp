// The tangent of the neo-Hookean lattice, for implicit steps: products (s K + d C) p without a matrix, where K is minus
// the derivative of the lattice's force by positions and C by velocities, and the 3x3 blocks of its diagonal.
// Both work plane by plane, so that a caller's threads share them; the same bits for any split.
#pragma once
#include "distal/force/lattice_tangent_kernel.hpp"
#include "distal/math/vec3_array.hpp"

namespace distal {

struct TangentWeights {
  double stiffness = 0.0, damping = 0.0;  // s and d
  bool convex = false;                    // leave out what makes the tangent indefinite
};

template <typename T>
class LatticeTangent {
 public:
  // `first_plane` splits the planes of cells among threads, as in SoftWorkspace.
  LatticeTangent(const SoftBody& body, const std::vector<int>& first_plane);

  // Each is called by every thread of a team; what a thread leaves for the first nodes of the next one is added by
  // finish(), once, when all are done. Arrays run over all particles of the model.
  // Linearises at positions x (with any common shift), and gives the blocks of the diagonal.
  void linearise(int thread, const BasicVec3Array<T>& x, const TangentWeights& weights, BasicVec3Array<T>& straight,
                 BasicVec3Array<T>& mixed);
  // minus (s K + d C) p
  void multiply(int thread, const BasicVec3Array<T>& p, const TangentWeights& weights, BasicVec3Array<T>& out);
  void finish(BasicVec3Array<T>& out) const;
  void finish(BasicVec3Array<T>& straight, BasicVec3Array<T>& mixed) const;

 private:
  // What planes add to the nodes below and above them: two sets of three components.
  struct Scratch {
    AlignedVector<T> low, high;
    AlignedVector<T> carry;
  };
  NodeForces<T> forces(AlignedVector<T>& buffer, std::size_t place) const;
  TangentJob<T> make_job(int plane, const BasicVec3Array<T>& in, const TangentWeights& weights);
  void add_carry(std::size_t component, T* out, std::size_t thread) const;

  Lattice lattice_;  // laid out for this precision
  std::size_t first_particle_;
  std::vector<int> first_plane_;
  std::size_t stride_;
  std::vector<Scratch> scratch_;  // per thread
  AlignedVector<T> cells_;
};

extern template class LatticeTangent<double>;
extern template class LatticeTangent<float>;

}  // namespace distal
