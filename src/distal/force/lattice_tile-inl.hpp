// One tile of cells: the equations of lattice_kernel.cpp. Included once per instruction set.
#if defined(DISTAL_LATTICE_TILE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef DISTAL_LATTICE_TILE_INL
#undef DISTAL_LATTICE_TILE_INL
#else
#define DISTAL_LATTICE_TILE_INL
#endif

#include "distal/force/lattice_kernel-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace distal {
namespace HWY_NAMESPACE {

template <typename T>
struct PlaneTotals {
  V<T> dissipation, energy, smallest;
  std::int32_t worst;
  double worst_j;

  HWY_INLINE void clear() {
    dissipation = energy = hn::Zero(Tag<T>());
    smallest = hn::Set(Tag<T>(), T(1));
    worst = -1;
  }
  HWY_NOINLINE void store(const PlaneJob<T>& job, PlaneSums& sums) const {
    const Tag<T> d;
    sums.dissipation_w = static_cast<double>(hn::GetLane(hn::SumOfLanes(d, dissipation)));
    sums.elastic_j = job.energy ? static_cast<double>(hn::GetLane(hn::SumOfLanes(d, energy))) : 0.0;
    sums.smallest_j = static_cast<double>(hn::GetLane(hn::MinOfLanes(d, smallest)));
    sums.worst_cell = worst;
    if (worst >= 0) sums.smallest_j = worst_j;
  }
  // Remembers the first cell of the plane that is not the right way out; a number that is none counts as such.
  HWY_NOINLINE void note_inverted(const T* j, std::int32_t node) {
    for (std::size_t l = 0; l < hn::Lanes(Tag<T>()) && worst < 0; ++l)
      if (!(j[l] > T(0)))
        worst = node + static_cast<std::int32_t>(l), worst_j = j[l] < T(0) ? static_cast<double>(j[l]) : 0.0;
  }
};

// Numbers of a body.
template <typename T>
struct Material {
  T mu, lambda, tau;
  T volume, spring_per_volume;  // A^3, mu / (4 A)^2
  T j_scale;                    // (1 / 4A)^3
  T stiffness, stiffness_xyz;   // K' of a full cell

  explicit Material(const Lattice& lattice) {
    const double size = lattice.grid.cell_size_m, shear = lattice.moduli.shear_pa, h = 0.25 / size;
    mu = static_cast<T>(shear), lambda = static_cast<T>(lattice.moduli.lame_lambda_pa),
    tau = static_cast<T>(lattice.relaxation_time_s);
    volume = static_cast<T>(size * size * size);
    spring_per_volume = static_cast<T>(shear * h * h);
    j_scale = static_cast<T>(h * h * h);
    stiffness = static_cast<T>(shear * size / 24.0), stiffness_xyz = static_cast<T>(shear * size / 48.0);
  }
};

// A tile whose cells are all full.
template <typename T>
struct FullTile {
  V<T> k, k_xyz, c, c_xyz, cell_volume;
  hn::Mask<Tag<T>> active;

  HWY_INLINE FullTile(const Material<T>& material, hn::Mask<Tag<T>> lanes) {
    const Tag<T> d;
    active = lanes;
    cell_volume = hn::IfThenElseZero(active, hn::Set(d, material.volume));
    k = hn::IfThenElseZero(active, hn::Set(d, material.stiffness));
    k_xyz = hn::IfThenElseZero(active, hn::Set(d, material.stiffness_xyz));
    c = hn::Mul(k, hn::Set(d, material.tau));
    c_xyz = hn::Mul(k_xyz, hn::Set(d, material.tau));
  }
  HWY_INLINE V<T> volume() const { return cell_volume; }
  HWY_INLINE void add_gradients(Modes<T>&, Modes<T>&, Modes<T>&) const {}
  HWY_INLINE V<T> damping_xy() const { return c; }
  HWY_INLINE V<T> damping_xz() const { return c; }
  HWY_INLINE V<T> damping_yz() const { return c; }
  HWY_INLINE V<T> damping_xyz() const { return c_xyz; }
  // Springs of the hourglass modes.
  HWY_INLINE void springs(const Modes<T>& m, Modes<T>& s) const {
    s.xy = hn::Mul(k, m.xy), s.xz = hn::Mul(k, m.xz), s.yz = hn::Mul(k, m.yz), s.xyz = hn::Mul(k_xyz, m.xyz);
  }
  HWY_INLINE void springs(const Modes<T>& x, const Modes<T>& y, const Modes<T>& z, Modes<T>& sx, Modes<T>& sy,
                          Modes<T>& sz) const {
    springs(x, sx), springs(y, sy), springs(z, sz);
  }
  HWY_INLINE void add_stress(Modes<T>&, Modes<T>&, Modes<T>&) const {}
  // 4 A grad N of the corner with these signs, and its own spring by the hourglass modes.
  template <int kX, int kY, int kZ>
  HWY_INLINE V3<T> corner_gradient() const {
    const Tag<T> d;
    return {hn::Set(d, T(kX)), hn::Set(d, T(kY)), hn::Set(d, T(kZ))};
  }
  template <int kX, int kY, int kZ>
  HWY_INLINE V<T> corner_spring() const {
    return hn::MulAdd(hn::Set(Tag<T>(), T(3)), k, k_xyz);
  }
};

template <class D>
HWY_INLINE hn::Mask<D> lane_mask(const D d, std::uint32_t bits) {
  const std::uint8_t bytes[8] = {static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(bits >> 8)};
  return hn::LoadMaskBits(d, bytes);
}

// Values of all lanes of a tile: those of cut cells are spread out from where they stand side by side, full cells have
// the same, and what is no cell has zeros.
template <typename T>
struct SpreadValues {
  HWY_ALIGN float values[kTileValues * (64 / sizeof(T))];

