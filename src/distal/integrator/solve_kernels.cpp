#include "distal/integrator/solve_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "distal/integrator/solve_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef DISTAL_SOLVE_POINTERS
#define DISTAL_SOLVE_POINTERS
namespace distal {

using solve::Spans;

struct Pointers {
  float* x;
  float* y;
  float* z;
  Pointers(BasicVec3Array<float>& a) : x(a.data(0)), y(a.data(1)), z(a.data(2)) {}
};
struct ConstPointers {
  const float* x;
  const float* y;
  const float* z;
  ConstPointers(const BasicVec3Array<float>& a) : x(a.data(0)), y(a.data(1)), z(a.data(2)) {}
};

}  // namespace distal
#endif

HWY_BEFORE_NAMESPACE();
namespace distal {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D>
struct Three {
  hn::Vec<D> x, y, z;
};
template <class D, class P>
HWY_INLINE Three<D> load3(D d, const P& p, std::size_t i) {
  return {hn::LoadU(d, p.x + i), hn::LoadU(d, p.y + i), hn::LoadU(d, p.z + i)};
}
template <class D, class P>
HWY_INLINE void store3(D d, const Three<D>& v, const P& p, std::size_t i) {
  hn::StoreU(v.x, d, p.x + i), hn::StoreU(v.y, d, p.y + i), hn::StoreU(v.z, d, p.z + i);
}
template <class D>
HWY_INLINE hn::Vec<D> dot3(const Three<D>& a, const Three<D>& b, hn::Vec<D> sum) {
  return hn::MulAdd(a.x, b.x, hn::MulAdd(a.y, b.y, hn::MulAdd(a.z, b.z, sum)));
}

// Calls work(tag, i) for whole vectors, then for single elements.
template <class Work>
HWY_INLINE void for_spans(Spans spans, Work&& work) {
  const hn::ScalableTag<float> d;
  const hn::CappedTag<float, 1> one;
  for (const NodeSpan& span : spans) {
    std::size_t i = span.begin;
    for (; i + hn::Lanes(d) <= span.end; i += hn::Lanes(d)) work(d, i);
    for (; i < span.end; ++i) work(one, i);
  }
}

// A sum by lanes of whole vectors and one of the single elements behind them.
struct Sum {
  hn::Vec<hn::ScalableTag<float>> lanes;
  hn::Vec<hn::CappedTag<float, 1>> rest;
  HWY_INLINE Sum() {
    lanes = hn::Zero(hn::ScalableTag<float>());
    rest = hn::Zero(hn::CappedTag<float, 1>());
  }
  HWY_INLINE hn::Vec<hn::ScalableTag<float>>& of(hn::ScalableTag<float>) { return lanes; }
#if HWY_TARGET != HWY_SCALAR
  HWY_INLINE hn::Vec<hn::CappedTag<float, 1>>& of(hn::CappedTag<float, 1>) { return rest; }
#endif
  HWY_INLINE double total() const {
    return static_cast<double>(hn::GetLane(hn::SumOfLanes(hn::ScalableTag<float>(), lanes))) +
           static_cast<double>(hn::GetLane(rest));
  }
};

void InvertBlocks(const float* mass, Pointers straight, Pointers mixed, Spans spans) {
  for_spans(spans, [&](auto d, std::size_t i) HWY_ATTR {
    using D = decltype(d);
    const auto m = hn::LoadU(d, mass + i);
    Three<D> s = load3(d, straight, i);
    const Three<D> o = load3(d, mixed, i);
    s = {hn::Add(s.x, m), hn::Add(s.y, m), hn::Add(s.z, m)};
    // Cofactors of the symmetric matrix (s.x o.x o.y; o.x s.y o.z; o.y o.z s.z).
    const auto xx = hn::NegMulAdd(o.z, o.z, hn::Mul(s.y, s.z)), yy = hn::NegMulAdd(o.y, o.y, hn::Mul(s.x, s.z)),
               zz = hn::NegMulAdd(o.x, o.x, hn::Mul(s.x, s.y)), xy = hn::NegMulAdd(o.x, s.z, hn::Mul(o.y, o.z)),
               xz = hn::NegMulAdd(o.y, s.y, hn::Mul(o.x, o.z)), yz = hn::NegMulAdd(o.z, s.x, hn::Mul(o.x, o.y));
    const auto det = hn::MulAdd(s.x, xx, hn::MulAdd(o.x, xy, hn::Mul(o.y, xz)));
    const auto active = hn::Gt(m, hn::Zero(d));
    const auto over = hn::IfThenElseZero(active, hn::Div(hn::Set(d, 1.0F), det));
    store3(d, Three<D>{hn::Mul(over, xx), hn::Mul(over, yy), hn::Mul(over, zz)}, straight, i);
    store3(d, Three<D>{hn::Mul(over, xy), hn::Mul(over, xz), hn::Mul(over, yz)}, mixed, i);
  });
}

double AddMassProduct(const float* mass, ConstPointers p, Pointers q, Spans spans) {
  Sum pq;
  for_spans(spans, [&](auto d, std::size_t i) HWY_ATTR {
    using D = decltype(d);
    const auto m = hn::LoadU(d, mass + i);
    const Three<D> a = load3(d, p, i), b = load3(d, q, i);
    const Three<D> all = {hn::MulSub(m, a.x, b.x), hn::MulSub(m, a.y, b.y), hn::MulSub(m, a.z, b.z)};
    store3(d, all, q, i);
    pq.of(d) = dot3(a, all, pq.of(d));
  });
  return pq.total();
}

RightSideSums SumRightSide(const float* mass, ConstPointers q, ConstPointers r, Spans spans) {
  Sum bb, bq, qq;
  for_spans(spans, [&](auto d, std::size_t i) HWY_ATTR {
    using D = decltype(d);
    const auto moving = hn::Gt(hn::LoadU(d, mass + i), hn::Zero(d));
    const auto mask = [&](hn::Vec<D> v) HWY_ATTR { return hn::IfThenElseZero(moving, v); };
    const Three<D> all = load3(d, q, i), rest = load3(d, r, i), product = {mask(all.x), mask(all.y), mask(all.z)};
    const Three<D> both = {hn::Add(product.x, rest.x), hn::Add(product.y, rest.y), hn::Add(product.z, rest.z)};
    bb.of(d) = dot3(both, both, bb.of(d));
    bq.of(d) = dot3(both, product, bq.of(d));
    qq.of(d) = dot3(product, product, qq.of(d));
  });
  return {bb.total(), bq.total(), qq.total()};
}

CgSums AdvanceSolve(double step, ConstPointers p, ConstPointers q, ConstPointers straight, ConstPointers mixed,
                    Pointers x, Pointers r, Pointers z, Spans spans) {
  Sum rr, rz;
  for_spans(spans, [&](auto d, std::size_t i) HWY_ATTR {
    using D = decltype(d);
    const auto alpha = hn::Set(d, static_cast<float>(step));
    const Three<D> direction = load3(d, p, i), product = load3(d, q, i), old = load3(d, r, i), at = load3(d, x, i);
    store3(d,
           Three<D>{hn::MulAdd(alpha, direction.x, at.x), hn::MulAdd(alpha, direction.y, at.y),
                    hn::MulAdd(alpha, direction.z, at.z)},
           x, i);
    const Three<D> s = load3(d, straight, i), o = load3(d, mixed, i);
    // What does not move has an inverse of zero, and no residual.
    const auto moving = hn::Gt(s.x, hn::Zero(d));
    const Three<D> now = {hn::IfThenElseZero(moving, hn::NegMulAdd(alpha, product.x, old.x)),
                          hn::IfThenElseZero(moving, hn::NegMulAdd(alpha, product.y, old.y)),
                          hn::IfThenElseZero(moving, hn::NegMulAdd(alpha, product.z, old.z))};
    store3(d, now, r, i);
    const Three<D> next = {hn::MulAdd(s.x, now.x, hn::MulAdd(o.x, now.y, hn::Mul(o.y, now.z))),
                           hn::MulAdd(o.x, now.x, hn::MulAdd(s.y, now.y, hn::Mul(o.z, now.z))),
                           hn::MulAdd(o.y, now.x, hn::MulAdd(o.z, now.y, hn::Mul(s.z, now.z)))};
    store3(d, next, z, i);
    rr.of(d) = dot3(now, now, rr.of(d));
    rz.of(d) = dot3(now, next, rz.of(d));
  });
  return {rr.total(), rz.total()};
}

Wrench SumWhole(ConstPointers place, ConstPointers r, Spans spans) {
  Sum x, y, z, moment_x, moment_y, moment_z;
  for_spans(spans, [&](auto d, std::size_t i) HWY_ATTR {
    using D = decltype(d);
    const Three<D> arm = load3(d, place, i), at = load3(d, r, i);
    x.of(d) = hn::Add(x.of(d), at.x), y.of(d) = hn::Add(y.of(d), at.y), z.of(d) = hn::Add(z.of(d), at.z);
    moment_x.of(d) = hn::NegMulAdd(arm.z, at.y, hn::MulAdd(arm.y, at.z, moment_x.of(d)));
    moment_y.of(d) = hn::NegMulAdd(arm.x, at.z, hn::MulAdd(arm.z, at.x, moment_y.of(d)));
    moment_z.of(d) = hn::NegMulAdd(arm.y, at.x, hn::MulAdd(arm.x, at.y, moment_z.of(d)));
  });
  return {Vec3(x.total(), y.total(), z.total()), Vec3(moment_x.total(), moment_y.total(), moment_z.total())};
}

void Turn(double share, ConstPointers z, Pointers p, Spans spans) {
  for_spans(spans, [&](auto d, std::size_t i) HWY_ATTR {
    using D = decltype(d);
    const auto beta = hn::Set(d, static_cast<float>(share));
    const Three<D> next = load3(d, z, i), old = load3(d, p, i);
    store3(d,
           Three<D>{hn::MulAdd(beta, old.x, next.x), hn::MulAdd(beta, old.y, next.y), hn::MulAdd(beta, old.z, next.z)},
           p, i);
  });
}

void AddRigid(const Twist& rigid, const float* mass, ConstPointers place, Pointers p, Spans spans) {
  for_spans(spans, [&](auto d, std::size_t i) HWY_ATTR {
    using D = decltype(d);
    const auto set = [&](double value) HWY_ATTR { return hn::Set(d, static_cast<float>(value)); };
    const Three<D> arm = load3(d, place, i), old = load3(d, p, i);
    const Three<D> w = {set(rigid.angular.x()), set(rigid.angular.y()), set(rigid.angular.z())};
    const auto moving = hn::Gt(hn::LoadU(d, mass + i), hn::Zero(d));
    const auto carried_x = hn::NegMulAdd(w.z, arm.y, hn::MulAdd(w.y, arm.z, set(rigid.linear.x()))),
               carried_y = hn::NegMulAdd(w.x, arm.z, hn::MulAdd(w.z, arm.x, set(rigid.linear.y()))),
               carried_z = hn::NegMulAdd(w.y, arm.x, hn::MulAdd(w.x, arm.y, set(rigid.linear.z())));
    store3(d,
           Three<D>{hn::Add(old.x, hn::IfThenElseZero(moving, carried_x)),
                    hn::Add(old.y, hn::IfThenElseZero(moving, carried_y)),
                    hn::Add(old.z, hn::IfThenElseZero(moving, carried_z))},
           p, i);
  });
}

void RestrictRow(const WeighedRows& rows, std::size_t fine, std::size_t coarse, float* scratch, float* out) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  // scratch[i + 1] is fine node i; zeros stand on both sides.
  for (std::size_t i = 0; i < fine; i += lanes) {
    auto sum = hn::Zero(d);
    for (int n = 0; n < rows.count; ++n)
      sum = hn::MulAdd(hn::Set(d, rows.weight[n]), hn::LoadU(d, rows.row[n] + i), sum);
    hn::StoreU(sum, d, scratch + i + 1);
  }
  scratch[0] = scratch[fine + 1] = scratch[fine + 2] = 0.0F;
  std::size_t i = 0;
  for (; i + lanes <= coarse; i += lanes) {
    hn::Vec<decltype(d)> left, at, right, unused;
    hn::LoadInterleaved2(d, scratch + 2 * i, left, at);
    hn::LoadInterleaved2(d, scratch + 2 * i + 2, right, unused);
    hn::StoreU(hn::MulAdd(hn::Set(d, 0.5F), hn::Add(left, right), at), d, out + i);
  }
  for (; i < coarse; ++i) {
    const float* const at = scratch + 2 * i + 1;
    out[i] = 0.5F * (at[-1] + at[1]) + at[0];
  }
}

