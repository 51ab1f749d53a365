// What the cells of a tile are made of, by lanes: numbers of the body, tiles of full cells, tiles with cut ones.
// Included once per instruction set.
#if defined(DISTAL_LATTICE_CELLS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef DISTAL_LATTICE_CELLS_INL
#undef DISTAL_LATTICE_CELLS_INL
#else
#define DISTAL_LATTICE_CELLS_INL
#endif

#include "distal/force/lattice_kernel-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace distal {
namespace HWY_NAMESPACE {

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

}  // namespace HWY_NAMESPACE
}  // namespace distal
HWY_AFTER_NAMESPACE();
#endif
