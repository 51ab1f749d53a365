// Included once per instruction set by lattice_kernel.cpp; the guard toggles as Highway's do.
#if defined(DISTAL_LATTICE_KERNEL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef DISTAL_LATTICE_KERNEL_INL
#undef DISTAL_LATTICE_KERNEL_INL
#else
#define DISTAL_LATTICE_KERNEL_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace distal {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// At most as many lanes as a tile has.
template <typename T>
using Tag = hn::CappedTag<T, 64 / sizeof(T)>;
template <typename T>
using V = hn::Vec<Tag<T>>;

// Everything below has names instead of indices: the compiler keeps in registers only what it need not count.
template <typename T>
struct V3 {
  V<T> x, y, z;
};

// Modes of one component: the linear ones, and the hourglass ones xy, xz, yz, xyz.
template <typename T>
struct Modes {
  V3<T> linear;
  V<T> xy, xz, yz, xyz;
};

template <typename T>
HWY_INLINE V<T> dot(const V3<T>& a, const V3<T>& b) {
  return hn::MulAdd(a.x, b.x, hn::MulAdd(a.y, b.y, hn::Mul(a.z, b.z)));
}
template <typename T>
HWY_INLINE V3<T> cross(const V3<T>& a, const V3<T>& b) {
  return {hn::NegMulAdd(a.z, b.y, hn::Mul(a.y, b.z)), hn::NegMulAdd(a.x, b.z, hn::Mul(a.z, b.x)),
          hn::NegMulAdd(a.y, b.x, hn::Mul(a.x, b.y))};
}
template <typename T>
HWY_INLINE V3<T> scale(const V<T> s, const V3<T>& a) {
  return {hn::Mul(s, a.x), hn::Mul(s, a.y), hn::Mul(s, a.z)};
}
template <typename T>
HWY_INLINE V3<T> add_scaled(const V<T> s, const V3<T>& a, const V3<T>& sum) {
  return {hn::MulAdd(s, a.x, sum.x), hn::MulAdd(s, a.y, sum.y), hn::MulAdd(s, a.z, sum.z)};
}
template <typename T>
HWY_INLINE V3<T> subtract_scaled(const V<T> s, const V3<T>& a, const V3<T>& sum) {
  return {hn::NegMulAdd(s, a.x, sum.x), hn::NegMulAdd(s, a.y, sum.y), hn::NegMulAdd(s, a.z, sum.z)};
}

template <typename T>
HWY_INLINE Modes<T> load_modes(const T* HWY_RESTRICT low, const T* HWY_RESTRICT high, std::ptrdiff_t nx) {
  const Tag<T> d;
  const auto x0 = hn::LoadU(d, low), x1 = hn::LoadU(d, low + 1), x2 = hn::LoadU(d, low + nx),
             x3 = hn::LoadU(d, low + nx + 1);
  const auto x4 = hn::LoadU(d, high), x5 = hn::LoadU(d, high + 1), x6 = hn::LoadU(d, high + nx),
             x7 = hn::LoadU(d, high + nx + 1);
  const auto a0 = hn::Add(x0, x1), a1 = hn::Add(x2, x3), a2 = hn::Add(x4, x5), a3 = hn::Add(x6, x7);
  const auto d0 = hn::Sub(x1, x0), d1 = hn::Sub(x3, x2), d2 = hn::Sub(x5, x4), d3 = hn::Sub(x7, x6);
  const auto sum_low = hn::Add(d0, d1), sum_high = hn::Add(d2, d3);
  const auto dif_low = hn::Sub(d1, d0), dif_high = hn::Sub(d3, d2);
  const auto y_low = hn::Sub(a1, a0), y_high = hn::Sub(a3, a2);
  Modes<T> m;
  m.linear.x = hn::Add(sum_low, sum_high);
  m.linear.y = hn::Add(y_low, y_high);
  m.linear.z = hn::Sub(hn::Add(a2, a3), hn::Add(a0, a1));
  m.xy = hn::Add(dif_low, dif_high);
  m.xz = hn::Sub(sum_high, sum_low);
  m.yz = hn::Sub(y_high, y_low);
  m.xyz = hn::Sub(dif_high, dif_low);
  return m;
}

// Of all components, from the nodes below and above a plane of cells.
template <typename T>
HWY_INLINE void load_modes(const T* const (&low)[3], const T* const (&high)[3], std::ptrdiff_t node, std::ptrdiff_t nx,
                           Modes<T>& x, Modes<T>& y, Modes<T>& z) {
  x = load_modes(low[0] + node, high[0] + node, nx);
  y = load_modes(low[1] + node, high[1] + node, nx);
  z = load_modes(low[2] + node, high[2] + node, nx);
}

template <typename T>
HWY_INLINE void add_row(const V<T> left, const V<T> minus_right, T* HWY_RESTRICT to_left, T* HWY_RESTRICT to_right) {
  const Tag<T> d;
  hn::StoreU(hn::Add(hn::LoadU(d, to_left), left), d, to_left);
  hn::StoreU(hn::Sub(hn::LoadU(d, to_right), minus_right), d, to_right);
}