  HWY_INLINE SpreadValues(const CutCells& cut, const CellTile& tile) {
    const hn::Rebind<float, Tag<T>> d;
    const hn::Rebind<std::int32_t, decltype(d)> di;
    const hn::Rebind<std::uint8_t, decltype(d)> bytes;
    const auto indices = hn::IndicesFromVec(d, hn::PromoteTo(di, hn::LoadU(bytes, tile.before.data())));
    const auto count = static_cast<std::size_t>(hwy::PopCount(tile.cut));
    const auto is_cut = lane_mask(d, tile.cut), is_full = lane_mask(d, tile.active & ~tile.cut);
    const float* from = cut.values.data() + static_cast<std::size_t>(tile.first_cut) * kTileValues;
    for (std::size_t k = 0; k < kTileValues; ++k, from += count)
      hn::Store(hn::IfThenElse(is_cut, hn::TableLookupLanes(hn::LoadU(d, from), indices),
                               hn::IfThenElseZero(is_full, hn::Set(d, kFullCell[k]))),
                d, values + k * hn::Lanes(d));
  }
};

// A tile with values of its own for every cell.
template <typename T>
struct CutTile {
  const float* HWY_RESTRICT values;
  V<T> cube, unit, tau;  // A^3, mu A / 48, and that times the relaxation time
  hn::Mask<Tag<T>> active;

