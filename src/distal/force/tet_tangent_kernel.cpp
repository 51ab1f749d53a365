#include "distal/force/tet_tangent_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "distal/force/tet_tangent_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "distal/force/tet_lanes_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace distal::tet {
namespace HWY_NAMESPACE {

using FloatLanes = hn::CappedTag<float, kLanes>;
using FloatVector = hn::Vec<FloatLanes>;

void FindGradients(const TangentJob& job, std::size_t begin, std::size_t end, float* j) {
  const FloatLanes d;
  for (std::size_t group = first_group(begin); group < end_group(end); ++group)
    for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
      const std::size_t n = group * kLanes + lane;
      const auto f = SumGradients(d, job.nodal, job.mean, job.p, job.stride, group, lane);
      const auto area = Cofactor(f);
      StoreNine(d, f, job.f + n, job.stride);
      StoreNine(d, area, job.area + n, job.stride);
      hn::StoreU(Dot(f.x, area.x), d, j + (n - begin));
    }
}

// The derivative of a row of the cofactor, a cross product.
HWY_INLINE void AddTurned(FloatVector share, const Three<FloatVector>& da, const Three<FloatVector>& b,
                          const Three<FloatVector>& a, const Three<FloatVector>& db, Three<FloatVector>& sum) {
  AddScaled(share, Cross(da, b), sum);
  AddScaled(share, Cross(a, db), sum);
}

void FindStress(const TangentJob& job, std::size_t begin, std::size_t end) {
  const FloatLanes d;
  for (std::size_t group = first_group(begin); group < end_group(end); ++group)
    for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
      const std::size_t n = group * kLanes + lane;
      const auto g = SumGradients(d, job.nodal, job.mean, job.p, job.stride, group, lane);
      const auto f = LoadNine(d, job.f + n, job.stride), area = LoadNine(d, job.area + n, job.stride);
      const auto linear = hn::LoadU(d, job.linear + n), b = hn::LoadU(d, job.b + n);
      Nine<FloatVector> s = ZeroNine(d);
      AddScaled(linear, g, s);
      AddScaled(hn::Mul(hn::LoadU(d, job.a + n), Dot(area, g)), area, s);
      AddTurned(b, g.y, f.z, f.y, g.z, s.x);
      AddTurned(b, g.z, f.x, f.z, g.x, s.y);
      AddTurned(b, g.x, f.y, f.x, g.y, s.z);
      if (job.has_viscosity) {
        Nine<FloatVector> turned;
        FloatVector square;
        TurnStrain(g, area, turned, square);
        AddScaled(hn::LoadU(d, job.viscous + n), turned, s);
      }
      StoreNine(d, s, job.stress + n, job.stride);
    }
}

HWY_INLINE Three<FloatVector> SumSprings(FloatLanes d, const TangentJob& job, std::size_t group, std::size_t lane) {
  const LaneView& rows = job.springs;
  // Two sums: one would wait for each addition.
  Three<FloatVector> even = ZeroThree(d), odd = ZeroThree(d);
  const auto loose = static_cast<std::size_t>(rows.loose[group]), end = static_cast<std::size_t>(rows.begin[group + 1]);
  const float *k = job.stiffness + kLanes * rows.to_weights(group) + lane, *p = job.p + lane;
  auto s = static_cast<std::size_t>(rows.begin[group]);
  for (; s + 2 <= loose; s += 2) {
    AddScaled(hn::LoadU(d, k + kLanes * s), LoadThree(d, p + rows.first[s], job.stride), even);
    AddScaled(hn::LoadU(d, k + kLanes * (s + 1)), LoadThree(d, p + rows.first[s + 1], job.stride), odd);
  }
  for (; s < loose; ++s) AddScaled(hn::LoadU(d, k + kLanes * s), LoadThree(d, p + rows.first[s], job.stride), even);
  for (; s < end; ++s)
    AddScaled(hn::LoadU(d, k + kLanes * s), GatherThree(d, job.p, LoadIndices(d, rows, s, lane), job.stride), even);
  return {hn::Add(even.x, odd.x), hn::Add(even.y, odd.y), hn::Add(even.z, odd.z)};
}

void GiveRows(const TangentJob& job, std::size_t begin, std::size_t end, float* x, float* y, float* z) {
  const FloatLanes d;
  const FloatVector share = hn::Set(d, job.share), zero = hn::Zero(d);
  for (std::size_t group = first_group(begin); group < end_group(end); ++group)
    for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
      const std::size_t n = group * kLanes + lane;
      auto sum = SumProducts(d, job.nodal, job.given, job.stress, job.stride, group, lane);
      AddScaled(share, SumSprings(d, job, group, lane), sum);
      hn::StoreU(hn::Sub(zero, sum.x), d, x + n);
      hn::StoreU(hn::Sub(zero, sum.y), d, y + n);
      hn::StoreU(hn::Sub(zero, sum.z), d, z + n);
    }
}

