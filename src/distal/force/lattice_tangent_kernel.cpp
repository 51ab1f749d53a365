// Tangent of the neo-Hookean lattice, compiled once per instruction set (Highway). In the notation of
// lattice_kernel.cpp, for a direction p with modes dm, dG = sum_b dm_b (g_b / h)^T and H = dG G^-1:
//   T   = s V (lambda tr(H) I + (mu - lambda ln J) H^T) + d eta V (H + H^T)
//   S   = s mu V h^2 dG + T G^-T
//   s_b = S g_b / h;   s_k = s sum_l K'_kl dm_l + d c_k dm_k + S g_k / h
// Exact for the springs and the pressure. Of damping it keeps what is there while the body is at rest and its cells are
// parallelepipeds: a Newton iteration needs no more.
#include "distal/force/lattice_tangent_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "distal/force/lattice_tangent_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

#include "distal/force/lattice_tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace distal {
namespace HWY_NAMESPACE {

// Coefficients of T, with the cell's volume in them.
template <typename T>
struct StressCoefficients {
  V<T> trace, transposed, plain, spring;
};

template <typename T, class Tile>
HWY_INLINE StressCoefficients<T> stress_coefficients(const Tile& tile, const Material<T>& material,
                                                     const TangentJob<T>& job, const V<T> log_part) {
  const Tag<T> d;
  const auto volume = tile.volume();
  const auto eta = hn::Mul(volume, hn::Set(d, job.damping * material.mu * material.tau));
  return {hn::Mul(volume, hn::Set(d, job.stiffness * material.lambda)),
          hn::MulAdd(hn::Set(d, job.stiffness), log_part, eta), eta,
          hn::Mul(volume, hn::Set(d, job.stiffness * material.spring_per_volume))};
}

// Springs and dampers of the hourglass modes of one component.
template <typename T, class Tile>
HWY_INLINE void weigh_modes(const Tile& tile, const TangentJob<T>& job, const Modes<T>& m, Modes<T>& s) {
  const Tag<T> d;
  const auto stiffness = hn::Set(d, job.stiffness), damping = hn::Set(d, job.damping);
  s.xy = hn::MulAdd(stiffness, s.xy, hn::Mul(hn::Mul(damping, tile.damping_xy()), m.xy));
  s.xz = hn::MulAdd(stiffness, s.xz, hn::Mul(hn::Mul(damping, tile.damping_xz()), m.xz));
  s.yz = hn::MulAdd(stiffness, s.yz, hn::Mul(hn::Mul(damping, tile.damping_yz()), m.yz));
  s.xyz = hn::MulAdd(stiffness, s.xyz, hn::Mul(hn::Mul(damping, tile.damping_xyz()), m.xyz));
}

template <typename T>
HWY_INLINE V3<T> times_inverse(const V3<T>& row, const Inverse<T>& inverse) {
  return {dot<T>(row, inverse.a), dot<T>(row, inverse.b), dot<T>(row, inverse.c)};
}

template <typename T>
HWY_INLINE Inverse<T> load_inverse(const T* cell) {
  const Tag<T> d;
  const auto at = [&](std::size_t k) HWY_ATTR { return hn::Load(d, cell + k * hn::Lanes(d)); };
  return {{at(0), at(1), at(2)}, {at(3), at(4), at(5)}, {at(6), at(7), at(8)}};
}

template <typename T, class Tile>
HWY_INLINE void multiply_tile(const Tile& tile, const Material<T>& material, const TangentJob<T>& job,
                              std::ptrdiff_t node, const T* cell) {
  const Tag<T> d;
  const std::ptrdiff_t nx = job.lattice->grid.nx;
  Modes<T> x, y, z;
  load_modes<T>(job.in_low, job.in_high, node, nx, x, y, z);
  Modes<T> sx, sy, sz;
  tile.springs(x, y, z, sx, sy, sz);
  weigh_modes(tile, job, x, sx), weigh_modes(tile, job, y, sy), weigh_modes(tile, job, z, sz);
  tile.add_gradients(x, y, z);
  const Inverse<T> inverse = load_inverse(cell);
  const auto c = stress_coefficients(tile, material, job, hn::Load(d, cell + 9 * hn::Lanes(d)));
  const Rows<T> h = {times_inverse<T>(x.linear, inverse), times_inverse<T>(y.linear, inverse),
                     times_inverse<T>(z.linear, inverse)};
  const auto trace = hn::Mul(c.trace, hn::Add(h.x.x, hn::Add(h.y.y, h.z.z))), both = hn::Add(c.transposed, c.plain);
  const auto mixed = [&](V<T> own, V<T> other)
                         HWY_ATTR { return hn::MulAdd(c.plain, own, hn::Mul(c.transposed, other)); };
  const V3<T> stress_x = {hn::MulAdd(both, h.x.x, trace), mixed(h.x.y, h.y.x), mixed(h.x.z, h.z.x)};
  const V3<T> stress_y = {mixed(h.y.x, h.x.y), hn::MulAdd(both, h.y.y, trace), mixed(h.y.z, h.z.y)};
  const V3<T> stress_z = {mixed(h.z.x, h.x.z), mixed(h.z.y, h.y.z), hn::MulAdd(both, h.z.z, trace)};
  sx.linear = pulled_back<T>(c.spring, x.linear, stress_x, inverse);
  sy.linear = pulled_back<T>(c.spring, y.linear, stress_y, inverse);
  sz.linear = pulled_back<T>(c.spring, z.linear, stress_z, inverse);
  tile.add_stress(sx, sy, sz);
  add_corner_forces<T>(sx, job, 0, node, nx);
  add_corner_forces<T>(sy, job, 1, node, nx);
  add_corner_forces<T>(sz, job, 2, node, nx);
}

// Diagonal block of one corner: a move of that corner alone has dm_b = h_b(a), so that H = e y^T with y = G^-T g_a.
template <int kCorner, typename T, class Tile>
HWY_INLINE void add_corner_block(const Tile& tile, const TangentJob<T>& job, const StressCoefficients<T>& c,
                                 const Inverse<T>& inverse, std::ptrdiff_t node) {
  const Tag<T> d;
  constexpr int kX = corner_sign(kCorner, 0), kY = corner_sign(kCorner, 1), kZ = corner_sign(kCorner, 2);
  const V3<T> g = tile.template corner_gradient<kX, kY, kZ>();
  const V3<T> y = times_inverse<T>(g, inverse);
  const auto damping =
      hn::Add(hn::Add(tile.damping_xy(), tile.damping_xz()), hn::Add(tile.damping_yz(), tile.damping_xyz()));
  auto same = hn::Mul(hn::Set(d, job.stiffness), tile.template corner_spring<kX, kY, kZ>());
  same = hn::MulAdd(hn::Set(d, job.damping), damping, same);
  same = hn::MulAdd(c.spring, dot<T>(g, g), hn::MulAdd(c.plain, dot<T>(y, y), same));
  const auto both = hn::Add(c.trace, c.transposed);
  const V3<T> by = scale<T>(both, y);
  const std::ptrdiff_t at = node + (kY > 0 ? job.lattice->grid.nx : 0);
  const auto add = [&](const NodeForces<T>& to, int component, V<T> value) HWY_ATTR {
    T* const place = (kX > 0 ? to.right[component] : to.left[component]) + at;
    hn::StoreU(hn::Add(hn::LoadU(d, place), value), d, place);
  };
  const NodeForces<T>&straight = kZ > 0 ? job.high : job.low, &mixed = kZ > 0 ? job.high_mixed : job.low_mixed;
  add(straight, 0, hn::MulAdd(by.x, y.x, same));
  add(straight, 1, hn::MulAdd(by.y, y.y, same));
  add(straight, 2, hn::MulAdd(by.z, y.z, same));
  add(mixed, 0, hn::Mul(by.x, y.y)), add(mixed, 1, hn::Mul(by.x, y.z)), add(mixed, 2, hn::Mul(by.y, y.z));
}

template <typename T, class Tile>
HWY_INLINE void linearise_tile(const Tile& tile, const Material<T>& material, const TangentJob<T>& job,
                               std::ptrdiff_t node, T* cell) {
  const Tag<T> d;
  const std::ptrdiff_t nx = job.lattice->grid.nx;
  Modes<T> x, y, z;
  load_modes<T>(job.in_low, job.in_high, node, nx, x, y, z);
  tile.add_gradients(x, y, z);
  Inverse<T> inverse;
  V<T> j, log_j;
  invert_gradient(tile, material, x.linear, y.linear, z.linear, inverse, j, log_j);
  auto log_part = hn::NegMulAdd(hn::Set(d, material.lambda), log_j, hn::Set(d, material.mu));
  if (job.convex) {
    // mu |dF|^2 + c tr(H H) >= 0 while c <= mu sigma^2 for the smallest stretch sigma, and sigma >= 2 J / |F|^2.
    const T h_squared = material.spring_per_volume / material.mu;
    const auto norm =
        hn::Mul(hn::Set(d, h_squared),
                hn::Add(dot<T>(x.linear, x.linear), hn::Add(dot<T>(y.linear, y.linear), dot<T>(z.linear, z.linear))));
    const auto sigma = hn::Div(hn::Add(j, j), hn::Max(norm, hn::Set(d, T(1e-6))));
    log_part = hn::Min(log_part, hn::Mul(hn::Set(d, material.mu), hn::Mul(sigma, sigma)));
  }
  log_part = hn::Mul(tile.volume(), log_part);
  const V<T> values[kTangentValues] = {inverse.a.x, inverse.a.y, inverse.a.z, inverse.b.x, inverse.b.y,
                                       inverse.b.z, inverse.c.x, inverse.c.y, inverse.c.z, log_part};
  if (job.keep)
    for (std::size_t k = 0; k < kTangentValues; ++k) hn::Store(values[k], d, cell + k * hn::Lanes(d));
  const auto c = stress_coefficients(tile, material, job, log_part);
  add_corner_block<0>(tile, job, c, inverse, node), add_corner_block<1>(tile, job, c, inverse, node);
  add_corner_block<2>(tile, job, c, inverse, node), add_corner_block<3>(tile, job, c, inverse, node);
  add_corner_block<4>(tile, job, c, inverse, node), add_corner_block<5>(tile, job, c, inverse, node);
  add_corner_block<6>(tile, job, c, inverse, node), add_corner_block<7>(tile, job, c, inverse, node);
}

// The tangent's own numbers of the cells of a tile.
template <typename T>
HWY_INLINE T* cells_at(const TangentJob<T>& job, std::size_t tile) {
  return job.cells + tile * kTangentValues * hn::Lanes(Tag<T>());
}

template <typename T>
struct Multiply {
  const TangentJob<T>& job;

