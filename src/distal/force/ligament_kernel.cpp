#include "distal/force/ligament_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "distal/force/ligament_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace distal {
namespace HWY_NAMESPACE {
namespace ligament {
namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
using Lanes = hn::CappedTag<T, kLigamentLanes>;
template <typename T>
using Vector = hn::Vec<Lanes<T>>;

template <typename T>
struct Three {
  Vector<T> x, y, z;
};
template <typename T>
HWY_INLINE Three<T> zero3() {
  const Lanes<T> d;
  return {hn::Zero(d), hn::Zero(d), hn::Zero(d)};
}
template <typename T>
HWY_INLINE Three<T> load3(const T* at, std::size_t length) {
  const Lanes<T> d;
  return {hn::LoadU(d, at), hn::LoadU(d, at + length), hn::LoadU(d, at + 2 * length)};
}
template <typename T>
HWY_INLINE void add_scaled(const Vector<T> w, const Three<T>& v, Three<T>& sum) {
  sum.x = hn::MulAdd(w, v.x, sum.x), sum.y = hn::MulAdd(w, v.y, sum.y), sum.z = hn::MulAdd(w, v.z, sum.z);
}
template <typename T>
HWY_INLINE Three<T> add(const Three<T>& a, const Three<T>& b) {
  return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)};
}
template <typename T>
HWY_INLINE Vector<T> add_dot(const Three<T>& a, const Three<T>& b, const Vector<T> sum) {
  return hn::MulAdd(a.x, b.x, hn::MulAdd(a.y, b.y, hn::MulAdd(a.z, b.z, sum)));
}
template <typename T>
HWY_INLINE void add_cross(const Three<T>& a, const Three<T>& b, Three<T>& sum) {
  sum.x = hn::NegMulAdd(a.z, b.y, hn::MulAdd(a.y, b.z, sum.x));
  sum.y = hn::NegMulAdd(a.x, b.z, hn::MulAdd(a.z, b.x, sum.y));
  sum.z = hn::NegMulAdd(a.y, b.x, hn::MulAdd(a.x, b.y, sum.z));
}
template <typename T>
HWY_INLINE double total(const Vector<T> v) {
  return static_cast<double>(hn::GetLane(hn::SumOfLanes(Lanes<T>(), v)));
}
template <typename T>
HWY_INLINE Vec3 total3(const Three<T>& v) {
  return {total<T>(v.x), total<T>(v.y), total<T>(v.z)};
}

// Values of a field on nodes of a row, from a column on.
template <typename T>
HWY_INLINE Three<T> on_row(const BoxField& field, const Vec3& start, int column) {
  const Lanes<T> d;
  const auto number = hn::Iota(d, static_cast<T>(column));
  const auto along = [&](int c) HWY_ATTR {
    return hn::MulAdd(hn::Set(d, static_cast<T>(field.along(c, 0))), number, hn::Set(d, static_cast<T>(start[c])));
  };
  return {along(0), along(1), along(2)};
}

template <typename T>
void FindMotion(const LigamentMatrix& matrix, int plane, const std::array<const T*, 3>& in, const BoxField& field,
                T* out) {
  const Lanes<T> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const std::size_t length = matrix.plane_length();
  for (int row = 0; row < matrix.count[1]; ++row) {
    const Vec3 start = field.row_start(row, plane);
    for (int column = 0; column < matrix.count[0]; column += lanes) {
      const auto inside = hn::FirstN(d, static_cast<std::size_t>(std::min(lanes, matrix.count[0] - column)));
      const std::ptrdiff_t node = matrix.node(column, row, plane), place = matrix.place(column, row);
      const Three<T> carried = on_row<T>(field, start, column);
      const auto take = [&](std::size_t c, Vector<T> there) HWY_ATTR {
        const auto moved = hn::Sub(hn::MaskedLoad(inside, d, in[c] + node), there);
        hn::StoreU(hn::IfThenElseZero(inside, moved), d, out + c * length + place);
      };
      take(0, carried.x), take(1, carried.y), take(2, carried.z);
    }
  }
}
template <typename T>
HWY_INLINE void add_to(const std::array<T*, 3>& sums, std::ptrdiff_t node, int nodes, const Three<T>& what) {
  const Lanes<T> d;
  const auto inside = hn::FirstN(d, std::min(static_cast<std::size_t>(nodes), hn::Lanes(d)));
  const auto one = [&](std::size_t c, Vector<T> value) HWY_ATTR {
    T* const at = sums[c] + node;
    hn::BlendedStore(hn::Add(hn::MaskedLoad(inside, d, at), value), inside, d, at);
  };
  one(0, what.x), one(1, what.y), one(2, what.z);
}

