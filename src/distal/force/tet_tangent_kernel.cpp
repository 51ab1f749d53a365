#include "distal/force/tet_tangent_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "distal/force/tet_tangent_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace distal::tet {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Three components and a spare, in one register on any machine; the compiler's own, since Highway has none of a fixed
// size without vector instructions.
typedef float Four __attribute__((vector_size(16)));

HWY_INLINE Four LoadFour(const float* at) {
  Four value;
  __builtin_memcpy(&value, at, sizeof(value));
  return value;
}

void SumGradients(const Rows& rows, const float* mean, const float* p, float* gradient, std::size_t stride,
                  std::size_t begin, std::size_t end) {
  for (std::size_t n = begin; n < end; ++n) {
    Four x = {}, y = {}, z = {};
    for (auto e = static_cast<std::size_t>(rows.begin[n]); e < static_cast<std::size_t>(rows.begin[n + 1]); ++e) {
      const float* moved = p + 4 * static_cast<std::size_t>(rows.neighbour[e]);
      const Four g = LoadFour(mean + 4 * e);
      x += moved[0] * g;
      y += moved[1] * g;
      z += moved[2] * g;
    }
    float* to = gradient + n;
    to[0] = x[0], to[stride] = x[1], to[2 * stride] = x[2];
    to[3 * stride] = y[0], to[4 * stride] = y[1], to[5 * stride] = y[2];
    to[6 * stride] = z[0], to[7 * stride] = z[1], to[8 * stride] = z[2];
  }
}

// Loops over it are unrolled: g++ would keep its vectors in memory.
template <class V>
struct Matrix {
  V m[3][3];
};

template <class D, class V = hn::Vec<D>>
Matrix<V> LoadMatrix(D d, const float* at, std::size_t stride, std::size_t n) {
  Matrix<V> result;
  HWY_UNROLL(3)
  for (std::size_t i = 0; i < 3; ++i) HWY_UNROLL(3)
  for (std::size_t j = 0; j < 3; ++j) result.m[i][j] = hn::LoadU(d, at + (3 * i + j) * stride + n);
  return result;
}

// With H = D A^T (J F^-1): viscous carries 1 / (2 J^2).
template <class D, class V>
void AddViscosity(D d, V viscous, const Matrix<V>& g, const Matrix<V>& area, Matrix<V>& s) {
  Matrix<V> h;
  HWY_UNROLL(3)
  for (int i = 0; i < 3; ++i) HWY_UNROLL(3)
  for (int j = 0; j < 3; ++j) {
    h.m[i][j] = hn::Zero(d);
    HWY_UNROLL(3)
    for (int k = 0; k < 3; ++k) h.m[i][j] = hn::MulAdd(g.m[i][k], area.m[j][k], h.m[i][j]);
  }
  HWY_UNROLL(3)
  for (int i = 0; i < 3; ++i) HWY_UNROLL(3)
  for (int k = 0; k < 3; ++k) {
    V sum = hn::Zero(d);
    HWY_UNROLL(3)
    for (int j = 0; j < 3; ++j) sum = hn::MulAdd(hn::Add(h.m[i][j], h.m[j][i]), area.m[j][k], sum);
    s.m[i][k] = hn::MulAdd(viscous, sum, s.m[i][k]);
  }
}

void FindStress(const StressJob& job, std::size_t begin, std::size_t end) {
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kMost = HWY_MAX_BYTES / sizeof(float);
  alignas(HWY_MAX_BYTES) float lanes[9][kMost];
  for (std::size_t n = begin; n < end; n += hn::Lanes(d)) {
    const Matrix<V> f = LoadMatrix(d, job.f, job.stride, n), area = LoadMatrix(d, job.area, job.stride, n),
                    g = LoadMatrix(d, job.gradient, job.stride, n);
    const V linear = hn::LoadU(d, job.linear + n), b = hn::LoadU(d, job.b + n);
    V along = hn::Zero(d);
    HWY_UNROLL(3)
    for (int i = 0; i < 3; ++i) HWY_UNROLL(3)
    for (int j = 0; j < 3; ++j) along = hn::MulAdd(area.m[i][j], g.m[i][j], along);
    const V stretch = hn::Mul(along, hn::LoadU(d, job.a + n));
    Matrix<V> s;
    HWY_UNROLL(3)
    for (int i = 0; i < 3; ++i) HWY_UNROLL(3)
    for (int j = 0; j < 3; ++j) {
      // The cofactor's element is a product of the other two rows and columns.
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      V turned = hn::Mul(g.m[i1][j1], f.m[i2][j2]);
      turned = hn::MulAdd(f.m[i1][j1], g.m[i2][j2], turned);
      turned = hn::NegMulAdd(g.m[i1][j2], f.m[i2][j1], turned);
      turned = hn::NegMulAdd(f.m[i1][j2], g.m[i2][j1], turned);
      s.m[i][j] = hn::MulAdd(b, turned, hn::MulAdd(stretch, area.m[i][j], hn::Mul(linear, g.m[i][j])));
    }
    if (job.viscous != nullptr) AddViscosity(d, hn::LoadU(d, job.viscous + n), g, area, s);
    HWY_UNROLL(3)
    for (int i = 0; i < 3; ++i) HWY_UNROLL(3)
    for (int k = 0; k < 3; ++k) hn::Store(s.m[i][k], d, lanes[3 * k + i]);
    for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) {
      float* to = job.stress + 12 * (n + lane);
      HWY_UNROLL(3)
      for (std::size_t k = 0; k < 3; ++k) HWY_UNROLL(3)
      for (std::size_t i = 0; i < 3; ++i) to[4 * k + i] = lanes[3 * k + i][lane];
    }
  }
}

