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

// At most as many lanes as a block of cut cells has.
template <typename T>
using Tag = hn::CappedTag<T, 64 / sizeof(T)>;
template <typename T>
using V = hn::Vec<Tag<T>>;

// Modes 1..7 of one component, index = mode - 1.
template <typename T>
struct Modes {
  V<T> m[7];
};

template <typename T>
struct Corners {
  V<T> c[8];
};

template <typename T>
HWY_INLINE Modes<T> to_modes(const Corners<T>& in) {
  const auto* x = in.c;
  const auto a0 = hn::Add(x[0], x[1]), a1 = hn::Add(x[2], x[3]), a2 = hn::Add(x[4], x[5]), a3 = hn::Add(x[6], x[7]);
  const auto d0 = hn::Sub(x[1], x[0]), d1 = hn::Sub(x[3], x[2]), d2 = hn::Sub(x[5], x[4]), d3 = hn::Sub(x[7], x[6]);
  const auto sum_low = hn::Add(d0, d1), sum_high = hn::Add(d2, d3);
  const auto dif_low = hn::Sub(d1, d0), dif_high = hn::Sub(d3, d2);
  const auto y_low = hn::Sub(a1, a0), y_high = hn::Sub(a3, a2);
  Modes<T> out;
  out.m[0] = hn::Add(sum_low, sum_high);
  out.m[1] = hn::Add(y_low, y_high);
  out.m[2] = hn::Add(dif_low, dif_high);
  out.m[3] = hn::Sub(hn::Add(a2, a3), hn::Add(a0, a1));
  out.m[4] = hn::Sub(sum_high, sum_low);
  out.m[5] = hn::Sub(y_high, y_low);
  out.m[6] = hn::Sub(dif_high, dif_low);
  return out;
}

// Minus the sum over modes: forces on the corners.
template <typename T>
HWY_INLINE Corners<T> to_corner_forces(const Modes<T>& in) {
  const auto* s = in.m;
  const auto e1 = hn::Sub(s[0], s[2]), e2 = hn::Add(s[0], s[2]), g1 = hn::Sub(s[4], s[6]), g2 = hn::Add(s[4], s[6]);
  const auto yz_dif = hn::Sub(s[5], s[1]), yz_sum = hn::Add(s[1], s[5]);
  // u carries the sign of x, w does not; one pair per row of the cell.
  const V<T> u[4] = {hn::Sub(e1, g1), hn::Sub(e2, g2), hn::Add(e1, g1), hn::Add(e2, g2)};
  const V<T> w[4] = {hn::Sub(yz_dif, s[3]), hn::Sub(hn::Neg(yz_dif), s[3]), hn::Sub(s[3], yz_sum), hn::Add(s[3], yz_sum)};
  Corners<T> out;
  for (int r = 0; r < 4; ++r) {
    out.c[2 * r] = hn::Sub(u[r], w[r]);
    out.c[2 * r + 1] = hn::Neg(hn::Add(u[r], w[r]));
  }
  return out;
}

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
  HWY_NOINLINE void note_inverted(V<T> j, const std::int32_t* nodes, std::int32_t first) {
    const Tag<T> d;
    HWY_ALIGN T lane[64 / sizeof(T)];
    hn::Store(j, d, lane);
    for (std::size_t l = 0; l < hn::Lanes(d) && worst < 0; ++l)
      if (!(lane[l] > T(0))) worst = nodes ? nodes[l] : first + static_cast<std::int32_t>(l), worst_j = lane[l] < T(0) ? static_cast<double>(lane[l]) : 0.0;
  }
};

// Material and damping of a group of cells.
template <typename T>
struct CellConstants {
  V<T> volume, mu, lambda, viscosity_volume;  // viscosity_volume = 2 eta V
  V<T> hourglass_damping[4];                  // c_k
};

// In: F, dF/dt, hourglass amplitudes and rates. Out: T F^-T, c_k q_k, J, ln J, dissipation.
template <typename T>
struct CellStress {
  V<T> f[3][3], rate[3][3], y[4][3], q[4][3];  // q: in as rates, out as c_k q_k
  V<T> p[3][3], log_j, j, dissipation;