// W u for the nodes of a tile, or the part of them that fits a vector. Two sums, so that one product need not wait for
// the last; `own` is where the part stands in a plane.
template <typename T, class Weight>
HWY_INLINE Three<T> multiply(const LigamentMatrix& matrix, std::size_t tile, const LigamentLayers<T>& u,
                             std::ptrdiff_t own, std::size_t length, const Weight& weight) {
  auto even = zero3<T>(), odd = even;
  const auto take = [&](std::size_t e, Three<T>& sum) HWY_ATTR {
    const LigamentNeighbour& n = matrix.neighbour[e];
    add_scaled<T>(weight(e), load3<T>(u[static_cast<std::size_t>(n.z + 1)] + own + n.in_plane, length), sum);
  };
  auto e = static_cast<std::size_t>(matrix.begin[tile]);
  const auto end = static_cast<std::size_t>(matrix.begin[tile + 1]);
  for (; e + 1 < end; e += 2) take(e, even), take(e + 1, odd);
  if (e < end) take(e, even);
  return add<T>(even, odd);
}

// Calls work(tile number, tile, first of its nodes in this part, arms) for all parts of the tiles of a plane.
template <typename T, class Work>
HWY_INLINE void for_parts(const LigamentMatrix& matrix, int plane, const BoxField& arms, const Work& work) {
  const int lanes = static_cast<int>(hn::Lanes(Lanes<T>()));
  const auto layer = static_cast<std::size_t>(plane);
  for (auto t = static_cast<std::size_t>(matrix.plane_begin[layer]);
       t < static_cast<std::size_t>(matrix.plane_begin[layer + 1]); ++t) {
    const LigamentTile& tile = matrix.tiles[t];
    const Vec3 start = arms.row_start(tile.row, plane);
    for (int part = 0; part < tile.nodes; part += lanes)
      work(t, tile, part, on_row<T>(arms, start, tile.column + part));
  }
}

void PullDouble(const LigamentMatrix& matrix, int plane, const LigamentLayers<double>& u,
                const LigamentLayers<double>& rate, const BoxField& arms, const std::array<double*, 3>& force,
                LigamentSums& sums) {
  const Lanes<double> d;
  const hn::Rebind<float, Lanes<double>> df;
  const std::size_t length = matrix.plane_length();
  auto spring_sum = zero3<double>(), damper_sum = spring_sum, spring_torque = spring_sum, damper_torque = spring_sum;
  auto energy = hn::Zero(d), power = energy;
  for_parts<double>(
      matrix, plane, arms, [&](std::size_t t, const LigamentTile& tile, int part, const auto& rest) HWY_ATTR {
        const std::ptrdiff_t own = matrix.place(tile.column, tile.row) + part;
        const auto product = [&](const LigamentLayers<double>& of, const AlignedVector<float>& weights) HWY_ATTR {
          const float* const from = weights.data() + part;
          return multiply<double>(matrix, t, of, own, length, [&](std::size_t e) HWY_ATTR {
            return hn::PromoteTo(d, hn::LoadU(df, from + e * kLigamentLanes));
          });
        };
        const Three<double> spring = product(u, matrix.stiffness), damper = product(rate, matrix.damping);
        const Three<double> moved = load3<double>(u[1] + own, length), arm = add<double>(moved, rest);
        add_to<double>(force, matrix.node(tile.column, tile.row, plane) + part, tile.nodes - part,
                       {hn::Neg(hn::Add(spring.x, damper.x)), hn::Neg(hn::Add(spring.y, damper.y)),
                        hn::Neg(hn::Add(spring.z, damper.z))});
        spring_sum = add<double>(spring_sum, spring), damper_sum = add<double>(damper_sum, damper);
        add_cross<double>(arm, spring, spring_torque), add_cross<double>(arm, damper, damper_torque);
        energy = add_dot<double>(spring, moved, energy);
        power = add_dot<double>(damper, load3<double>(rate[1] + own, length), power);
      });
  sums.on_rod_damping = {total3<double>(damper_sum), total3<double>(damper_torque)};
  sums.on_rod = Wrench{total3<double>(spring_sum), total3<double>(spring_torque)} + sums.on_rod_damping;
  sums.ligament_j = 0.5 * total<double>(energy);
  sums.ligament_w = total<double>(power);
}

