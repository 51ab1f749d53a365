#include "distal/force/tet_force_kernel.hpp"

#include <algorithm>
#include <cmath>

#include "distal/force/tet_force.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "distal/force/tet_force_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "distal/force/tet_lanes_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace distal::tet {
namespace HWY_NAMESPACE {

using DoubleLanes = hn::CappedTag<double, kLanes>;
using DoubleVector = hn::Vec<DoubleLanes>;

// Per lane: what the stress has of the cofactor and of the viscosity, and the energy without |F|^2.
struct VertexCoefficients {
  alignas(64) double j[kLanes], across[kLanes], viscous[kLanes], energy[kLanes];
};

HWY_INLINE void FindCoefficients(const ForceJob& job, std::size_t vertex, std::size_t lanes, std::size_t end,
                                 VertexCoefficients& c, PlaneSums& sums) {
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const std::size_t n = vertex + lane;
    const double j = c.j[lane], volume = job.volume[n];
    const VolumeLog log_j = volume_log(j);
    c.across[lane] = volume * (job.lambda * log_j.value - job.mu) * log_j.slope;
    c.viscous[lane] = j > kLeastVolume ? job.viscosity * volume / (j * j) : 0.0;
    c.energy[lane] = volume * (job.mu * (-1.5 - log_j.value) + 0.5 * job.lambda * log_j.value * log_j.value);
    if (n >= end) continue;
    if (!std::isfinite(j) && sums.worst_cell < 0) sums.worst_cell = static_cast<std::int32_t>(n);
    sums.smallest_j = std::min(sums.smallest_j, j);
  }
}

void FindVertexStress(const ForceJob& job, std::size_t begin, std::size_t end, PlaneSums& sums) {
  const DoubleLanes d;
  VertexCoefficients c;
  DoubleVector energy = hn::Zero(d), dissipation = hn::Zero(d);
  for (std::size_t group = first_group(begin); group < end_group(end); ++group)
    for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
      const std::size_t n = group * kLanes + lane;
      const auto f = SumGradients(d, job.nodal, job.mean, job.place, job.stride, group, lane);
      const auto area = Cofactor(f);
      hn::StoreU(Dot(f.x, area.x), d, c.j);
      FindCoefficients(job, n, hn::Lanes(d), end, c, sums);
      const auto along = hn::Mul(hn::LoadU(d, job.volume + n), hn::Set(d, job.vertex_share * job.mu));
      Nine<DoubleVector> stress = ZeroNine(d);
      AddScaled(along, f, stress);
      AddScaled(hn::LoadU(d, c.across), area, stress);
      if (job.viscosity > 0.0) {
        // With H = D A^T, D the rate of F and A its cofactor: the strain rate is sym(H)/J, the stress viscosity/J^2 (H
        // + H^T) A.
        const auto rate = SumGradients(d, job.nodal, job.mean, job.speed, job.stride, group, lane);
        Nine<DoubleVector> turned;
        DoubleVector square;
        TurnStrain(rate, area, turned, square);
        const auto share = hn::LoadU(d, c.viscous);
        AddScaled(share, turned, stress);
        dissipation = hn::MulAdd(share, square, dissipation);
      }
      StoreNine(d, stress, job.stress + n, job.stride);
      if (job.energy)
        energy = hn::Add(hn::LoadU(d, c.energy), hn::MulAdd(hn::Mul(hn::Set(d, 0.5), along), Dot(f, f), energy));
    }
  sums.elastic_j += hn::GetLane(hn::SumOfLanes(d, energy));
  sums.dissipation_w += 0.5 * hn::GetLane(hn::SumOfLanes(d, dissipation));
}

// Against the vertex itself: rows sum to zero, and rounding stays small far from the origin.
HWY_INLINE Three<DoubleVector> SumPulls(DoubleLanes d, const ForceJob& job, const Three<DoubleVector>& own,
                                        std::size_t group, std::size_t lane) {
  const LaneView& rows = job.springs;
  Three<DoubleVector> sum = ZeroThree(d);
  const auto loose = static_cast<std::size_t>(rows.loose[group]), end = static_cast<std::size_t>(rows.begin[group + 1]);
  const double* k = job.stiffness + kLanes * rows.to_weights(group) + lane;
  for (auto s = static_cast<std::size_t>(rows.begin[group]); s < loose; ++s) {
    const auto other = LoadThree(d, job.place + lane + rows.first[s], job.stride);
    AddScaled(hn::LoadU(d, k + kLanes * s), Subtract(own, other), sum);
  }
  for (std::size_t s = loose; s < end; ++s) {
    const auto other = GatherThree(d, job.place, LoadIndices(d, rows, s, lane), job.stride);
    AddScaled(hn::LoadU(d, k + kLanes * s), Subtract(own, other), sum);
  }
  return sum;
}

void GatherForces(const ForceJob& job, std::size_t begin, std::size_t end, double* x, double* y, double* z,
                  PlaneSums& sums) {
  const DoubleLanes d;
  DoubleVector energy = hn::Zero(d);
  for (std::size_t group = first_group(begin); group < end_group(end); ++group)
    for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
      const std::size_t n = group * kLanes + lane;
      const auto own = LoadThree(d, job.place + n, job.stride), pulled = SumPulls(d, job, own, group, lane);
      energy = hn::Add(energy, Dot(pulled, own));
      const auto sum = Subtract(pulled, SumProducts(d, job.nodal, job.given, job.stress, job.stride, group, lane));
      hn::StoreU(sum.x, d, x + n), hn::StoreU(sum.y, d, y + n), hn::StoreU(sum.z, d, z + n);
    }
  if (job.energy) sums.elastic_j -= 0.5 * hn::GetLane(hn::SumOfLanes(d, energy));
}

}  // namespace HWY_NAMESPACE
}  // namespace distal::tet
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace distal::tet {
HWY_EXPORT(FindVertexStress);
HWY_EXPORT(GatherForces);

void find_vertex_stress(const ForceJob& job, std::size_t begin, std::size_t end, PlaneSums& sums) {
  HWY_DYNAMIC_DISPATCH(FindVertexStress)(job, begin, end, sums);
}
void gather_forces(const ForceJob& job, std::size_t begin, std::size_t end, double* x, double* y, double* z,
                   PlaneSums& sums) {
  HWY_DYNAMIC_DISPATCH(GatherForces)(job, begin, end, x, y, z, sums);
}

}  // namespace distal::tet
#endif