// Adds minus the sum over the modes to the corners, component c.
template <typename T, class Job>
HWY_INLINE void add_corner_forces(const Modes<T>& s, const Job& job, int c, std::ptrdiff_t node, std::ptrdiff_t nx) {
  const auto e1 = hn::Sub(s.linear.x, s.xy), e2 = hn::Add(s.linear.x, s.xy), g1 = hn::Sub(s.xz, s.xyz),
             g2 = hn::Add(s.xz, s.xyz);
  const auto yz_dif = hn::Sub(s.yz, s.linear.y), yz_sum = hn::Add(s.yz, s.linear.y);
  // u carries the sign of x, w does not; one pair per row of the cell.
  const auto u0 = hn::Sub(e1, g1), u1 = hn::Sub(e2, g2), u2 = hn::Add(e1, g1), u3 = hn::Add(e2, g2);
  const auto w0 = hn::Sub(yz_dif, s.linear.z), minus_w1 = hn::Add(yz_dif, s.linear.z);
  const auto w2 = hn::Sub(s.linear.z, yz_sum), w3 = hn::Add(s.linear.z, yz_sum);
  T* const low_left = job.low.left[c] + node;
  T* const low_right = job.low.right[c] + node;
  T* const high_left = job.high.left[c] + node;
  T* const high_right = job.high.right[c] + node;
  add_row<T>(hn::Sub(u0, w0), hn::Add(u0, w0), low_left, low_right);
  add_row<T>(hn::Add(u1, minus_w1), hn::Sub(u1, minus_w1), low_left + nx, low_right + nx);
  add_row<T>(hn::Sub(u2, w2), hn::Add(u2, w2), high_left, high_right);
  add_row<T>(hn::Sub(u3, w3), hn::Add(u3, w3), high_left + nx, high_right + nx);
}

template <typename T>
HWY_INLINE V<T> reciprocal(const V<T> x) {
  const Tag<T> d;
  if constexpr (sizeof(T) == 4) {
    const auto guess = hn::ApproximateReciprocal(x);
    return hn::MulAdd(guess, hn::NegMulAdd(x, guess, hn::Set(d, T(1))), guess);  // one Newton step
  } else {
    return hn::Div(hn::Set(d, T(1)), x);
  }
}

// 2 atanh(s), |s| < 0.177, to the last digits of the type.
template <typename T>
HWY_INLINE V<T> twice_atanh(const V<T> s) {
  const Tag<T> d;
  const auto q = hn::Mul(s, s);
  V<T> p;
  if constexpr (sizeof(T) == 4) {
    p = hn::MulAdd(q, hn::Set(d, T(2.0 / 9.0)), hn::Set(d, T(2.0 / 7.0)));
  } else {
    p = hn::MulAdd(q, hn::Set(d, T(2.0 / 21.0)), hn::Set(d, T(2.0 / 19.0)));
    p = hn::MulAdd(q, p, hn::Set(d, T(2.0 / 17.0)));
    p = hn::MulAdd(q, p, hn::Set(d, T(2.0 / 15.0)));
    p = hn::MulAdd(q, p, hn::Set(d, T(2.0 / 13.0)));
    p = hn::MulAdd(q, p, hn::Set(d, T(2.0 / 11.0)));
    p = hn::MulAdd(q, p, hn::Set(d, T(2.0 / 9.0)));
    p = hn::MulAdd(q, p, hn::Set(d, T(2.0 / 7.0)));
  }
  p = hn::MulAdd(q, p, hn::Set(d, T(2.0 / 5.0)));
  p = hn::MulAdd(q, p, hn::Set(d, T(2.0 / 3.0)));
  return hn::MulAdd(hn::Mul(q, p), s, hn::Add(s, s));
}

template <typename T>
HWY_NOINLINE void far_logarithm(const T* j, T* log_j) {
  const Tag<T> d;
  hn::Store(hn::Log(d, hn::Load(d, j)), d, log_j);
}

// ln J, given 1 / (J + 1).
template <typename T>
HWY_INLINE V<T> logarithm(const V<T> j, const V<T> over_j_plus_1) {
  const Tag<T> d;
  const auto t = hn::Sub(j, hn::Set(d, T(1)));
  if (HWY_LIKELY(hn::AllTrue(d, hn::Lt(hn::Abs(t), hn::Set(d, T(0.3))))))
    return twice_atanh<T>(hn::Mul(t, over_j_plus_1));
  HWY_ALIGN T lanes[64 / sizeof(T)];
  hn::Store(j, d, lanes);
  far_logarithm<T>(lanes, lanes);
  return hn::Load(d, lanes);
}

}  // namespace HWY_NAMESPACE
}  // namespace distal
HWY_AFTER_NAMESPACE();
#endif