void AddInterpolatedRow(const float* const* rows, const float* mass, std::size_t fine, float* out) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto mean = [&](std::size_t i) HWY_ATTR {
    const auto low = hn::Add(hn::LoadU(d, rows[0] + i), hn::LoadU(d, rows[1] + i)),
               high = hn::Add(hn::LoadU(d, rows[2] + i), hn::LoadU(d, rows[3] + i));
    return hn::Mul(hn::Set(d, 0.25F), hn::Add(low, high));
  };
  std::size_t i = 0;
  for (; 2 * (i + lanes) <= fine; i += lanes) {
    const auto at = mean(i);
    auto even = at, odd = hn::Mul(hn::Set(d, 0.5F), hn::Add(at, mean(i + 1)));
    hn::Vec<decltype(d)> a, b;
    if (mass) {
      hn::LoadInterleaved2(d, mass + 2 * i, a, b);
      even = hn::IfThenElseZero(hn::Gt(a, hn::Zero(d)), even), odd = hn::IfThenElseZero(hn::Gt(b, hn::Zero(d)), odd);
    }
    hn::LoadInterleaved2(d, out + 2 * i, a, b);
    hn::StoreInterleaved2(hn::Add(a, even), hn::Add(b, odd), d, out + 2 * i);
  }
  const auto single = [&](std::size_t n) { return 0.25F * ((rows[0][n] + rows[1][n]) + (rows[2][n] + rows[3][n])); };
  for (std::size_t n = 2 * i; n < fine; ++n)
    if (!mass || mass[n] > 0.0F) out[n] += 0.5F * (single(n / 2) + single((n + 1) / 2));
}

}  // namespace HWY_NAMESPACE
}  // namespace distal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace distal {
HWY_EXPORT(InvertBlocks);
HWY_EXPORT(AddMassProduct);
HWY_EXPORT(SumRightSide);
HWY_EXPORT(AdvanceSolve);
HWY_EXPORT(SumWhole);
HWY_EXPORT(Turn);
HWY_EXPORT(AddRigid);
HWY_EXPORT(RestrictRow);
HWY_EXPORT(AddInterpolatedRow);