void GiveRows(const Rows& nodal, const float* given, const float* stress, const Rows& springs, const float* stiffness,
              const float* p, float* x, float* y, float* z, std::size_t begin, std::size_t end) {
  const auto spring = [&](std::size_t e) {
    return stiffness[e] * LoadFour(p + 4 * static_cast<std::size_t>(springs.neighbour[e]));
  };
  for (std::size_t n = begin; n < end; ++n) {
    // Several sums at once: one would wait for each addition. And no arrays of them, which would be kept in memory.
    Four pull = {}, pull1 = {}, pull2 = {}, force = {}, force1 = {}, force2 = {};
    auto s = static_cast<std::size_t>(springs.begin[n]);
    const auto last = static_cast<std::size_t>(springs.begin[n + 1]);
    for (; s + 3 <= last; s += 3) pull += spring(s), pull1 += spring(s + 1), pull2 += spring(s + 2);
    for (; s < last; ++s) pull += spring(s);
    for (auto e = static_cast<std::size_t>(nodal.begin[n]); e < static_cast<std::size_t>(nodal.begin[n + 1]); ++e) {
      const float* column = stress + 12 * static_cast<std::size_t>(nodal.neighbour[e]);
      force += given[4 * e] * LoadFour(column);
      force1 += given[4 * e + 1] * LoadFour(column + 4);
      force2 += given[4 * e + 2] * LoadFour(column + 8);
    }
    const Four sum = (pull + pull1 + pull2) + (force + force1 + force2);
    x[n] = -sum[0], y[n] = -sum[1], z[n] = -sum[2];
  }
}

void SumBlocks(const BlockJob& job, Block* blocks, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    // Of all blocks: face face^T; of the diagonal alone: squares, to be added up over their components.
    Four x = {}, y = {}, z = {}, squares = {};
    for (auto e = static_cast<std::size_t>(job.nodal.begin[i]); e < static_cast<std::size_t>(job.nodal.begin[i + 1]);
         ++e) {
      const auto n = static_cast<std::size_t>(job.nodal.neighbour[e]);
      const Four given = LoadFour(job.given + 4 * e);
      const float* area = job.columns + 12 * n;
      const Four face = given[0] * LoadFour(area) + given[1] * LoadFour(area + 4) + given[2] * LoadFour(area + 8);
      const Four pressed = (job.a[n] + job.viscous[n]) * face;
      x += face[0] * pressed;
      y += face[1] * pressed;
      z += face[2] * pressed;
      squares += job.linear[n] * given * given + job.viscous[n] * face * face;
    }
    const float all = squares[0] + squares[1] + squares[2];
    blocks[i - begin] = {{x[0] + all, y[1] + all, z[2] + all}, {x[1], x[2], y[2]}};
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace distal::tet
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace distal::tet {
HWY_EXPORT(SumGradients);
HWY_EXPORT(FindStress);
HWY_EXPORT(GiveRows);
HWY_EXPORT(SumBlocks);

void sum_gradients(const Rows& rows, const float* mean, const float* p, float* gradient, std::size_t stride,
                   std::size_t begin, std::size_t end) {
  HWY_DYNAMIC_DISPATCH(SumGradients)(rows, mean, p, gradient, stride, begin, end);
}
void find_stress(const StressJob& job, std::size_t begin, std::size_t end) {
  HWY_DYNAMIC_DISPATCH(FindStress)(job, begin, end);
}
void sum_blocks(const BlockJob& job, Block* blocks, std::size_t begin, std::size_t end) {
  HWY_DYNAMIC_DISPATCH(SumBlocks)(job, blocks, begin, end);
}
void give_rows(const Rows& nodal, const float* given, const float* stress, const Rows& springs, const float* stiffness,
               const float* p, float* x, float* y, float* z, std::size_t begin, std::size_t end) {
  HWY_DYNAMIC_DISPATCH(GiveRows)(nodal, given, stress, springs, stiffness, p, x, y, z, begin, end);
}

}  // namespace distal::tet
#endif
