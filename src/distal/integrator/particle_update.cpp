// Vector loops over all particles, compiled once per instruction set (Highway).
#include "distal/integrator/particle_update.hpp"

#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "distal/integrator/particle_update.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace distal {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Fixed and inactive particles have inverse mass 0 and feel no gravity.
void Kick(const double* inverse_mass, const double* f, double g, double h, double* v, std::size_t begin,
          std::size_t end) {
  const hn::ScalableTag<double> d;
  const auto step = hn::Set(d, h), gravity = hn::Set(d, g);
  for (std::size_t i = begin; i < end; i += hn::Lanes(d)) {
    const auto w = hn::LoadU(d, inverse_mass + i);
    const auto a = hn::MulAdd(hn::LoadU(d, f + i), w, hn::IfThenElseZero(hn::Gt(w, hn::Zero(d)), gravity));
    hn::StoreU(hn::MulAdd(step, a, hn::LoadU(d, v + i)), d, v + i);
  }
}

double Drift(const double* const* v, double* const* x, double h, std::size_t begin, std::size_t end) {
  const hn::ScalableTag<double> d;
  const auto step = hn::Set(d, h);
  auto fastest = hn::Zero(d);
  for (std::size_t i = begin; i < end; i += hn::Lanes(d)) {
    auto squared = hn::Zero(d);
    for (int c = 0; c < 3; ++c) {
      const auto speed = hn::LoadU(d, v[c] + i);
      squared = hn::MulAdd(speed, speed, squared);
      hn::StoreU(hn::MulAdd(step, speed, hn::LoadU(d, x[c] + i)), d, x[c] + i);
    }
    // A number that is none must not hide behind the others.
    fastest = hn::IfThenElse(hn::Le(squared, fastest), fastest, squared);
  }
  return hn::GetLane(hn::MaxOfLanes(d, fastest));
}

}  // namespace HWY_NAMESPACE
}  // namespace distal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace distal {
HWY_EXPORT(Kick);
HWY_EXPORT(Drift);

namespace {

// Shares are whole cache lines, and with the padding any vector length fits.
std::size_t share(std::size_t slots, int thread, int threads) {
  return static_cast<std::size_t>(ThreadTeam::share_begin(static_cast<int>(slots / 8), thread, threads)) * 8;
}

}  // namespace

void kick_particles(const Model& model, double h, Workspace& ws, Vec3Array& v) {
  ws.team->run([&](int t) {
    const std::size_t begin = share(v.size(), t, ws.team->size()), end = share(v.size(), t + 1, ws.team->size());
    for (int c = 0; c < 3; ++c) HWY_DYNAMIC_DISPATCH(Kick)
    (model.inverse_mass_per_kg.data(), ws.force.data(c), model.gravity_m_s2[c], h, v.data(c), begin, end);
  });
}

void drift_particles(double h, Workspace& ws, const Vec3Array& v, Vec3Array& x) {
  const double* from[3] = {v.data(0), v.data(1), v.data(2)};
  double* to[3] = {x.data(0), x.data(1), x.data(2)};
  ws.thread_speed.assign(static_cast<std::size_t>(ws.team->size()), 0.0);
  ws.team->run([&](int t) {
    const std::size_t begin = share(x.size(), t, ws.team->size()), end = share(x.size(), t + 1, ws.team->size());
    ws.thread_speed[static_cast<std::size_t>(t)] = HWY_DYNAMIC_DISPATCH(Drift)(from, to, h, begin, end);
  });
  double squared = 0.0;
  for (const double s : ws.thread_speed) squared = s <= squared ? squared : s;
  ws.largest_speed_m_s = std::sqrt(squared);
}

}  // namespace distal
#endif