namespace solve {

void invert_blocks(const float* mass, Array& straight, Array& mixed, Spans spans) {
  HWY_DYNAMIC_DISPATCH(InvertBlocks)(mass, straight, mixed, spans);
}
double add_mass_product(const float* mass, const Array& p, Array& q, Spans spans) {
  return HWY_DYNAMIC_DISPATCH(AddMassProduct)(mass, p, q, spans);
}
RightSideSums sum_right_side(const float* mass, const Array& q, const Array& r, Spans spans) {
  return HWY_DYNAMIC_DISPATCH(SumRightSide)(mass, q, r, spans);
}
CgSums advance(double alpha, const Array& p, const Array& q, const Array& straight, const Array& mixed, Array& x,
               Array& r, Array& z, Spans spans) {
  return HWY_DYNAMIC_DISPATCH(AdvanceSolve)(alpha, p, q, straight, mixed, x, r, z, spans);
}
Wrench sum_whole(const Array& place, const Array& r, Spans spans) {
  return HWY_DYNAMIC_DISPATCH(SumWhole)(place, r, spans);
}
void turn(double beta, const Array& z, Array& p, Spans spans) { HWY_DYNAMIC_DISPATCH(Turn)(beta, z, p, spans); }
void add_rigid(const Twist& rigid, const float* mass, const Array& place, Array& p, Spans spans) {
  HWY_DYNAMIC_DISPATCH(AddRigid)(rigid, mass, place, p, spans);
}
void restrict_row(const WeighedRows& rows, std::size_t fine, std::size_t coarse, float* scratch, float* out) {
  HWY_DYNAMIC_DISPATCH(RestrictRow)(rows, fine, coarse, scratch, out);
}
void add_interpolated_row(const float* const* rows, const float* mass, std::size_t fine, float* out) {
  HWY_DYNAMIC_DISPATCH(AddInterpolatedRow)(rows, mass, fine, out);
}

}  // namespace solve
}  // namespace distal
#endif
