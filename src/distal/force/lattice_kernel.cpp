// Vector kernel of the neo-Hookean lattice, compiled once per instruction set and chosen at run time (Highway).
// Works in the modes of cell_modes.hpp. Per cell, with F = sum_b m_b g_b^T, L = dF/dt F^-1, and for the hourglass modes
// y = m_k, q = dm_k/dt - L y (zero in rigid motion):
//   T   = V (-mu + lambda ln J) I + 2 eta V sym L - sum_k c_k q_k y_k^T
//   s_b = sum_c K_bc m_c + c_b q_b + T F^-T g_b        force on corner a: -sum_b h_b(a) s_b
// where the springs K of a full cell are diagonal and c_k = relaxation time * K_kk.
#include "distal/force/lattice_kernel.hpp"

#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "distal/force/lattice_kernel.cpp"
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

#include "distal/force/lattice_kernel-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace distal {
namespace HWY_NAMESPACE {

template <typename T>
void AddPlane(const PlaneJob<T>& job, PlaneSums& sums) {
  PlaneTotals<T> totals;
  totals.clear();
  add_full_cells(job, totals);
  add_cut_cells(job, totals);
  totals.store(job, sums);
}

void AddPlaneDouble(const PlaneJob<double>& job, PlaneSums& sums) { AddPlane(job, sums); }
void AddPlaneFloat(const PlaneJob<float>& job, PlaneSums& sums) { AddPlane(job, sums); }

void CombineDouble(const double* a, const double* b, double* out, std::size_t count) {
  const hn::ScalableTag<double> d;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d))
    hn::StoreU(b ? hn::Add(hn::LoadU(d, a + i), hn::LoadU(d, b + i)) : hn::LoadU(d, a + i), d, out + i);
}

void CombineFloat(const float* a, const float* b, double* out, std::size_t count) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto sum = b ? hn::Add(hn::LoadU(df, a + i), hn::LoadU(df, b + i)) : hn::LoadU(df, a + i);
    hn::StoreU(hn::PromoteTo(d, sum), d, out + i);
  }
}

void Narrow(const double* in, double shift, float* out, std::size_t count) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
  const auto s = hn::Set(d, shift);
  for (std::size_t i = 0; i < count; i += hn::Lanes(d))
    hn::StoreU(hn::DemoteTo(df, hn::Sub(hn::LoadU(d, in + i), s)), df, out + i);
}

const char* TargetName() { return hwy::TargetName(HWY_TARGET); }

}  // namespace HWY_NAMESPACE
}  // namespace distal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "distal/force/lattice_force.hpp"

namespace distal {

HWY_EXPORT(AddPlaneDouble);
HWY_EXPORT(AddPlaneFloat);
HWY_EXPORT(CombineDouble);
HWY_EXPORT(CombineFloat);
HWY_EXPORT(Narrow);
HWY_EXPORT(TargetName);

void add_plane_force(const PlaneJob<double>& job, PlaneSums& sums) { HWY_DYNAMIC_DISPATCH(AddPlaneDouble)(job, sums); }
void add_plane_force(const PlaneJob<float>& job, PlaneSums& sums) { HWY_DYNAMIC_DISPATCH(AddPlaneFloat)(job, sums); }
void combine_planes(const double* a, const double* b, double* out, std::size_t n) { HWY_DYNAMIC_DISPATCH(CombineDouble)(a, b, out, n); }
void combine_planes(const float* a, const float* b, double* out, std::size_t n) { HWY_DYNAMIC_DISPATCH(CombineFloat)(a, b, out, n); }
void narrow(const double* in, double shift, float* out, std::size_t n) { HWY_DYNAMIC_DISPATCH(Narrow)(in, shift, out, n); }
const char* kernel_instruction_set() { return HWY_DYNAMIC_DISPATCH(TargetName)(); }

}  // namespace distal
#endif