LigamentProduct PullFloat(const LigamentMatrix& matrix, const float* weights, int plane, const LigamentLayers<float>& u,
                          const BoxField& arms, const std::array<float*, 3>& q) {
  const Lanes<float> d;
  const std::size_t length = matrix.plane_length();
  auto sum = zero3<float>(), torque = sum;
  auto uwu = hn::Zero(d);
  for_parts<float>(
      matrix, plane, arms, [&](std::size_t t, const LigamentTile& tile, int part, const auto& arm) HWY_ATTR {
        const float* const from = weights + part;
        const std::ptrdiff_t own = matrix.place(tile.column, tile.row) + part;
        const Three<float> pull = multiply<float>(
            matrix, t, u, own, length, [&](std::size_t e) HWY_ATTR { return hn::LoadU(d, from + e * kLigamentLanes); });
        add_to<float>(q, matrix.node(tile.column, tile.row, plane) + part, tile.nodes - part, pull);
        sum = add<float>(sum, pull);
        add_cross<float>(arm, pull, torque);
        uwu = add_dot<float>(pull, load3<float>(u[1] + own, length), uwu);
      });
  return {-Wrench{total3<float>(sum), total3<float>(torque)}, total<float>(uwu)};
}

}  // namespace ligament

void LigamentMotionDouble(const LigamentMatrix& matrix, int plane, const std::array<const double*, 3>& in,
                          const BoxField& field, double* out) {
  ligament::FindMotion<double>(matrix, plane, in, field, out);
}
void LigamentMotionFloat(const LigamentMatrix& matrix, int plane, const std::array<const float*, 3>& in,
                         const BoxField& field, float* out) {
  ligament::FindMotion<float>(matrix, plane, in, field, out);
}
void LigamentPullDouble(const LigamentMatrix& matrix, int plane, const LigamentLayers<double>& u,
                        const LigamentLayers<double>& rate, const BoxField& arms, const std::array<double*, 3>& force,
                        LigamentSums& sums) {
  ligament::PullDouble(matrix, plane, u, rate, arms, force, sums);
}
LigamentProduct LigamentPullFloat(const LigamentMatrix& matrix, const float* weight, int plane,
                                  const LigamentLayers<float>& u, const BoxField& arms,
                                  const std::array<float*, 3>& q) {
  return ligament::PullFloat(matrix, weight, plane, u, arms, q);
}

}  // namespace HWY_NAMESPACE
}  // namespace distal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace distal {
HWY_EXPORT(LigamentMotionDouble);
HWY_EXPORT(LigamentMotionFloat);
HWY_EXPORT(LigamentPullDouble);
HWY_EXPORT(LigamentPullFloat);

BoxField rest_arms(const LigamentMatrix& matrix, const Vec3& centre_of_mass_m, const Mat3& rotation) {
  return {rotation * (matrix.first_rest_m - centre_of_mass_m), matrix.cell_size_m * rotation};
}

BoxField rigid_velocity(const BoxField& arms, const Vec3& velocity, const Vec3& angular) {
  BoxField field{velocity + angular.cross(arms.first), {}};
  for (int c = 0; c < 3; ++c) field.along.col(c) = angular.cross(arms.along.col(c));
  return field;
}

void find_ligament_motion(const LigamentMatrix& matrix, int plane, const std::array<const double*, 3>& in,
                          const BoxField& field, double* out) {
  HWY_DYNAMIC_DISPATCH(LigamentMotionDouble)(matrix, plane, in, field, out);
}
void find_ligament_motion(const LigamentMatrix& matrix, int plane, const std::array<const float*, 3>& in,
                          const BoxField& field, float* out) {
  HWY_DYNAMIC_DISPATCH(LigamentMotionFloat)(matrix, plane, in, field, out);
}
void pull_ligament_plane(const LigamentMatrix& matrix, int plane, const LigamentLayers<double>& u,
                         const LigamentLayers<double>& rate, const BoxField& arms, const std::array<double*, 3>& force,
                         LigamentSums& sums) {
  HWY_DYNAMIC_DISPATCH(LigamentPullDouble)(matrix, plane, u, rate, arms, force, sums);
}
LigamentProduct pull_ligament_plane(const LigamentMatrix& matrix, const float* weight, int plane,
                                    const LigamentLayers<float>& u, const BoxField& arms,
                                    const std::array<float*, 3>& q) {
  return HWY_DYNAMIC_DISPATCH(LigamentPullFloat)(matrix, weight, plane, u, arms, q);
}

}  // namespace distal
#endif
