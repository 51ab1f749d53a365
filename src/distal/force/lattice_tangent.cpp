#include "distal/force/lattice_tangent.hpp"

#include <algorithm>
#include <utility>

namespace distal {

template <typename T>
LatticeTangent<T>::LatticeTangent(const SoftBody& body, int threads)
    : lattice_(repacked(body.lattice, sizeof(T) == sizeof(float) ? Precision::float_ : Precision::double_)),
      first_particle_(static_cast<std::size_t>(body.first_particle)),
      scratch_(static_cast<std::size_t>(threads)) {
  // An odd number of cache lines: see plane_stride() of the force.
  constexpr std::size_t kLine = kAlignment / sizeof(T);
  const auto plane = static_cast<std::size_t>(lattice_.grid.plane_size());
  stride_ = ((plane + 2 * kPadding + kLine - 1) / kLine / 4 * 4 + 5) * kLine;
  for (Scratch& s : scratch_) {
    s.low.assign(12 * stride_, T(0));
    s.high.assign(24 * stride_, T(0));
    s.unused.assign(stride_, T(0));
  }
  cells_.assign(lattice_.tiles.size() * kTangentValues * static_cast<std::size_t>(lattice_.lanes), T(0));
}

template <typename T>
NodeForces<T> LatticeTangent<T>::forces(AlignedVector<T>& buffer, std::size_t place) const {
  NodeForces<T> result{};
  for (std::size_t c = 0; c < 3; ++c) {
    result.left[c] = buffer.data() + (place + c) * stride_ + kPadding;
    result.right[c] = buffer.data() + (place + 3 + c) * stride_ + kPadding;
  }
  return result;
}

template <typename T>
TangentJob<T> LatticeTangent<T>::make_job(int plane, const BasicVec3Array<T>& in, const TangentWeights& weights) {
  const std::size_t size = static_cast<std::size_t>(lattice_.grid.plane_size()),
                    at = first_particle_ + static_cast<std::size_t>(plane) * size;
  TangentJob<T> job{};
  job.lattice = &lattice_;
  job.plane = plane;
  for (int c = 0; c < 3; ++c) job.in_low[c] = in.data(c) + at, job.in_high[c] = in.data(c) + at + size;
  job.cells = cells_.data();
  job.stiffness = static_cast<T>(weights.stiffness), job.damping = static_cast<T>(weights.damping);
  job.convex = weights.convex;
  return job;
}

// Planes of cells from the one below the first nodes, whose own lower nodes are another's, to the one above the last.
template <typename T>
template <int kSets, typename Work, typename Done>
void LatticeTangent<T>::for_planes(Scratch& scratch, int first, int last, BasicVec3Array<T>* const (&out)[kSets],
                                   const Work& work, const Done& done) {
  const auto plane = static_cast<std::size_t>(lattice_.grid.plane_size());
  NodeForces<T> low[kSets], high[kSets], below[kSets];
  for (int set = 0; set < kSets; ++set) {
    const auto place = static_cast<std::size_t>(6 * set);
    low[set] = forces(scratch.low, place), high[set] = forces(scratch.high, place);
    below[set] = forces(scratch.high, 12 + place);
  }
  // Of a plane of nodes; what belongs to another thread is computed by it too, and goes nowhere.
  const auto take = [&](int k, const NodeForces<T>(&above)[kSets], const NodeForces<T>* under) {
    const bool own = k >= first && k < last;
    const std::size_t start = static_cast<std::size_t>(k) * plane;
    for (int set = 0; set < kSets; ++set)
      for (int c = 0; c < 3; ++c)
        take_product(above[set], under ? &under[set] : nullptr, c,
                     own ? out[set]->data(c) + first_particle_ + start : scratch.unused.data(),
                     {lattice_.spans.plane(k), start});
    if (own) done(k);
  };
  for (int k = std::max(first - 1, 0); k < std::min(last, lattice_.grid.cell_planes()); ++k) {
    work(k, low, high, k >= first);
    take(k, low, k >= first && k > 0 ? below : nullptr);
    for (int set = 0; set < kSets; ++set) std::swap(high[set], below[set]);
  }
  // The uppermost nodes have no cells above them.
  take(std::min(last, lattice_.grid.cell_planes()), below, nullptr);
}

template <typename T>
void LatticeTangent<T>::linearise(int thread, int first, int last, const BasicVec3Array<T>& x,
                                  const TangentWeights& weights, BasicVec3Array<T>& straight,
                                  BasicVec3Array<T>& mixed) {
  if (first == last) return;
  BasicVec3Array<T>* const out[2] = {&straight, &mixed};
  for_planes(
      scratch_[static_cast<std::size_t>(thread)], first, last, out,
      [&](int k, const NodeForces<T>(&low)[2], const NodeForces<T>(&high)[2], bool own) {
        TangentJob<T> job = make_job(k, x, weights);
        job.keep = own;
        job.low = low[0], job.low_mixed = low[1];
        job.high = high[0], job.high_mixed = high[1];
        linearise_plane(job);
      },
      [](int) {});
}

template <typename T>
void LatticeTangent<T>::multiply(int thread, int first, int last, const BasicVec3Array<T>& p,
                                 const TangentWeights& weights, BasicVec3Array<T>& out,
                                 const std::function<void(int)>& done) {
  if (first == last) return;
  BasicVec3Array<T>* const only[1] = {&out};
  for_planes(
      scratch_[static_cast<std::size_t>(thread)], first, last, only,
      [&](int k, const NodeForces<T>(&low)[1], const NodeForces<T>(&high)[1], bool) {
        TangentJob<T> job = make_job(k, p, weights);
        job.low = low[0], job.high = high[0];
        multiply_plane(job);
      },
      done);
}

template class LatticeTangent<double>;
template class LatticeTangent<float>;

}  // namespace distal
