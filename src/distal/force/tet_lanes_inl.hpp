// Loops over the slots of a group of vertices (model/lane_rows.hpp), in either precision, for the kernels that include
// it once per instruction set.
#if defined(DISTAL_TET_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef DISTAL_TET_LANES_INL
#undef DISTAL_TET_LANES_INL
#else
#define DISTAL_TET_LANES_INL
#endif

#include <hwy/highway.h>

#include "distal/force/tet_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace distal::tet {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Single variables and no arrays: g++ would keep arrays of vectors in memory.
template <class V>
struct Three {
  V x, y, z;
};
template <class V>
struct Nine {
  Three<V> x, y, z;  // rows
};

template <class D, class V = hn::Vec<D>>
HWY_INLINE Three<V> ZeroThree(D d) {
  return {hn::Zero(d), hn::Zero(d), hn::Zero(d)};
}
template <class D, class V = hn::Vec<D>>
HWY_INLINE Nine<V> ZeroNine(D d) {
  return {ZeroThree(d), ZeroThree(d), ZeroThree(d)};
}

// Components of consecutive vertices, each in an array of its own; or of those with the indices.
template <class D, class T, class V = hn::Vec<D>>
HWY_INLINE Three<V> LoadThree(D d, const T* from, std::size_t stride) {
  return {hn::LoadU(d, from), hn::LoadU(d, from + stride), hn::LoadU(d, from + 2 * stride)};
}
template <class D, class T, class V = hn::Vec<D>>
HWY_INLINE Nine<V> LoadNine(D d, const T* from, std::size_t stride) {
  return {LoadThree(d, from, stride), LoadThree(d, from + 3 * stride, stride), LoadThree(d, from + 6 * stride, stride)};
}
template <class D, class T, class V>
HWY_INLINE void StoreThree(D d, const Three<V>& v, T* to, std::size_t stride) {
  hn::StoreU(v.x, d, to), hn::StoreU(v.y, d, to + stride), hn::StoreU(v.z, d, to + 2 * stride);
}
template <class D, class T, class V>
HWY_INLINE void StoreNine(D d, const Nine<V>& m, T* to, std::size_t stride) {
  StoreThree(d, m.x, to, stride), StoreThree(d, m.y, to + 3 * stride, stride),
      StoreThree(d, m.z, to + 6 * stride, stride);
}
template <class D, class I, class T, class V = hn::Vec<D>>
HWY_INLINE Three<V> GatherThree(D d, const T* from, I index, std::size_t stride) {
  return {hn::GatherIndex(d, from, index), hn::GatherIndex(d, from + stride, index),
          hn::GatherIndex(d, from + 2 * stride, index)};
}
template <class D, class I, class T, class V = hn::Vec<D>>
HWY_INLINE Nine<V> GatherNine(D d, const T* from, I index, std::size_t stride) {
  return {GatherThree(d, from, index, stride), GatherThree(d, from + 3 * stride, index, stride),
          GatherThree(d, from + 6 * stride, index, stride)};
}
// Of the loose slot `slot`, from `lane` on, as wide as the numbers.
template <class D>
HWY_INLINE hn::Vec<hn::RebindToSigned<D>> LoadIndices(D, const LaneView& rows, std::size_t slot, std::size_t lane) {
  const hn::RebindToSigned<D> di;
  const std::int32_t* from = rows.index + rows.first[slot] + lane;
  if constexpr (sizeof(hn::TFromD<D>) == sizeof(std::int32_t))
    return hn::LoadU(di, from);
  else
    return hn::PromoteTo(di, hn::LoadU(hn::Rebind<std::int32_t, D>(), from));
}