  // No cache guesses in time that whole vectors of a large body will be read on.
  HWY_INLINE void before(std::ptrdiff_t, std::size_t index) const {
    constexpr std::size_t kAhead = 4;
    const T* const ahead = cells_at(job, std::min(index + kAhead, job.lattice->tiles.size() - 1));
    for (std::size_t k = 0; k < kTangentValues; ++k) __builtin_prefetch(ahead + k * hn::Lanes(Tag<T>()));
  }
  template <class Tile>
  HWY_INLINE void operator()(const Tile& tile, const Material<T>& material, std::ptrdiff_t node,
                             std::size_t index) const {
    multiply_tile(tile, material, job, node, cells_at(job, index));
  }
};
template <typename T>
struct Linearise {
  const TangentJob<T>& job;

  HWY_INLINE void before(std::ptrdiff_t, std::size_t) const {}
  template <class Tile>
  HWY_INLINE void operator()(const Tile& tile, const Material<T>& material, std::ptrdiff_t node,
                             std::size_t index) const {
    linearise_tile(tile, material, job, node, cells_at(job, index));
  }
};

void MultiplyDouble(const TangentJob<double>& job) {
  for_tiles<double>(*job.lattice, job.plane, Multiply<double>{job});
}
void MultiplyFloat(const TangentJob<float>& job) { for_tiles<float>(*job.lattice, job.plane, Multiply<float>{job}); }
void LineariseDouble(const TangentJob<double>& job) {
  for_tiles<double>(*job.lattice, job.plane, Linearise<double>{job});
}
void LineariseFloat(const TangentJob<float>& job) { for_tiles<float>(*job.lattice, job.plane, Linearise<float>{job}); }

template <class D, typename T>
HWY_INLINE void TakeAt(const D d, const NodeForces<T>& above, const NodeForces<T>* below, int c, T* out,
                       std::size_t n) {
  const auto take = [&](const NodeForces<T>& forces) HWY_ATTR {
    T* const left = forces.left[c] + n;
    T* const right = forces.right[c] + n - 1;
    const auto sum = hn::Add(hn::LoadU(d, left), hn::LoadU(d, right));
    hn::StoreU(hn::Zero(d), d, left);
    hn::StoreU(hn::Zero(d), d, right);
    return sum;
  };
  const auto sum = take(above);
  hn::StoreU(below ? hn::Add(sum, take(*below)) : sum, d, out + n);
}

template <typename T>
void TakeProduct(const NodeForces<T>& above, const NodeForces<T>* below, int c, T* out, const PlaneNodes& nodes) {
  const hn::ScalableTag<T> d;
  const hn::CappedTag<T, 1> one;
  for (const NodeSpan& span : nodes.spans) {
    std::size_t n = span.begin - nodes.first;
    const std::size_t end = span.end - nodes.first;
    for (; n + hn::Lanes(d) <= end; n += hn::Lanes(d)) TakeAt(d, above, below, c, out, n);
    for (; n < end; ++n) TakeAt(one, above, below, c, out, n);
  }
}
void TakeProductDouble(const NodeForces<double>& above, const NodeForces<double>* below, int c, double* out,
                       const PlaneNodes& nodes) {
  TakeProduct(above, below, c, out, nodes);
}
void TakeProductFloat(const NodeForces<float>& above, const NodeForces<float>* below, int c, float* out,
                      const PlaneNodes& nodes) {
  TakeProduct(above, below, c, out, nodes);
}

}  // namespace HWY_NAMESPACE
}  // namespace distal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace distal {

