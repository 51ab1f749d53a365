#include "distal/integrator/implicit_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "distal/integrator/implicit_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace distal {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;

// A number that is none must not hide behind the others.
HWY_INLINE hn::Vec<Doubles> larger(hn::Vec<Doubles> old, hn::Vec<Doubles> value) {
  return hn::IfThenElse(hn::Le(value, old), old, value);
}

double SetTrial(const double* inverse_mass, const Vec3Array& x, const Vec3Array& v, const Vec3Array& u, double theta,
                double way, Vec3Array& trial_x, Vec3Array& trial_v, std::size_t begin, std::size_t end) {
  const Doubles d;
  auto largest = hn::Zero(d);
  for (std::size_t i = begin; i < end; i += hn::Lanes(d)) {
    const auto moves = hn::Gt(hn::LoadU(d, inverse_mass + i), hn::Zero(d));
    const auto share = hn::IfThenElseZero(moves, hn::Set(d, theta)), step = hn::IfThenElseZero(moves, hn::Set(d, way));
    auto squared = hn::Zero(d);
    for (int c = 0; c < 3; ++c) {
      const auto w = hn::MulAdd(share, hn::LoadU(d, u.data(c) + i), hn::LoadU(d, v.data(c) + i));
      const auto to = hn::MulAdd(step, w, hn::LoadU(d, x.data(c) + i));
      const auto moved = hn::Sub(to, hn::LoadU(d, trial_x.data(c) + i));
      hn::StoreU(to, d, trial_x.data(c) + i);
      hn::StoreU(w, d, trial_v.data(c) + i);
      squared = hn::MulAdd(moved, moved, squared);
    }
    largest = larger(largest, hn::IfThenElseZero(moves, squared));
  }
  return hn::GetLane(hn::MaxOfLanes(d, largest));
}

