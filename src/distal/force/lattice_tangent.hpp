// The tangent of the neo-Hookean lattice, for implicit steps: products (s K + d C) p without a matrix, where K is minus
// the derivative of the lattice's force by positions and C by velocities, and the 3x3 blocks of its diagonal.
// Both work plane by plane of nodes, so that a caller's threads share them; the same bits for any split.
#pragma once
#include <functional>

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
  LatticeTangent(const SoftBody& body, int threads);

  // Each gives the nodes of the planes [first, last), which nobody else may give at the same time. `thread` names whose
  // scratch memory is used. Arrays run over all particles of the model.
  // Linearises at positions x (with any common shift), and gives the blocks of the diagonal.
  void linearise(int thread, int first, int last, const BasicVec3Array<T>& x, const TangentWeights& weights,
                 BasicVec3Array<T>& straight, BasicVec3Array<T>& mixed);
  // minus (s K + d C) p; done(plane) is called as soon as the nodes of a plane have it, and are still in the cache.
  void multiply(
      int thread, int first, int last, const BasicVec3Array<T>& p, const TangentWeights& weights,
      BasicVec3Array<T>& out, const std::function<void(int)>& done = [](int) {});

  const NodeSpans& spans() const { return lattice_.spans; }

  int tiles(std::size_t plane) const { return lattice_.tile_plane_begin[plane + 1] - lattice_.tile_plane_begin[plane]; }

 private:
  // What one plane of cells adds to the nodes below and above it, and the one under it to those above: two sets of
  // three components.
  struct Scratch {
    AlignedVector<T> low, high, unused;
  };
  NodeForces<T> forces(AlignedVector<T>& buffer, std::size_t place) const;
  TangentJob<T> make_job(int plane, const BasicVec3Array<T>& in, const TangentWeights& weights);
  template <int kSets, typename Work, typename Done>
  void for_planes(Scratch& scratch, int first, int last, BasicVec3Array<T>* const (&out)[kSets], const Work& work,
                  const Done& done);

  Lattice lattice_;  // laid out for this precision
  std::size_t first_particle_;
  std::size_t stride_;
  std::vector<Scratch> scratch_;  // per thread
  AlignedVector<T> cells_;
};

extern template class LatticeTangent<double>;
extern template class LatticeTangent<float>;

}  // namespace distal