// Of all blocks: face face^T; of the diagonal alone: squares.
struct BlockSums {
  FloatVector xx, yy, zz, xy, xz, yz, squares;
};
HWY_INLINE void AddBlock(const Three<FloatVector>& given, const Nine<FloatVector>& area, FloatVector linear,
                         FloatVector a, FloatVector viscous, BlockSums& sum) {
  const Three<FloatVector> face = {Dot(area.x, given), Dot(area.y, given), Dot(area.z, given)};
  const FloatVector both = hn::Add(a, viscous), x = hn::Mul(both, face.x), y = hn::Mul(both, face.y);
  sum.xx = hn::MulAdd(face.x, x, sum.xx), sum.xy = hn::MulAdd(face.y, x, sum.xy);
  sum.xz = hn::MulAdd(face.z, x, sum.xz), sum.yy = hn::MulAdd(face.y, y, sum.yy);
  sum.yz = hn::MulAdd(face.z, y, sum.yz), sum.zz = hn::MulAdd(face.z, hn::Mul(both, face.z), sum.zz);
  sum.squares = hn::MulAdd(linear, Dot(given, given), hn::MulAdd(viscous, Dot(face, face), sum.squares));
}

void SumBlocks(const TangentJob& job, std::size_t begin, std::size_t end, Block* blocks) {
  const FloatLanes d;
  alignas(64) float lanes[7][kLanes];
  const LaneView& rows = job.nodal;
  for (std::size_t group = first_group(begin); group < end_group(end); ++group) {
    for (std::size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
      const FloatVector zero = hn::Zero(d);
      BlockSums sum = {zero, zero, zero, zero, zero, zero, zero};
      const auto loose = static_cast<std::size_t>(rows.loose[group]),
                 last = static_cast<std::size_t>(rows.begin[group + 1]);
      const float* given = job.given + 3 * kLanes * rows.to_weights(group) + lane;
      for (auto s = static_cast<std::size_t>(rows.begin[group]); s < loose; ++s) {
        const std::ptrdiff_t at = rows.first[s] + static_cast<std::ptrdiff_t>(lane);
        AddBlock(LoadThree(d, given + 3 * kLanes * s, kLanes), LoadNine(d, job.area + at, job.stride),
                 hn::LoadU(d, job.linear + at), hn::LoadU(d, job.a + at), hn::LoadU(d, job.viscous + at), sum);
      }
      for (std::size_t s = loose; s < last; ++s) {
        const auto index = LoadIndices(d, rows, s, lane);
        AddBlock(LoadThree(d, given + 3 * kLanes * s, kLanes), GatherNine(d, job.area, index, job.stride),
                 hn::GatherIndex(d, job.linear, index), hn::GatherIndex(d, job.a, index),
                 hn::GatherIndex(d, job.viscous, index), sum);
      }
      hn::StoreU(hn::Add(sum.xx, sum.squares), d, lanes[0] + lane);
      hn::StoreU(hn::Add(sum.yy, sum.squares), d, lanes[1] + lane);
      hn::StoreU(hn::Add(sum.zz, sum.squares), d, lanes[2] + lane);
      hn::StoreU(sum.xy, d, lanes[3] + lane);
      hn::StoreU(sum.xz, d, lanes[4] + lane);
      hn::StoreU(sum.yz, d, lanes[5] + lane);
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      blocks[group * kLanes + lane - begin] = {{lanes[0][lane], lanes[1][lane], lanes[2][lane]},
                                               {lanes[3][lane], lanes[4][lane], lanes[5][lane]}};
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace distal::tet
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace distal::tet {
HWY_EXPORT(FindGradients);
HWY_EXPORT(FindStress);
HWY_EXPORT(GiveRows);
HWY_EXPORT(SumBlocks);

void find_gradients(const TangentJob& job, std::size_t begin, std::size_t end, float* j) {
  HWY_DYNAMIC_DISPATCH(FindGradients)(job, begin, end, j);
}
void find_stress(const TangentJob& job, std::size_t begin, std::size_t end) {
  HWY_DYNAMIC_DISPATCH(FindStress)(job, begin, end);
}
void sum_blocks(const TangentJob& job, std::size_t begin, std::size_t end, Block* blocks) {
  HWY_DYNAMIC_DISPATCH(SumBlocks)(job, begin, end, blocks);
}
void give_rows(const TangentJob& job, std::size_t begin, std::size_t end, float* x, float* y, float* z) {
  HWY_DYNAMIC_DISPATCH(GiveRows)(job, begin, end, x, y, z);
}

}  // namespace distal::tet
#endif