  HWY_INLINE void compute_determinant(V<T> (&inverse)[3][3]) {
    // inverse receives the adjugate: F^-1 = adj / J.
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) {
        const int r1 = (b + 1) % 3, r2 = (b + 2) % 3, c1 = (a + 1) % 3, c2 = (a + 2) % 3;
        inverse[a][b] = hn::NegMulAdd(f[r1][c2], f[r2][c1], hn::Mul(f[r1][c1], f[r2][c2]));
      }
    j = hn::MulAdd(f[0][0], inverse[0][0], hn::MulAdd(f[0][1], inverse[1][0], hn::Mul(f[0][2], inverse[2][0])));
  }

  HWY_INLINE void compute(const CellConstants<T>& k, V<T> (&inverse)[3][3]) {
    const Tag<T> d;
    const auto one_over_j = hn::Div(hn::Set(d, T(1)), j);
    for (auto& row : inverse)
      for (auto& entry : row) entry = hn::Mul(entry, one_over_j);
    V<T> l[3][3];
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        l[a][b] = hn::MulAdd(rate[a][0], inverse[0][b], hn::MulAdd(rate[a][1], inverse[1][b], hn::Mul(rate[a][2], inverse[2][b])));
    log_j = hn::Log(d, j);
    const auto pressure = hn::Mul(k.volume, hn::MulSub(k.lambda, log_j, k.mu));
    // Stress T; the rate of strain gives its viscous part.
    V<T> t[3][3];
    dissipation = hn::Zero(d);
    const auto half = hn::Set(d, T(0.5)), two = hn::Set(d, T(2));
    for (int a = 0; a < 3; ++a) {
      t[a][a] = hn::MulAdd(k.viscosity_volume, l[a][a], pressure);
      dissipation = hn::MulAdd(l[a][a], l[a][a], dissipation);
      for (int b = 0; b < a; ++b) {
        const auto shear = hn::Mul(half, hn::Add(l[a][b], l[b][a]));
        t[a][b] = t[b][a] = hn::Mul(k.viscosity_volume, shear);
        dissipation = hn::MulAdd(hn::Mul(two, shear), shear, dissipation);
      }
    }
    dissipation = hn::Mul(k.viscosity_volume, dissipation);
    for (int m = 0; m < 4; ++m)
      for (int a = 0; a < 3; ++a) {
        const auto drift = hn::MulAdd(l[a][0], y[m][0], hn::MulAdd(l[a][1], y[m][1], hn::Mul(l[a][2], y[m][2])));
        const auto slip = hn::Sub(q[m][a], drift);
        q[m][a] = hn::Mul(k.hourglass_damping[m], slip);
        dissipation = hn::MulAdd(q[m][a], slip, dissipation);
        for (int b = 0; b < 3; ++b) t[a][b] = hn::NegMulAdd(q[m][a], y[m][b], t[a][b]);
      }
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        p[a][b] = hn::MulAdd(t[a][0], inverse[b][0], hn::MulAdd(t[a][1], inverse[b][1], hn::Mul(t[a][2], inverse[b][2])));
  }
};

// Mode numbers (from 0) of the linear and the hourglass modes.
constexpr int kLinear[3] = {0, 1, 3};
constexpr int kHourglass[4] = {2, 4, 5, 6};

template <typename T>
HWY_INLINE V<T> square_sum(const V<T> (&v)[3]) {
  return hn::MulAdd(v[0], v[0], hn::MulAdd(v[1], v[1], hn::Mul(v[2], v[2])));
}

template <typename T>
HWY_INLINE Modes<T> load_modes(const T* base, std::ptrdiff_t nx, std::ptrdiff_t plane) {
  const Tag<T> d;
  Corners<T> corners;
  for (int a = 0; a < 8; ++a) corners.c[a] = hn::LoadU(d, base + (a & 1) + ((a >> 1) & 1) * nx + ((a >> 2) & 1) * plane);
  return to_modes(corners);
}

