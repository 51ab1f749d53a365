#include "distal/force/lattice_tangent.hpp"

#include <utility>

namespace distal {

template <typename T>
LatticeTangent<T>::LatticeTangent(const SoftBody& body, const std::vector<int>& first_plane)
    : lattice_(repacked(body.lattice, sizeof(T) == sizeof(float) ? Precision::float_ : Precision::double_)),
      first_particle_(static_cast<std::size_t>(body.first_particle)),
      first_plane_(first_plane),
      scratch_(first_plane.size() - 1) {
  // An odd number of cache lines: see plane_stride() of the force.
  constexpr std::size_t kLine = kAlignment / sizeof(T);
  const auto plane = static_cast<std::size_t>(lattice_.grid.plane_size());
  stride_ = ((plane + 2 * kPadding + kLine - 1) / kLine / 4 * 4 + 5) * kLine;
  for (Scratch& s : scratch_) {
    s.low.assign(12 * stride_, T(0));
    s.high.assign(24 * stride_, T(0));
    s.carry.assign(6 * stride_, T(0));
  }
  cells_.assign(lattice_.tiles.size() * kTangentValues * static_cast<std::size_t>(lattice_.cut.lanes), T(0));
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

template <typename T>
void LatticeTangent<T>::linearise(int thread, const BasicVec3Array<T>& x, const TangentWeights& weights,
                                  BasicVec3Array<T>& straight, BasicVec3Array<T>& mixed) {
  const auto t = static_cast<std::size_t>(thread), plane = static_cast<std::size_t>(lattice_.grid.plane_size());
  if (first_plane_[t] == first_plane_[t + 1]) return;
  Scratch& s = scratch_[t];
  NodeForces<T> high[2] = {forces(s.high, 0), forces(s.high, 6)}, below[2] = {forces(s.high, 12), forces(s.high, 18)};
  BasicVec3Array<T>* const out[2] = {&straight, &mixed};
  for (int k = first_plane_[t]; k < first_plane_[t + 1]; ++k) {
    TangentJob<T> job = make_job(k, x, weights);
    job.low = forces(s.low, 0), job.low_mixed = forces(s.low, 6);
    job.high = high[0], job.high_mixed = high[1];
    linearise_plane(job);
    const NodeForces<T> low[2] = {job.low, job.low_mixed};
    for (int set = 0; set < 2; ++set) {
      for (int c = 0; c < 3; ++c)
        take_product(low[set], k == first_plane_[t] ? nullptr : &below[set], c,
                     out[set]->data(c) + first_particle_ + static_cast<std::size_t>(k) * plane, plane);
      std::swap(high[set], below[set]);
    }
  }
  for (std::size_t set = 0; set < 2; ++set)
    for (int c = 0; c < 3; ++c)
      take_product(below[set], nullptr, c, s.carry.data() + (3 * set + static_cast<std::size_t>(c)) * stride_, plane);
}

template <typename T>
void LatticeTangent<T>::multiply(int thread, const BasicVec3Array<T>& p, const TangentWeights& weights,
                                 BasicVec3Array<T>& out) {
  const auto t = static_cast<std::size_t>(thread), plane = static_cast<std::size_t>(lattice_.grid.plane_size());
  if (first_plane_[t] == first_plane_[t + 1]) return;
  Scratch& s = scratch_[t];
  NodeForces<T> high = forces(s.high, 0), below = forces(s.high, 6);
  for (int k = first_plane_[t]; k < first_plane_[t + 1]; ++k) {
    TangentJob<T> job = make_job(k, p, weights);
    job.low = forces(s.low, 0), job.high = high;
    multiply_plane(job);
    for (int c = 0; c < 3; ++c)
      take_product(job.low, k == first_plane_[t] ? nullptr : &below, c,
                   out.data(c) + first_particle_ + static_cast<std::size_t>(k) * plane, plane);
    std::swap(high, below);
  }
  for (int c = 0; c < 3; ++c)
    take_product(below, nullptr, c, s.carry.data() + static_cast<std::size_t>(c) * stride_, plane);
}

template <typename T>
void LatticeTangent<T>::add_carry(std::size_t component, T* out, std::size_t thread) const {
  const auto plane = static_cast<std::size_t>(lattice_.grid.plane_size());
  const int end = first_plane_[thread + 1];
  if (end == first_plane_[thread]) return;
  const bool top = end == lattice_.grid.cell_planes();
  out += first_particle_ + static_cast<std::size_t>(end) * plane;
  const T* carry = scratch_[thread].carry.data() + component * stride_;
  for (std::size_t n = 0; n < plane; ++n) out[n] = top ? carry[n] : out[n] + carry[n];
}

template <typename T>
void LatticeTangent<T>::finish(BasicVec3Array<T>& out) const {
  for (std::size_t t = 0; t < scratch_.size(); ++t)
    for (int c = 0; c < 3; ++c) add_carry(static_cast<std::size_t>(c), out.data(c), t);
}

template <typename T>
void LatticeTangent<T>::finish(BasicVec3Array<T>& straight, BasicVec3Array<T>& mixed) const {
  finish(straight);
  for (std::size_t t = 0; t < scratch_.size(); ++t)
    for (int c = 0; c < 3; ++c) add_carry(static_cast<std::size_t>(3 + c), mixed.data(c), t);
}

template class LatticeTangent<double>;
template class LatticeTangent<float>;

}  // namespace distal
