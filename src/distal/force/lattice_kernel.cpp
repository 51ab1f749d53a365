// Vector kernel of the neo-Hookean lattice, compiled once per instruction set and chosen at run time (Highway).
// Works in the modes of cell_modes.hpp. Per cell, with h = 1 / (4 A), G = F / h = sum_b m_b (g_b / h)^T, L = dG/dt
// G^-1, and for the hourglass modes y = m_k, q = dm_k/dt - L y (zero in rigid motion):
//   T   = V (-mu + lambda ln J) I + 2 eta V sym L - sum_k c_k q_k y_k^T
//   S   = mu V h^2 G + T G^-T
//   s_b = S g_b / h, which is a column of S for a linear mode;   s_k = sum_l K'_kl y_l + c_k q_k + S g_k / h
// and the force on corner a is -sum_b h_b(a) s_b. Full cells have g_k = 0 and diagonal K'. c_k is the relaxation time
// times K_kk times the cell's damping share. Nothing but J and ln J depends on the size of the cell.
#include "distal/force/lattice_kernel.hpp"

#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "distal/force/lattice_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

#include "distal/force/lattice_tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace distal {
namespace HWY_NAMESPACE {

// Sixteen nodes of memory that is needed soon, while there is arithmetic to do.
template <typename T>
HWY_INLINE void FetchAhead(const PlaneJob<T>& job, std::ptrdiff_t node) {
  constexpr int kRead = 0, kWrite = 1, kSecondCache = 2;
  HWY_UNROLL(6)
  for (const double* p : job.ahead) {
    __builtin_prefetch(p + node, kRead, kSecondCache);
    if constexpr (sizeof(T) == 4) __builtin_prefetch(p + node + 8, kRead, kSecondCache);
  }
  HWY_UNROLL(3)
  for (const double* p : job.out) {
    __builtin_prefetch(p + node, kWrite, kSecondCache);
    if constexpr (sizeof(T) == 4) __builtin_prefetch(p + node + 8, kWrite, kSecondCache);
  }
}

template <bool kDamped, typename T>
struct AddForces {
  const PlaneJob<T>& job;
  PlaneTotals<T>& totals;