template <typename T>
void add_full_cells(const PlaneJob<T>& job, PlaneTotals<T>& totals) {
  const Tag<T> d;
  const Lattice& lattice = *job.lattice;
  const Grid& grid = lattice.grid;
  const auto lanes = static_cast<std::int32_t>(hn::Lanes(d));
  const std::ptrdiff_t nx = grid.nx, plane = grid.plane_size(), plane_start = job.plane * plane;
  const double size = grid.cell_size_m, mu = lattice.moduli.shear_pa, tau = lattice.relaxation_time_s;
  const double volume = size * size * size;
  CellConstants<T> k;
  k.volume = hn::Set(d, static_cast<T>(volume));
  k.mu = hn::Set(d, static_cast<T>(mu));
  k.lambda = hn::Set(d, static_cast<T>(lattice.moduli.lame_lambda_pa));
  k.viscosity_volume = hn::Set(d, static_cast<T>(2.0 * mu * tau * volume));
  const V<T> stiffness[4] = {hn::Set(d, static_cast<T>(mu * size / 24.0)), hn::Set(d, static_cast<T>(mu * size / 24.0)),
                             hn::Set(d, static_cast<T>(mu * size / 24.0)), hn::Set(d, static_cast<T>(mu * size / 48.0))};
  for (int m = 0; m < 4; ++m) k.hourglass_damping[m] = hn::Mul(stiffness[m], hn::Set(d, static_cast<T>(tau)));
  const auto gradient = hn::Set(d, static_cast<T>(0.25 / size));
  const auto spring = hn::Set(d, static_cast<T>(mu * volume));
  const std::ptrdiff_t row_stride = nx + static_cast<std::ptrdiff_t>(kPadding);
  const std::ptrdiff_t row_offset[2] = {0, nx};

  for (int r = lattice.run_plane_begin[static_cast<std::size_t>(job.plane)]; r < lattice.run_plane_begin[static_cast<std::size_t>(job.plane) + 1]; ++r) {
    const CellRun run = lattice.runs[static_cast<std::size_t>(r)];
    for (std::int32_t i = 0; i < run.count; i += lanes) {
      const std::ptrdiff_t node = run.node + i;
      const auto active = hn::FirstN(d, static_cast<std::size_t>(run.count - i));
      CellStress<T> cell;
      for (int c = 0; c < 3; ++c) {
        const Modes<T> mx = load_modes(job.x[c] + node, nx, plane), mv = load_modes(job.v[c] + node, nx, plane);
        for (int axis = 0; axis < 3; ++axis) {
          cell.f[c][axis] = hn::Mul(gradient, mx.m[kLinear[axis]]);
          cell.rate[c][axis] = hn::Mul(gradient, mv.m[kLinear[axis]]);
        }
        for (int m = 0; m < 4; ++m) cell.y[m][c] = mx.m[kHourglass[m]], cell.q[m][c] = mv.m[kHourglass[m]];
      }
      V<T> inverse[3][3];
      cell.compute_determinant(inverse);
      cell.j = hn::IfThenElse(active, cell.j, hn::Set(d, T(1)));
      if (HWY_UNLIKELY(!hn::AllTrue(d, hn::Gt(cell.j, hn::Zero(d))))) totals.note_inverted(cell.j, nullptr, static_cast<std::int32_t>(node));
      totals.smallest = hn::Min(totals.smallest, cell.j);
      cell.compute(k, inverse);
      totals.dissipation = hn::Add(totals.dissipation, hn::IfThenElseZero(active, cell.dissipation));
      if (job.energy) {
        // V (mu/2 (|F|^2 - 3) - mu ln J + lambda/2 ln^2 J) + hourglass springs
        const auto half = hn::Set(d, T(0.5));
        auto norm = hn::Sub(hn::Add(square_sum<T>(cell.f[0]), hn::Add(square_sum<T>(cell.f[1]), square_sum<T>(cell.f[2]))), hn::Set(d, T(3)));
        auto e = hn::Mul(half, hn::Mul(k.mu, norm));
        e = hn::MulAdd(cell.log_j, hn::MulSub(hn::Mul(half, k.lambda), cell.log_j, k.mu), e);
        e = hn::Mul(e, k.volume);
        for (int m = 0; m < 4; ++m) e = hn::MulAdd(hn::Mul(half, stiffness[m]), square_sum<T>(cell.y[m]), e);
        totals.energy = hn::Add(totals.energy, hn::IfThenElseZero(active, e));
      }
      const std::ptrdiff_t in_plane = node - plane_start;
      for (int c = 0; c < 3; ++c) {
        Modes<T> s;
        for (int axis = 0; axis < 3; ++axis)
          s.m[kLinear[axis]] = hn::IfThenElseZero(active, hn::Mul(gradient, hn::MulAdd(spring, cell.f[c][axis], cell.p[c][axis])));
        for (int m = 0; m < 4; ++m) s.m[kHourglass[m]] = hn::IfThenElseZero(active, hn::MulAdd(stiffness[m], cell.y[m][c], cell.q[m][c]));
        const Corners<T> force = to_corner_forces(s);
        for (int row = 0; row < 4; ++row) {
          T* target = (row < 2 ? job.low[c] : job.high[c]) + in_plane + row_offset[row & 1];
          hn::StoreU(hn::Add(hn::LoadU(d, target), force.c[2 * row]), d, target);
          hn::StoreU(force.c[2 * row + 1], d, job.row + (4 * c + row) * row_stride + i);
        }
      }
    }
    // The right corners, one node further: added when the row is done, so that vectors do not overlap.
    for (int c = 0; c < 3; ++c)
      for (int row = 0; row < 4; ++row) {
        T* target = (row < 2 ? job.low[c] : job.high[c]) + run.node - plane_start + row_offset[row & 1] + 1;
        const T* right = job.row + (4 * c + row) * row_stride;
        for (std::int32_t i = 0; i < run.count; i += lanes)
          hn::StoreU(hn::Add(hn::LoadU(d, target + i), hn::LoadU(d, right + i)), d, target + i);
      }
  }
}

