// One tile of cells: the equations of lattice_kernel.cpp. Included once per instruction set.
#if defined(DISTAL_LATTICE_TILE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef DISTAL_LATTICE_TILE_INL
#undef DISTAL_LATTICE_TILE_INL
#else
#define DISTAL_LATTICE_TILE_INL
#endif

#include "distal/force/lattice_cells-inl.hpp"

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