template <class V>
HWY_INLINE V Dot(const Three<V>& a, const Three<V>& b) {
  return hn::MulAdd(a.x, b.x, hn::MulAdd(a.y, b.y, hn::Mul(a.z, b.z)));
}
template <class V>
HWY_INLINE V Dot(const Nine<V>& a, const Nine<V>& b) {
  return hn::Add(Dot(a.x, b.x), hn::Add(Dot(a.y, b.y), Dot(a.z, b.z)));
}
template <class V>
HWY_INLINE Three<V> Subtract(const Three<V>& a, const Three<V>& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
template <class V>
HWY_INLINE void AddScaled(V share, const Three<V>& v, Three<V>& sum) {
  sum.x = hn::MulAdd(share, v.x, sum.x), sum.y = hn::MulAdd(share, v.y, sum.y), sum.z = hn::MulAdd(share, v.z, sum.z);
}
template <class V>
HWY_INLINE void AddScaled(V share, const Nine<V>& m, Nine<V>& sum) {
  AddScaled(share, m.x, sum.x), AddScaled(share, m.y, sum.y), AddScaled(share, m.z, sum.z);
}
// Rows of the cofactor are the cross products of the other two rows.
template <class V>
HWY_INLINE Three<V> Cross(const Three<V>& a, const Three<V>& b) {
  return {hn::NegMulAdd(a.z, b.y, hn::Mul(a.y, b.z)), hn::NegMulAdd(a.x, b.z, hn::Mul(a.z, b.x)),
          hn::NegMulAdd(a.y, b.x, hn::Mul(a.x, b.y))};
}
template <class V>
HWY_INLINE Nine<V> Cofactor(const Nine<V>& f) {
  return {Cross(f.y, f.z), Cross(f.z, f.x), Cross(f.x, f.y)};
}
template <class V>
HWY_INLINE Three<V> Combine(const Three<V>& row, const Nine<V>& m) {
  Three<V> sum = {hn::Mul(row.x, m.x.x), hn::Mul(row.x, m.x.y), hn::Mul(row.x, m.x.z)};
  AddScaled(row.y, m.y, sum);
  AddScaled(row.z, m.z, sum);
  return sum;
}
// What a strain rate makes of stress: (h + h^T) area with h = m area^T, and the square of h + h^T.
template <class V>
HWY_INLINE void TurnStrain(const Nine<V>& m, const Nine<V>& area, Nine<V>& result, V& square) {
  const V xx = Dot(m.x, area.x), yy = Dot(m.y, area.y), zz = Dot(m.z, area.z);
  const Three<V> x = {hn::Add(xx, xx), hn::Add(Dot(m.x, area.y), Dot(m.y, area.x)),
                      hn::Add(Dot(m.x, area.z), Dot(m.z, area.x))},
                 y = {x.y, hn::Add(yy, yy), hn::Add(Dot(m.y, area.z), Dot(m.z, area.y))},
                 z = {x.z, y.z, hn::Add(zz, zz)};
  result = {Combine(x, area), Combine(y, area), Combine(z, area)};
  square = Dot(Nine<V>{x, y, z}, Nine<V>{x, y, z});
}

template <class D, class T, class V>
HWY_INLINE void AddOuter(D d, const Three<V>& v, const T* weights, Nine<V>& sum) {
  const Three<V> w = LoadThree(d, weights, kLanes);
  AddScaled(v.x, w, sum.x), AddScaled(v.y, w, sum.y), AddScaled(v.z, w, sum.z);
}

// The sum of vector times weight^T over the slots of a group: the mean gradient of vectors.
template <class D, class T, class V = hn::Vec<D>>
HWY_INLINE Nine<V> SumGradients(D d, const LaneView& rows, const T* weights, const T* vectors, std::size_t stride,
                                std::size_t group, std::size_t lane) {
  Nine<V> sum = ZeroNine(d);
  const auto loose = static_cast<std::size_t>(rows.loose[group]), end = static_cast<std::size_t>(rows.begin[group + 1]);
  const T* w = weights + 3 * kLanes * rows.to_weights(group) + lane;
  for (auto s = static_cast<std::size_t>(rows.begin[group]); s < loose; ++s)
    AddOuter(d, LoadThree(d, vectors + rows.first[s] + lane, stride), w + 3 * kLanes * s, sum);
  for (std::size_t s = loose; s < end; ++s)
    AddOuter(d, GatherThree(d, vectors, LoadIndices(d, rows, s, lane), stride), w + 3 * kLanes * s, sum);
  return sum;
}

template <class D, class T, class V>
HWY_INLINE void AddProduct(D d, const T* row, std::size_t stride, const Three<V>& w, Three<V>& sum) {
  sum.x = hn::MulAdd(hn::LoadU(d, row), w.x, sum.x);
  sum.y = hn::MulAdd(hn::LoadU(d, row + stride), w.y, sum.y);
  sum.z = hn::MulAdd(hn::LoadU(d, row + 2 * stride), w.z, sum.z);
}
template <class D, class I, class T, class V>
HWY_INLINE void AddGathered(D d, const T* row, I index, std::size_t stride, const Three<V>& w, Three<V>& sum) {
  sum.x = hn::MulAdd(hn::GatherIndex(d, row, index), w.x, sum.x);
  sum.y = hn::MulAdd(hn::GatherIndex(d, row + stride, index), w.y, sum.y);
  sum.z = hn::MulAdd(hn::GatherIndex(d, row + 2 * stride, index), w.z, sum.z);
}

// The sum of matrix times weight over the slots of a group.
template <class D, class T, class V = hn::Vec<D>>
HWY_INLINE Three<V> SumProducts(D d, const LaneView& rows, const T* weights, const T* matrices, std::size_t stride,
                                std::size_t group, std::size_t lane) {
  // Three sums a component: one would wait for each addition.
  Nine<V> sum = ZeroNine(d);
  const auto loose = static_cast<std::size_t>(rows.loose[group]), end = static_cast<std::size_t>(rows.begin[group + 1]);
  const T* own = weights + 3 * kLanes * rows.to_weights(group) + lane;
  for (auto s = static_cast<std::size_t>(rows.begin[group]); s < loose; ++s) {
    const Three<V> w = LoadThree(d, own + 3 * kLanes * s, kLanes);
    const T* from = matrices + rows.first[s] + lane;
    AddProduct(d, from, stride, w, sum.x);
    AddProduct(d, from + 3 * stride, stride, w, sum.y);
    AddProduct(d, from + 6 * stride, stride, w, sum.z);
  }
  for (std::size_t s = loose; s < end; ++s) {
    const Three<V> w = LoadThree(d, own + 3 * kLanes * s, kLanes);
    const auto index = LoadIndices(d, rows, s, lane);
    AddGathered(d, matrices, index, stride, w, sum.x);
    AddGathered(d, matrices + 3 * stride, index, stride, w, sum.y);
    AddGathered(d, matrices + 6 * stride, index, stride, w, sum.z);
  }
  return {hn::Add(sum.x.x, hn::Add(sum.x.y, sum.x.z)), hn::Add(sum.y.x, hn::Add(sum.y.y, sum.y.z)),
          hn::Add(sum.z.x, hn::Add(sum.z.y, sum.z.z))};
}

}  // namespace HWY_NAMESPACE
}  // namespace distal::tet
HWY_AFTER_NAMESPACE();

#endif