HWY_EXPORT(MultiplyDouble);
HWY_EXPORT(MultiplyFloat);
HWY_EXPORT(LineariseDouble);
HWY_EXPORT(LineariseFloat);
HWY_EXPORT(TakeProductDouble);
HWY_EXPORT(TakeProductFloat);

void linearise_plane(const TangentJob<double>& job) { HWY_DYNAMIC_DISPATCH(LineariseDouble)(job); }
void linearise_plane(const TangentJob<float>& job) { HWY_DYNAMIC_DISPATCH(LineariseFloat)(job); }
void multiply_plane(const TangentJob<double>& job) { HWY_DYNAMIC_DISPATCH(MultiplyDouble)(job); }
void multiply_plane(const TangentJob<float>& job) { HWY_DYNAMIC_DISPATCH(MultiplyFloat)(job); }
void take_product(const NodeForces<double>& above, const NodeForces<double>* below, int c, double* out,
                  const PlaneNodes& nodes) {
  HWY_DYNAMIC_DISPATCH(TakeProductDouble)(above, below, c, out, nodes);
}
void take_product(const NodeForces<float>& above, const NodeForces<float>* below, int c, float* out,
                  const PlaneNodes& nodes) {
  HWY_DYNAMIC_DISPATCH(TakeProductFloat)(above, below, c, out, nodes);
}

}  // namespace distal
#endif