  HWY_INLINE void before(std::ptrdiff_t node, std::size_t) const { FetchAhead(job, node); }
  template <class Tile>
  HWY_INLINE void operator()(const Tile& tile, const Material<T>& material, std::ptrdiff_t node, std::size_t) const {
    add_tile<kDamped>(tile, material, job, node, totals);
  }
};

template <typename T>
void AddPlane(const PlaneJob<T>& job, PlaneSums& sums) {
  PlaneTotals<T> totals;
  totals.clear();
  if (job.lattice->relaxation_time_s > 0.0)
    for_tiles<T>(*job.lattice, job.plane, AddForces<true, T>{job, totals});
  else
    for_tiles<T>(*job.lattice, job.plane, AddForces<false, T>{job, totals});
  totals.store(job, sums);
}

void AddPlaneDouble(const PlaneJob<double>& job, PlaneSums& sums) { AddPlane(job, sums); }
void AddPlaneFloat(const PlaneJob<float>& job, PlaneSums& sums) { AddPlane(job, sums); }

// left[n] + right[n - 1] of the nodes from n on; clears them.
template <typename T>
HWY_INLINE hn::Vec<hn::ScalableTag<T>> Take(const NodeForces<T>& forces, int c, std::size_t n) {
  const hn::ScalableTag<T> d;
  T* left = forces.left[c] + n;
  T* right = forces.right[c] + n - 1;
  const auto sum = hn::Add(hn::LoadU(d, left), hn::LoadU(d, right));
  hn::StoreU(hn::Zero(d), d, left);
  hn::StoreU(hn::Zero(d), d, right);
  return sum;
}

// Sums in double, so that it makes no difference whether `below` comes now or from another thread later.
HWY_INLINE void StoreSum(hn::Vec<hn::ScalableTag<double>> above, hn::Vec<hn::ScalableTag<double>> below, double* out) {
  const hn::ScalableTag<double> d;
  hn::StoreU(hn::Add(below, above), d, out);
}
HWY_INLINE void StoreSum(hn::Vec<hn::ScalableTag<float>> above, hn::Vec<hn::ScalableTag<float>> below, double* out) {
  const hn::ScalableTag<double> d;
#if HWY_TARGET == HWY_SCALAR
  hn::StoreU(hn::Add(hn::PromoteTo(d, below), hn::PromoteTo(d, above)), d, out);
#else
  const hn::Half<hn::ScalableTag<float>> dh;
  const auto low = hn::Add(hn::PromoteTo(d, hn::LowerHalf(dh, below)), hn::PromoteTo(d, hn::LowerHalf(dh, above)));
  const auto high = hn::Add(hn::PromoteTo(d, hn::UpperHalf(dh, below)), hn::PromoteTo(d, hn::UpperHalf(dh, above)));
  hn::StoreU(low, d, out);
  hn::StoreU(high, d, out + hn::Lanes(d));
#endif
}

template <typename T>
void TakeForces(const NodeForces<T>& above, const NodeForces<T>* below, int c, double* out, std::size_t count) {
  const hn::ScalableTag<T> d;
  const std::size_t lanes = hn::Lanes(d), whole = count - count % lanes;
  const auto zero = hn::Zero(d);
  for (std::size_t n = 0; n < whole; n += lanes)
    StoreSum(Take(above, c, n), below ? Take(*below, c, n) : zero, out + n);
  if (whole == count) return;
  // What follows the last node may belong to another thread.
  HWY_ALIGN double last[HWY_MAX_BYTES / sizeof(T)];
  StoreSum(Take(above, c, whole), below ? Take(*below, c, whole) : zero, last);
  for (std::size_t n = whole; n < count; ++n) out[n] = last[n - whole];
}
void TakeForcesDouble(const NodeForces<double>& above, const NodeForces<double>* below, int c, double* out,
                      std::size_t count) {
  TakeForces(above, below, c, out, count);
}
void TakeForcesFloat(const NodeForces<float>& above, const NodeForces<float>* below, int c, double* out,
                     std::size_t count) {
  TakeForces(above, below, c, out, count);
}

void Narrow(const double* in, double shift, float* out, std::size_t count) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
  const auto s = hn::Set(d, shift);
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d))
    hn::StoreU(hn::DemoteTo(df, hn::Sub(hn::LoadU(d, in + i), s)), df, out + i);
  for (; i < count; ++i) out[i] = static_cast<float>(in[i] - shift);
}

}  // namespace HWY_NAMESPACE
}  // namespace distal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace distal {

HWY_EXPORT(AddPlaneDouble);
HWY_EXPORT(AddPlaneFloat);
HWY_EXPORT(TakeForcesDouble);
HWY_EXPORT(TakeForcesFloat);
HWY_EXPORT(Narrow);

void add_plane_force(const PlaneJob<double>& job, PlaneSums& sums) { HWY_DYNAMIC_DISPATCH(AddPlaneDouble)(job, sums); }
void add_plane_force(const PlaneJob<float>& job, PlaneSums& sums) { HWY_DYNAMIC_DISPATCH(AddPlaneFloat)(job, sums); }
void take_forces(const NodeForces<double>& above, const NodeForces<double>* below, int c, double* out,
                 std::size_t count) {
  HWY_DYNAMIC_DISPATCH(TakeForcesDouble)(above, below, c, out, count);
}
void take_forces(const NodeForces<float>& above, const NodeForces<float>* below, int c, double* out,
                 std::size_t count) {
  HWY_DYNAMIC_DISPATCH(TakeForcesFloat)(above, below, c, out, count);
}
void narrow(const double* in, double shift, float* out, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(Narrow)(in, shift, out, n);
}

}  // namespace distal
#endif