double FindResidual(const double* inverse_mass, const double* mass, const Vec3Array& f, const Vec3& g,
                    const Vec3Array& u, double h, Vec3Array& r, std::size_t begin, std::size_t end) {
  const Doubles d;
  const auto step = hn::Set(d, h);
  auto sum = hn::Zero(d);
  for (std::size_t i = begin; i < end; i += hn::Lanes(d)) {
    const auto moves = hn::Gt(hn::LoadU(d, inverse_mass + i), hn::Zero(d));
    const auto m = hn::LoadU(d, mass + i);
    for (int c = 0; c < 3; ++c) {
      const auto force = hn::MulAdd(m, hn::Set(d, g[c]), hn::LoadU(d, f.data(c) + i));
      const auto value = hn::IfThenElseZero(moves, hn::MulSub(step, force, hn::Mul(m, hn::LoadU(d, u.data(c) + i))));
      hn::StoreU(value, d, r.data(c) + i);
      sum = hn::MulAdd(value, value, sum);
    }
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

double Take(const double* inverse_mass, const Vec3Array& u, double theta, double h, Vec3Array& x, Vec3Array& v,
            std::size_t begin, std::size_t end) {
  const Doubles d;
  auto largest = hn::Zero(d);
  for (std::size_t i = begin; i < end; i += hn::Lanes(d)) {
    const auto moves = hn::Gt(hn::LoadU(d, inverse_mass + i), hn::Zero(d));
    const auto step = hn::IfThenElseZero(moves, hn::Set(d, h));
    auto squared = hn::Zero(d);
    for (int c = 0; c < 3; ++c) {
      const auto change = hn::IfThenElseZero(moves, hn::LoadU(d, u.data(c) + i)), old = hn::LoadU(d, v.data(c) + i);
      const auto w = hn::MulAdd(hn::Set(d, theta), change, old);
      hn::StoreU(hn::MulAdd(step, w, hn::LoadU(d, x.data(c) + i)), d, x.data(c) + i);
      hn::StoreU(hn::Add(old, change), d, v.data(c) + i);
      squared = hn::MulAdd(w, w, squared);
    }
    largest = larger(largest, hn::IfThenElseZero(moves, squared));
  }
  return hn::GetLane(hn::MaxOfLanes(d, largest));
}

double SumMade(const double* inverse_mass, const double* mass, const Vec3Array& r, const Vec3Array& w,
               const Vec3Array& u, double share, std::size_t begin, std::size_t end) {
  const Doubles d;
  auto sum = hn::Zero(d);
  for (std::size_t i = begin; i < end; i += hn::Lanes(d)) {
    const auto moves = hn::Gt(hn::LoadU(d, inverse_mass + i), hn::Zero(d));
    const auto m = hn::IfThenElseZero(moves, hn::Mul(hn::Set(d, share), hn::LoadU(d, mass + i)));
    for (int c = 0; c < 3; ++c) {
      const auto change = hn::LoadU(d, u.data(c) + i);
      sum = hn::NegMulAdd(hn::Mul(m, change), change, sum);
      sum = hn::NegMulAdd(hn::LoadU(d, r.data(c) + i), hn::LoadU(d, w.data(c) + i), sum);
    }
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

double DotMixed(const BasicVec3Array<float>& a, const Vec3Array& b, std::size_t begin, std::size_t end) {
  const Doubles d;
  const hn::Rebind<float, Doubles> df;
  auto sum = hn::Zero(d);
  for (int c = 0; c < 3; ++c)
    for (std::size_t i = begin; i < end; i += hn::Lanes(d))
      sum = hn::MulAdd(hn::PromoteTo(d, hn::LoadU(df, a.data(c) + i)), hn::LoadU(d, b.data(c) + i), sum);
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

void AddShare(double share, const BasicVec3Array<float>& in, Vec3Array& sum, std::size_t begin, std::size_t end) {
  const Doubles d;
  const hn::Rebind<float, Doubles> df;
  for (int c = 0; c < 3; ++c) {
    std::size_t i = begin;
    for (; i + hn::Lanes(d) <= end; i += hn::Lanes(d))
      hn::StoreU(
          hn::MulAdd(hn::Set(d, share), hn::PromoteTo(d, hn::LoadU(df, in.data(c) + i)), hn::LoadU(d, sum.data(c) + i)),
          d, sum.data(c) + i);
    for (; i < end; ++i) sum.data(c)[i] += share * static_cast<double>(in.data(c)[i]);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace distal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace distal {
HWY_EXPORT(SetTrial);
HWY_EXPORT(FindResidual);
HWY_EXPORT(Take);
HWY_EXPORT(SumMade);
HWY_EXPORT(DotMixed);
HWY_EXPORT(AddShare);

namespace implicit {

double set_trial(const double* inverse_mass, const Array& x, const Array& v, const Array& u, double theta, double way,
                 Array& trial_x, Array& trial_v, std::size_t begin, std::size_t end) {
  return HWY_DYNAMIC_DISPATCH(SetTrial)(inverse_mass, x, v, u, theta, way, trial_x, trial_v, begin, end);
}
double find_residual(const double* inverse_mass, const double* mass, const Array& f, const Vec3& g, const Array& u,
                     double h, Array& r, std::size_t begin, std::size_t end) {
  return HWY_DYNAMIC_DISPATCH(FindResidual)(inverse_mass, mass, f, g, u, h, r, begin, end);
}
double take(const double* inverse_mass, const Array& u, double theta, double h, Array& x, Array& v, std::size_t begin,
            std::size_t end) {
  return HWY_DYNAMIC_DISPATCH(Take)(inverse_mass, u, theta, h, x, v, begin, end);
}
double sum_made(const double* inverse_mass, const double* mass, const Array& r, const Array& w, const Array& u,
                double share, std::size_t begin, std::size_t end) {
  return HWY_DYNAMIC_DISPATCH(SumMade)(inverse_mass, mass, r, w, u, share, begin, end);
}
double dot(const BasicVec3Array<float>& a, const Array& b, std::size_t begin, std::size_t end) {
  return HWY_DYNAMIC_DISPATCH(DotMixed)(a, b, begin, end);
}
void add_share(double share, const BasicVec3Array<float>& in, Array& sum, std::size_t begin, std::size_t end) {
  HWY_DYNAMIC_DISPATCH(AddShare)(share, in, sum, begin, end);
}

}  // namespace implicit
}  // namespace distal
#endif
