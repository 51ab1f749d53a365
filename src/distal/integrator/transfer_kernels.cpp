#include "distal/integrator/transfer_kernels.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "distal/integrator/transfer_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace distal {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void SumMoments(const CellVertices& vertices, const solve::Array& r, CellField& moments) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> di;
  for (std::size_t c = 0; c < 3; ++c) {
    auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
    for (std::size_t n = 0; n < vertices.count; n += hn::Lanes(d)) {
      const auto all = hn::GatherIndex(d, r.data(static_cast<int>(c)), hn::LoadU(di, vertices.particle + n));
      const auto at = hn::IfThenElseZero(hn::FirstN(d, vertices.count - n), all);
      const auto u = hn::LoadU(d, vertices.u + n), v = hn::LoadU(d, vertices.v + n), uv = hn::Mul(u, v);
      const auto high = hn::Mul(hn::LoadU(d, vertices.w + n), at);
      s0 = hn::Add(s0, at), s1 = hn::MulAdd(u, at, s1), s2 = hn::MulAdd(v, at, s2), s3 = hn::MulAdd(uv, at, s3);
      s4 = hn::Add(s4, high), s5 = hn::MulAdd(u, high, s5), s6 = hn::MulAdd(v, high, s6);
      s7 = hn::MulAdd(uv, high, s7);
    }
    const auto total = [d](auto lanes) HWY_ATTR { return hn::GetLane(hn::SumOfLanes(d, lanes)); };
    moments[c] = {total(s0), total(s1), total(s2), total(s3), total(s4), total(s5), total(s6), total(s7)};
  }
}

void AddField(const CellVertices& vertices, const CellField& field, const float* mass, solve::Array& z) {
  const hn::ScalableTag<float> d;
  HWY_ALIGN float added[3][HWY_MAX_BYTES / sizeof(float)];
  for (std::size_t n = 0; n < vertices.count; n += hn::Lanes(d)) {
    const auto u = hn::LoadU(d, vertices.u + n), v = hn::LoadU(d, vertices.v + n), w = hn::LoadU(d, vertices.w + n);
    for (std::size_t c = 0; c < 3; ++c) {
      const auto line = [&](std::size_t at)
                            HWY_ATTR { return hn::MulAdd(u, hn::Set(d, field[c][at + 1]), hn::Set(d, field[c][at])); };
      const auto low = hn::MulAdd(v, line(2), line(0)), high = hn::MulAdd(v, line(6), line(4));
      hn::Store(hn::MulAdd(w, high, low), d, added[c]);
    }
    const std::size_t lanes = std::min(hn::Lanes(d), vertices.count - n);
    for (std::size_t i = 0; i < lanes; ++i) {
      const std::int32_t p = vertices.particle[n + i];
      if (mass[p] > 0.0F)
        for (int c = 0; c < 3; ++c) z.data(c)[p] += added[c][i];
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace distal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace distal {
HWY_EXPORT(SumMoments);
HWY_EXPORT(AddField);

namespace solve {

void sum_moments(const CellVertices& vertices, const Array& r, CellField& moments) {
  HWY_DYNAMIC_DISPATCH(SumMoments)(vertices, r, moments);
}
void add_field(const CellVertices& vertices, const CellField& field, const float* mass, Array& z) {
  HWY_DYNAMIC_DISPATCH(AddField)(vertices, field, mass, z);
}

}  // namespace solve
}  // namespace distal
#endif
