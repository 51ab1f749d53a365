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
    Four sum[3] = {};
    for (auto e = static_cast<std::size_t>(rows.begin[n]); e < static_cast<std::size_t>(rows.begin[n + 1]); ++e) {
      const float* moved = p + 4 * static_cast<std::size_t>(rows.neighbour[e]);
      const Four g = LoadFour(mean + 4 * e);
      sum[0] += moved[0] * g;
      sum[1] += moved[1] * g;
      sum[2] += moved[2] * g;
    }
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) gradient[(3 * i + j) * stride + n] = sum[i][j];
  }
}

template <class V>
struct Matrix {
  V m[3][3];
};

template <class D, class V = hn::Vec<D>>
Matrix<V> LoadMatrix(D d, const float* at, std::size_t stride, std::size_t n) {
  Matrix<V> result;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) result.m[i][j] = hn::LoadU(d, at + (3 * i + j) * stride + n);
  return result;
}

void FindStress(const StressJob& job, std::size_t begin, std::size_t end) {
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kMost = HWY_MAX_BYTES / sizeof(float);
  alignas(HWY_MAX_BYTES) float lanes[9][kMost];
  for (std::size_t n = begin; n < end; n += hn::Lanes(d)) {
    const Matrix<V> f = LoadMatrix(d, job.f, job.stride, n), area = LoadMatrix(d, job.area, job.stride, n),
                    g = LoadMatrix(d, job.gradient, job.stride, n);
    const V linear = hn::LoadU(d, job.linear + n), b = hn::LoadU(d, job.b + n), viscous = hn::LoadU(d, job.viscous + n);
    V along = hn::Zero(d);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) along = hn::MulAdd(area.m[i][j], g.m[i][j], along);
    const V stretch = hn::Mul(along, hn::LoadU(d, job.a + n));
    Matrix<V> s;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        // The cofactor's element is a product of the other two rows and columns.
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        V turned = hn::Mul(g.m[i1][j1], f.m[i2][j2]);
        turned = hn::MulAdd(f.m[i1][j1], g.m[i2][j2], turned);
        turned = hn::NegMulAdd(g.m[i1][j2], f.m[i2][j1], turned);
        turned = hn::NegMulAdd(f.m[i1][j2], g.m[i2][j1], turned);
        s.m[i][j] = hn::MulAdd(b, turned, hn::MulAdd(stretch, area.m[i][j], hn::Mul(linear, g.m[i][j])));
      }
    // With H = D A^T (J F^-1): viscous carries 1 / (2 J^2).
    Matrix<V> h;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        h.m[i][j] = hn::Zero(d);
        for (int k = 0; k < 3; ++k) h.m[i][j] = hn::MulAdd(g.m[i][k], area.m[j][k], h.m[i][j]);
      }
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) {
        V sum = hn::Zero(d);
        for (int j = 0; j < 3; ++j) sum = hn::MulAdd(hn::Add(h.m[i][j], h.m[j][i]), area.m[j][k], sum);
        hn::Store(hn::MulAdd(viscous, sum, s.m[i][k]), d, lanes[3 * k + i]);
      }
    for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) {
      float* to = job.stress + 12 * (n + lane);
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t i = 0; i < 3; ++i) to[4 * k + i] = lanes[3 * k + i][lane];
    }
  }
}

void GiveRows(const Rows& nodal, const float* given, const float* stress, const Rows& springs, const float* stiffness,
              float share, const float* p, float* x, float* y, float* z, std::size_t begin, std::size_t end) {
  for (std::size_t n = begin; n < end; ++n) {
    Four pull = {}, force[3] = {};
    for (auto e = static_cast<std::size_t>(springs.begin[n]); e < static_cast<std::size_t>(springs.begin[n + 1]); ++e)
      pull += stiffness[e] * LoadFour(p + 4 * static_cast<std::size_t>(springs.neighbour[e]));
    for (auto e = static_cast<std::size_t>(nodal.begin[n]); e < static_cast<std::size_t>(nodal.begin[n + 1]); ++e) {
      const float* column = stress + 12 * static_cast<std::size_t>(nodal.neighbour[e]);
      for (std::size_t k = 0; k < 3; ++k) force[k] += given[4 * e + k] * LoadFour(column + 4 * k);
    }
    const Four sum = share * pull + force[0] + force[1] + force[2];
    x[n] = -sum[0], y[n] = -sum[1], z[n] = -sum[2];
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

void sum_gradients(const Rows& rows, const float* mean, const float* p, float* gradient, std::size_t stride,
                   std::size_t begin, std::size_t end) {
  HWY_DYNAMIC_DISPATCH(SumGradients)(rows, mean, p, gradient, stride, begin, end);
}
void find_stress(const StressJob& job, std::size_t begin, std::size_t end) {
  HWY_DYNAMIC_DISPATCH(FindStress)(job, begin, end);
}
void give_rows(const Rows& nodal, const float* given, const float* stress, const Rows& springs, const float* stiffness,
               float share, const float* p, float* x, float* y, float* z, std::size_t begin, std::size_t end) {
  HWY_DYNAMIC_DISPATCH(GiveRows)(nodal, given, stress, springs, stiffness, share, p, x, y, z, begin, end);
}

}  // namespace distal::tet
#endif
