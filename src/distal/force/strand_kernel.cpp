#include "distal/force/strand_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "distal/force/strand_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace distal::strand {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Column 0 is the ring before the block, columns 1 to `rings` the block, the next one the ring behind. Springs that
// begin in columns 0 to `rings` reach the block; what lanes further on do to later columns is never read.
template <bool kHasFactor>
HWY_INLINE void AddForces(const BlockJob& job, PlaneSums& sums) {
  const hn::CappedTag<double, 8> d;
  const std::size_t lanes = hn::Lanes(d), last = static_cast<std::size_t>(job.rings) + 1;
  const auto half = hn::Set(d, 0.5), one = hn::Set(d, 1.0), alpha = hn::Set(d, job.damping_s),
             smallest = hn::Set(d, 1e-300);
  auto stored = hn::Zero(d), lost = hn::Zero(d);
  for (std::size_t f = 0; f < job.family_count; ++f) {
    const SpringFamily& family = job.families[f];
    const std::size_t step = static_cast<std::size_t>(family.step);
    double* HWY_RESTRICT from = job.rows + static_cast<std::size_t>(family.from) * kStrandRows * kStrandRowLength;
    double* to = job.rows + static_cast<std::size_t>(family.to) * kStrandRows * kStrandRowLength + step;
    const double *stiffness = job.stiffness + f * job.stride, *rest = job.rest + f * job.stride;
    // Springs within a ring begin in the block; those of the ring before are another block's.
    for (std::size_t c = 1 - step; c < last; c += lanes) {
      const auto at = [&](const double* row, std::size_t k)
                          HWY_ATTR { return hn::LoadU(d, row + k * kStrandRowLength + c); };
      const auto dx = hn::Sub(at(to, 0), at(from, 0)), dy = hn::Sub(at(to, 1), at(from, 1)),
                 dz = hn::Sub(at(to, 2), at(from, 2));
      const auto square = hn::Max(hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, hn::Mul(dz, dz))), smallest);
      const auto inverse = hn::Div(one, hn::Sqrt(square));
      const auto rate = hn::Mul(inverse, hn::MulAdd(dx, hn::Sub(at(to, 3), at(from, 3)),
                                                    hn::MulAdd(dy, hn::Sub(at(to, 4), at(from, 4)),
                                                               hn::Mul(dz, hn::Sub(at(to, 5), at(from, 5))))));
      auto k = hn::LoadU(d, stiffness + c);
      if constexpr (kHasFactor) k = hn::Mul(k, hn::Mul(half, hn::Add(at(from, kFactorRow), at(to, kFactorRow))));
      const auto stretch = hn::Sub(hn::Mul(square, inverse), hn::LoadU(d, rest + c));
      const auto pull = hn::Mul(hn::Mul(k, hn::MulAdd(alpha, rate, stretch)), inverse);
      const auto add = [&](double* row, std::size_t component, const auto& value) HWY_ATTR {
        double* force = row + (kForceRow + component) * kStrandRowLength + c;
        hn::StoreU(hn::MulAdd(pull, value, hn::LoadU(d, force)), d, force);
      };
      add(from, 0, dx), add(from, 1, dy), add(from, 2, dz);
      const auto subtract = [&](double* row, std::size_t component, const auto& value) HWY_ATTR {
        double* force = row + (kForceRow + component) * kStrandRowLength + c;
        hn::StoreU(hn::NegMulAdd(pull, value, hn::LoadU(d, force)), d, force);
      };
      subtract(to, 0, dx), subtract(to, 1, dy), subtract(to, 2, dz);
      // Every spring counts in the block that it begins in.
      const auto column = hn::Iota(d, static_cast<double>(c));
      const auto own = hn::And(hn::Ge(column, one), hn::Lt(column, hn::Set(d, static_cast<double>(last))));
      stored = hn::Add(stored, hn::IfThenElseZero(own, hn::Mul(k, hn::Mul(stretch, stretch))));
      lost = hn::Add(lost, hn::IfThenElseZero(own, hn::Mul(k, hn::Mul(rate, rate))));
    }
  }
  sums.elastic_j += 0.5 * hn::GetLane(hn::SumOfLanes(d, stored));
  sums.dissipation_w += job.damping_s * hn::GetLane(hn::SumOfLanes(d, lost));
}

void AddBlockForces(const BlockJob& job, PlaneSums& sums) {
  if (job.has_factor)
    AddForces<true>(job, sums);
  else
    AddForces<false>(job, sums);
}

}  // namespace HWY_NAMESPACE
}  // namespace distal::strand
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace distal::strand {
HWY_EXPORT(AddBlockForces);

void add_block_forces(const BlockJob& job, PlaneSums& sums) { HWY_DYNAMIC_DISPATCH(AddBlockForces)(job, sums); }

}  // namespace distal::strand
#endif