  HWY_INLINE CutTile(const Material<T>& material, hn::Mask<Tag<T>> lanes, const SpreadValues<T>& spread)
      : values(spread.values),
        cube(hn::Set(Tag<T>(), material.volume)),
        unit(hn::Set(Tag<T>(), material.stiffness_xyz)),
        tau(hn::Set(Tag<T>(), material.tau * material.stiffness_xyz)),
        active(lanes) {}
  HWY_INLINE V<T> load(int k) const {
    const float* at = values + static_cast<std::size_t>(k) * hn::Lanes(Tag<T>());
    if constexpr (sizeof(T) == sizeof(float))
      return hn::Load(Tag<T>(), at);
    else
      return hn::PromoteTo(Tag<T>(), hn::Load(hn::Rebind<float, Tag<T>>(), at));
  }
  HWY_INLINE V3<T> gradient(int mode) const {
    return {load(kTileGradients + 3 * mode), load(kTileGradients + 3 * mode + 1), load(kTileGradients + 3 * mode + 2)};
  }
  HWY_INLINE V<T> volume() const { return hn::Mul(cube, load(0)); }
  // All components at once: every value is loaded once.
  HWY_INLINE void add_gradients(Modes<T>& x, Modes<T>& y, Modes<T>& z) const {
    add_gradient(gradient(0), x.xy, y.xy, z.xy, x.linear, y.linear, z.linear);
    add_gradient(gradient(1), x.xz, y.xz, z.xz, x.linear, y.linear, z.linear);
    add_gradient(gradient(2), x.yz, y.yz, z.yz, x.linear, y.linear, z.linear);
    add_gradient(gradient(3), x.xyz, y.xyz, z.xyz, x.linear, y.linear, z.linear);
  }
  static HWY_INLINE void add_gradient(const V3<T>& g, V<T> x, V<T> y, V<T> z, V3<T>& row_x, V3<T>& row_y,
                                      V3<T>& row_z) {
    row_x = add_scaled<T>(x, g, row_x), row_y = add_scaled<T>(y, g, row_y), row_z = add_scaled<T>(z, g, row_z);
  }
  HWY_INLINE V<T> damping_xy() const { return hn::Mul(tau, load(kTileDamping)); }
  HWY_INLINE V<T> damping_xz() const { return hn::Mul(tau, load(kTileDamping + 1)); }
  HWY_INLINE V<T> damping_yz() const { return hn::Mul(tau, load(kTileDamping + 2)); }
  HWY_INLINE V<T> damping_xyz() const { return hn::Mul(tau, load(kTileDamping + 3)); }
  struct Springs {
    V<T> xy, xz, yz, xyz;
  };
  HWY_INLINE Springs spring_row(int b) const {
    return {load(kTileSprings + packed_index(b, 0)), load(kTileSprings + packed_index(b, 1)),
            load(kTileSprings + packed_index(b, 2)), load(kTileSprings + packed_index(b, 3))};
  }
  HWY_INLINE V<T> pull(const Springs& k, const Modes<T>& m) const {
    return hn::Mul(unit, hn::MulAdd(k.xyz, m.xyz, hn::MulAdd(k.yz, m.yz, hn::MulAdd(k.xz, m.xz, hn::Mul(k.xy, m.xy)))));
  }
  HWY_INLINE void springs(const Modes<T>& x, const Modes<T>& y, const Modes<T>& z, Modes<T>& sx, Modes<T>& sy,
                          Modes<T>& sz) const {
    Springs k = spring_row(0);
    sx.xy = pull(k, x), sy.xy = pull(k, y), sz.xy = pull(k, z);
    k = spring_row(1);
    sx.xz = pull(k, x), sy.xz = pull(k, y), sz.xz = pull(k, z);
    k = spring_row(2);
    sx.yz = pull(k, x), sy.yz = pull(k, y), sz.yz = pull(k, z);
    k = spring_row(3);
    sx.xyz = pull(k, x), sy.xyz = pull(k, y), sz.xyz = pull(k, z);
  }
  template <int kSign>
  static HWY_INLINE V<T> signed_sum(const V<T> sum, const V<T> value) {
    return kSign > 0 ? hn::Add(sum, value) : hn::Sub(sum, value);
  }
  template <int kX, int kY, int kZ>
  HWY_INLINE V<T> corner_gradient_along(int axis, int sign) const {
    V<T> sum = hn::Set(Tag<T>(), T(sign));
    sum = signed_sum<kX * kY>(sum, load(kTileGradients + axis));
    sum = signed_sum<kX * kZ>(sum, load(kTileGradients + 3 + axis));
    sum = signed_sum<kY * kZ>(sum, load(kTileGradients + 6 + axis));
    return signed_sum<kX * kY * kZ>(sum, load(kTileGradients + 9 + axis));
  }
  template <int kX, int kY, int kZ>
  HWY_INLINE V3<T> corner_gradient() const {
    return {corner_gradient_along<kX, kY, kZ>(0, kX), corner_gradient_along<kX, kY, kZ>(1, kY),
            corner_gradient_along<kX, kY, kZ>(2, kZ)};
  }
  template <int kX, int kY, int kZ>
  HWY_INLINE V<T> corner_spring() const {
    const auto k = [&](int b, int c) HWY_ATTR { return load(kTileSprings + packed_index(b, c)); };
    V<T> mixed = hn::Zero(Tag<T>());
    mixed = signed_sum<kY * kZ>(mixed, k(1, 0)), mixed = signed_sum<kX * kZ>(mixed, k(2, 0));
    mixed = signed_sum<kX * kY>(mixed, k(2, 1)), mixed = signed_sum<kZ>(mixed, k(3, 0));
    mixed = signed_sum<kY>(mixed, k(3, 1)), mixed = signed_sum<kX>(mixed, k(3, 2));
    return hn::Mul(unit, hn::Add(hn::Add(mixed, mixed), hn::Add(hn::Add(k(0, 0), k(1, 1)), hn::Add(k(2, 2), k(3, 3)))));
  }
  static HWY_INLINE void add_dot(const V3<T>& g, const V3<T>& stress, V<T>& s) {
    s = hn::MulAdd(g.x, stress.x, hn::MulAdd(g.y, stress.y, hn::MulAdd(g.z, stress.z, s)));
  }
  HWY_INLINE void add_stress(Modes<T>& x, Modes<T>& y, Modes<T>& z) const {
    V3<T> g = gradient(0);
    add_dot(g, x.linear, x.xy), add_dot(g, y.linear, y.xy), add_dot(g, z.linear, z.xy);
    g = gradient(1);
    add_dot(g, x.linear, x.xz), add_dot(g, y.linear, y.xz), add_dot(g, z.linear, z.xz);
    g = gradient(2);
    add_dot(g, x.linear, x.yz), add_dot(g, y.linear, y.yz), add_dot(g, z.linear, z.yz);
    g = gradient(3);
    add_dot(g, x.linear, x.xyz), add_dot(g, y.linear, y.xyz), add_dot(g, z.linear, z.xyz);
  }
};

// The columns of G^-1.
template <typename T>
struct Inverse {
  V3<T> a, b, c;
};

// Of G = 4 A F, given by rows: its inverse, J and ln J. Lanes without a cell get J = 1 and an inverse of 0: they add
// nothing.
template <typename T, class Tile>
HWY_INLINE void invert_gradient(const Tile& tile, const Material<T>& material, const V3<T>& x, const V3<T>& y,
                                const V3<T>& z, Inverse<T>& inverse, V<T>& j, V<T>& log_j) {
  const Tag<T> d;
  inverse = {cross<T>(y, z), cross<T>(z, x), cross<T>(x, y)};
  const auto one = hn::Set(d, T(1)), scaling = hn::Set(d, material.j_scale);
  j = hn::IfThenElse(tile.active, hn::Mul(scaling, dot<T>(x, inverse.a)), one);
  // One reciprocal serves 1/J and the logarithm.
  const auto j_plus_1 = hn::Add(j, one), over_both = reciprocal<T>(hn::Mul(j, j_plus_1));
  log_j = logarithm<T>(j, hn::Mul(j, over_both));
  const auto over_det = hn::IfThenElseZero(tile.active, hn::Mul(scaling, hn::Mul(j_plus_1, over_both)));
  inverse = {scale<T>(over_det, inverse.a), scale<T>(over_det, inverse.b), scale<T>(over_det, inverse.c)};
}

// The velocity gradient, or a stress: by rows.
template <typename T>
struct Rows {
  V3<T> x, y, z;
};

// One hourglass mode of all components: y, dy/dt and then its force.
template <typename T>
HWY_INLINE V3<T> damp_mode(const V<T> damping, const V3<T>& y, const V3<T>& rate, const Rows<T>& l, Rows<T>& stress,
                           V<T>& dissipation) {
  const auto slip = [&](const V3<T>& row, V<T> own) HWY_ATTR {
    return hn::NegMulAdd(row.x, y.x, hn::NegMulAdd(row.y, y.y, hn::NegMulAdd(row.z, y.z, own)));
  };
  const V3<T> q = {slip(l.x, rate.x), slip(l.y, rate.y), slip(l.z, rate.z)};
  const V3<T> force = scale<T>(damping, q);
  dissipation = hn::Add(dissipation, dot<T>(force, q));
  stress = {subtract_scaled<T>(force.x, y, stress.x), subtract_scaled<T>(force.y, y, stress.y),
            subtract_scaled<T>(force.z, y, stress.z)};
  return force;
}

// Stress from damping; the forces of the hourglass modes replace their rates. In the order in which the least is at
// hand at once: rates and L, then mode by mode, then the rate of strain.
template <typename T, class Tile>
HWY_INLINE Rows<T> damp(const Tile& tile, const Material<T>& material, const PlaneJob<T>& job, std::ptrdiff_t node,
                        const Inverse<T>& inverse, const Modes<T>& x, const Modes<T>& y, const Modes<T>& z,
                        Modes<T>& rx, Modes<T>& ry, Modes<T>& rz, V<T>& dissipation) {
  const Tag<T> d;
  const std::ptrdiff_t nx = job.lattice->grid.nx;
  load_modes<T>(job.v_low, job.v_high, node, nx, rx, ry, rz);
  tile.add_gradients(rx, ry, rz);
  const auto times_inverse = [&](const V3<T>& row) HWY_ATTR {
    return V3<T>{dot<T>(row, inverse.a), dot<T>(row, inverse.b), dot<T>(row, inverse.c)};
  };
  const Rows<T> l = {times_inverse(rx.linear), times_inverse(ry.linear), times_inverse(rz.linear)};
  // 2 eta V sym L, and the power it takes.
  const auto eta = hn::Mul(tile.volume(), hn::Set(d, material.mu * material.tau));
  const auto xx = hn::Add(l.x.x, l.x.x), yy = hn::Add(l.y.y, l.y.y), zz = hn::Add(l.z.z, l.z.z);
  const auto xy = hn::Add(l.x.y, l.y.x), xz = hn::Add(l.x.z, l.z.x), yz = hn::Add(l.y.z, l.z.y);
  const auto diagonal = dot<T>({xx, yy, zz}, {xx, yy, zz}), shear = dot<T>({xy, xz, yz}, {xy, xz, yz});
  auto power = hn::Mul(eta, hn::MulAdd(hn::Set(d, T(0.5)), diagonal, shear));
  const auto t_xy = hn::Mul(eta, xy), t_xz = hn::Mul(eta, xz), t_yz = hn::Mul(eta, yz);
  Rows<T> stress = {{hn::Mul(eta, xx), t_xy, t_xz}, {t_xy, hn::Mul(eta, yy), t_yz}, {t_xz, t_yz, hn::Mul(eta, zz)}};
  V3<T> f = damp_mode<T>(tile.damping_xy(), {x.xy, y.xy, z.xy}, {rx.xy, ry.xy, rz.xy}, l, stress, power);
  rx.xy = f.x, ry.xy = f.y, rz.xy = f.z;
  f = damp_mode<T>(tile.damping_xz(), {x.xz, y.xz, z.xz}, {rx.xz, ry.xz, rz.xz}, l, stress, power);
  rx.xz = f.x, ry.xz = f.y, rz.xz = f.z;
  f = damp_mode<T>(tile.damping_yz(), {x.yz, y.yz, z.yz}, {rx.yz, ry.yz, rz.yz}, l, stress, power);
  rx.yz = f.x, ry.yz = f.y, rz.yz = f.z;
  f = damp_mode<T>(tile.damping_xyz(), {x.xyz, y.xyz, z.xyz}, {rx.xyz, ry.xyz, rz.xyz}, l, stress, power);
  rx.xyz = f.x, ry.xyz = f.y, rz.xyz = f.z;
  dissipation = hn::Add(dissipation, power);
  return stress;
}

// mu V h^2 G + T G^-T, one row.
template <typename T>
HWY_INLINE V3<T> pulled_back(const V<T> spring, const V3<T>& g, const V3<T>& stress, const Inverse<T>& inverse) {
  V3<T> s = scale<T>(spring, g);
  s = add_scaled<T>(stress.x, inverse.a, s);
  s = add_scaled<T>(stress.y, inverse.b, s);
  return add_scaled<T>(stress.z, inverse.c, s);
}

template <typename T>
HWY_INLINE V<T> hourglass_product(const Modes<T>& a, const Modes<T>& b) {
  return hn::MulAdd(a.xy, b.xy, hn::MulAdd(a.xz, b.xz, hn::MulAdd(a.yz, b.yz, hn::Mul(a.xyz, b.xyz))));
}

template <typename T>
HWY_INLINE void add_hourglass(const Modes<T>& a, Modes<T>& sum) {
  sum.xy = hn::Add(sum.xy, a.xy), sum.xz = hn::Add(sum.xz, a.xz);
  sum.yz = hn::Add(sum.yz, a.yz), sum.xyz = hn::Add(sum.xyz, a.xyz);
}

template <typename T>
HWY_INLINE V<T> material_energy(const Material<T>& material, const V<T> volume, const V<T> log_j, const V3<T>& a,
                                const V3<T>& b, const V3<T>& c) {
  // V (mu/2 (|F|^2 - 3) - mu ln J + lambda/2 ln^2 J)
  const Tag<T> d;
  const T h_squared = material.spring_per_volume / material.mu;
  const auto norm =
      hn::MulSub(hn::Set(d, h_squared), hn::Add(dot<T>(a, a), hn::Add(dot<T>(b, b), dot<T>(c, c))), hn::Set(d, T(3)));
  const auto shear = hn::Mul(hn::Set(d, T(0.5) * material.mu), norm);
  const auto bulk = hn::MulSub(hn::Set(d, T(0.5) * material.lambda), log_j, hn::Set(d, material.mu));
  return hn::Mul(volume, hn::MulAdd(log_j, bulk, shear));
}

// `node` is the first lane's place in the plane.
template <bool kDamped, typename T, class Tile>
HWY_INLINE void add_tile(const Tile& tile, const Material<T>& material, const PlaneJob<T>& job, std::ptrdiff_t node,
                         PlaneTotals<T>& totals) {
  const Tag<T> d;
  const std::ptrdiff_t nx = job.lattice->grid.nx;
  Modes<T> x, y, z;
  load_modes<T>(job.x_low, job.x_high, node, nx, x, y, z);
  tile.add_gradients(x, y, z);
  Inverse<T> inverse;
  V<T> j, log_j;
  invert_gradient(tile, material, x.linear, y.linear, z.linear, inverse, j, log_j);
  if (HWY_UNLIKELY(!hn::AllTrue(d, hn::Gt(j, hn::Zero(d))))) {
    HWY_ALIGN T lanes[64 / sizeof(T)];
    hn::Store(j, d, lanes);
    totals.note_inverted(lanes, static_cast<std::int32_t>(job.plane * job.lattice->grid.plane_size() + node));
  }
  totals.smallest = hn::Min(totals.smallest, j);
  const auto volume = tile.volume(), zero = hn::Zero(d);
  const auto pressure = hn::Mul(volume, hn::MulSub(hn::Set(d, material.lambda), log_j, hn::Set(d, material.mu)));
  Modes<T> damping_x{}, damping_y{}, damping_z{};
  Rows<T> stress = {{zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}};
  if constexpr (kDamped)
    stress = damp<T>(tile, material, job, node, inverse, x, y, z, damping_x, damping_y, damping_z, totals.dissipation);
  stress.x.x = hn::Add(stress.x.x, pressure), stress.y.y = hn::Add(stress.y.y, pressure),
  stress.z.z = hn::Add(stress.z.z, pressure);
  Modes<T> sx, sy, sz;
  tile.springs(x, y, z, sx, sy, sz);
  if (job.energy) {
    const auto springs =
        hn::Add(hourglass_product<T>(sx, x), hn::Add(hourglass_product<T>(sy, y), hourglass_product<T>(sz, z)));
    const auto material_part = material_energy<T>(material, volume, log_j, x.linear, y.linear, z.linear);
    totals.energy = hn::Add(totals.energy, hn::MulAdd(hn::Set(d, T(0.5)), springs, material_part));
  }
  if constexpr (kDamped) add_hourglass(damping_x, sx), add_hourglass(damping_y, sy), add_hourglass(damping_z, sz);
  const auto spring = hn::Mul(volume, hn::Set(d, material.spring_per_volume));
  sx.linear = pulled_back<T>(spring, x.linear, stress.x, inverse);
  sy.linear = pulled_back<T>(spring, y.linear, stress.y, inverse);
  sz.linear = pulled_back<T>(spring, z.linear, stress.z, inverse);
  tile.add_stress(sx, sy, sz);
  add_corner_forces<T, PlaneJob<T>>(sx, job, 0, node, nx);
  add_corner_forces<T, PlaneJob<T>>(sy, job, 1, node, nx);
  add_corner_forces<T, PlaneJob<T>>(sz, job, 2, node, nx);
}

// For every tile of a plane: work.before(node, index) and work(tile, material, node, index).
template <typename T, class Work>
HWY_INLINE void for_tiles(const Lattice& lattice, int plane_index, const Work& work) {
  const Material<T> material(lattice);
  const std::int32_t plane_start = plane_index * lattice.grid.plane_size();
  const auto plane = static_cast<std::size_t>(plane_index);
  for (auto t = static_cast<std::size_t>(lattice.tile_plane_begin[plane]);
       t < static_cast<std::size_t>(lattice.tile_plane_begin[plane + 1]); ++t) {
    const CellTile& tile = lattice.tiles[t];
    const std::ptrdiff_t node = tile.node - plane_start;
    work.before(node, t);
    const auto active = lane_mask(Tag<T>(), tile.active);
    if (tile.cut == 0)
      work(FullTile<T>(material, active), material, node, t);
    else
      work(CutTile<T>(material, active, SpreadValues<T>(lattice.cut, tile)), material, node, t);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace distal
HWY_AFTER_NAMESPACE();
#endif