template <typename T>
HWY_INLINE V<T> gather(const T* base, const std::int32_t* nodes, std::ptrdiff_t offset) {
  const Tag<T> d;
  HWY_ALIGN T lane[64 / sizeof(T)];
  for (std::size_t l = 0; l < hn::Lanes(d); ++l) lane[l] = base[nodes[l] + offset];
  return hn::Load(d, lane);
}

template <typename T>
void add_cut_cells(const PlaneJob<T>& job, PlaneTotals<T>& totals) {
  const Tag<T> d;
  const Lattice& lattice = *job.lattice;
  const CutCells& cut = lattice.cut;
  const Grid& grid = lattice.grid;
  const auto lanes = hn::Lanes(d), width = static_cast<std::size_t>(cut.lanes);
  const std::ptrdiff_t nx = grid.nx, plane = grid.plane_size(), plane_start = job.plane * plane;
  const double mu = lattice.moduli.shear_pa;
  const auto tau = hn::Set(d, static_cast<T>(lattice.relaxation_time_s));
  CellConstants<T> k;
  k.mu = hn::Set(d, static_cast<T>(mu));
  k.lambda = hn::Set(d, static_cast<T>(lattice.moduli.lame_lambda_pa));
  const T* coefficients;
  if constexpr (sizeof(T) == 4) coefficients = cut.coefficients_float.data();
  else coefficients = cut.coefficients.data();

  for (int block = cut.plane_begin[static_cast<std::size_t>(job.plane)]; block < cut.plane_begin[static_cast<std::size_t>(job.plane) + 1]; ++block)
    for (std::size_t part = 0; part < width; part += lanes) {
      const T* coefficient = coefficients + static_cast<std::size_t>(block) * kCutCoefficients * width + part;
      const auto load = [&](int c) HWY_ATTR { return hn::Load(d, coefficient + static_cast<std::size_t>(c) * width); };
      std::int32_t nodes[64 / sizeof(T)];
      const std::int32_t* block_nodes = cut.node.data() + static_cast<std::size_t>(block) * width + part;
      for (std::size_t l = 0; l < lanes; ++l) nodes[l] = block_nodes[l] < 0 ? static_cast<std::int32_t>(plane_start) : block_nodes[l];
      Modes<T> mx[3], mv[3];
      for (int c = 0; c < 3; ++c) {
        Corners<T> cx, cv;
        for (int a = 0; a < 8; ++a) {
          const std::ptrdiff_t offset = (a & 1) + ((a >> 1) & 1) * nx + ((a >> 2) & 1) * plane;
          cx.c[a] = gather(job.x[c], nodes, offset);
          cv.c[a] = gather(job.v[c], nodes, offset);
        }
        mx[c] = to_modes(cx), mv[c] = to_modes(cv);
      }
      CellStress<T> cell;
      V<T> s[7][3];
      k.volume = load(0);
      k.viscosity_volume = hn::Mul(k.volume, hn::Set(d, static_cast<T>(2.0 * mu * lattice.relaxation_time_s)));
      const int first_gradient = 1 + kPackedSize;
      for (int c = 0; c < 3; ++c)
        for (int axis = 0; axis < 3; ++axis) cell.f[c][axis] = cell.rate[c][axis] = hn::Zero(d);
      for (int b = 0; b < 7; ++b)
        for (int axis = 0; axis < 3; ++axis) {
          const auto g = load(first_gradient + 3 * b + axis);
          for (int c = 0; c < 3; ++c) {
            cell.f[c][axis] = hn::MulAdd(g, mx[c].m[b], cell.f[c][axis]);
            cell.rate[c][axis] = hn::MulAdd(g, mv[c].m[b], cell.rate[c][axis]);
          }
        }
      // Springs: s = K m.
      for (int b = 0; b < 7; ++b) {
        for (int c = 0; c < 3; ++c) s[b][c] = hn::Mul(load(1 + packed_index(b, 0)), mx[c].m[0]);
        for (int o = 1; o < 7; ++o) {
          const auto stiffness = load(1 + packed_index(b, o));
          for (int c = 0; c < 3; ++c) s[b][c] = hn::MulAdd(stiffness, mx[c].m[o], s[b][c]);
        }
      }
      for (int m = 0; m < 4; ++m) {
        const int b = kHourglass[m];
        k.hourglass_damping[m] = hn::Mul(hn::Mul(tau, load(kDampingShare)), load(1 + packed_index(b, b)));
        for (int c = 0; c < 3; ++c) cell.y[m][c] = mx[c].m[b], cell.q[m][c] = mv[c].m[b];
      }
      V<T> inverse[3][3];
      cell.compute_determinant(inverse);
      const auto active = hn::Gt(k.volume, hn::Zero(d));
      cell.j = hn::IfThenElse(active, cell.j, hn::Set(d, T(1)));
      if (HWY_UNLIKELY(!hn::AllTrue(d, hn::Gt(cell.j, hn::Zero(d))))) totals.note_inverted(cell.j, nodes, 0);
      totals.smallest = hn::Min(totals.smallest, cell.j);
      cell.compute(k, inverse);
      totals.dissipation = hn::Add(totals.dissipation, cell.dissipation);
      if (job.energy) {
        // 1/2 m K m is mu/2 |grad x|^2 of the whole cell; at rest it is 3/2 mu V.
        const auto half = hn::Set(d, T(0.5));
        auto e = hn::Mul(k.volume, hn::MulSub(cell.log_j, hn::MulSub(hn::Mul(half, k.lambda), cell.log_j, k.mu), hn::Mul(hn::Set(d, T(1.5)), k.mu)));
        for (int b = 0; b < 7; ++b)
          for (int c = 0; c < 3; ++c) e = hn::MulAdd(hn::Mul(half, s[b][c]), mx[c].m[b], e);
        totals.energy = hn::Add(totals.energy, e);
      }
      for (int b = 0; b < 7; ++b)
        for (int axis = 0; axis < 3; ++axis) {
          const auto g = load(first_gradient + 3 * b + axis);
          for (int c = 0; c < 3; ++c) s[b][c] = hn::MulAdd(g, cell.p[c][axis], s[b][c]);
        }
      for (int m = 0; m < 4; ++m)
        for (int c = 0; c < 3; ++c) s[kHourglass[m]][c] = hn::Add(s[kHourglass[m]][c], cell.q[m][c]);
      for (int c = 0; c < 3; ++c) {
        Modes<T> modes;
        for (int b = 0; b < 7; ++b) modes.m[b] = s[b][c];
        const Corners<T> force = to_corner_forces(modes);
        HWY_ALIGN T lane[8][64 / sizeof(T)];
        for (int a = 0; a < 8; ++a) hn::Store(force.c[a], d, lane[a]);
        for (int a = 0; a < 8; ++a) {
          T* target = (a < 4 ? job.low[c] : job.high[c]) - plane_start + (a & 1) + ((a >> 1) & 1) * nx;
          for (std::size_t l = 0; l < lanes; ++l) target[nodes[l]] += lane[a][l];
        }
      }
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace distal
HWY_AFTER_NAMESPACE();
#endif
