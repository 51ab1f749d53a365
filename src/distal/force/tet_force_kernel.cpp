#include "distal/force/tet_force_kernel.hpp"

#include <algorithm>
#include <cmath>

#include "distal/force/tet_force.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "distal/force/tet_force_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace distal::tet {
namespace HWY_NAMESPACE {

// Three components and a spare; the compiler's own vectors, in as many registers as the machine needs. They go by
// reference, since how they are handed over by value depends on the instruction set. No arrays of them: they would be
// kept in memory.
typedef double Quad __attribute__((vector_size(32)));

HWY_INLINE void LoadQuad(const double* at, Quad& to) { __builtin_memcpy(&to, at, sizeof(to)); }
HWY_INLINE void StoreQuad(const Quad& from, double* at) { __builtin_memcpy(at, &from, sizeof(from)); }

HWY_INLINE void Cross(const Quad& a, const Quad& b, Quad& result) {
  const Quad a1 = __builtin_shufflevector(a, a, 1, 2, 0, 3), b1 = __builtin_shufflevector(b, b, 1, 2, 0, 3);
  const Quad turned = a * b1 - a1 * b;
  result = __builtin_shufflevector(turned, turned, 1, 2, 0, 3);
}

HWY_INLINE double Dot(const Quad& a, const Quad& b) {
  const Quad product = a * b;
  return product[0] + product[1] + product[2];
}

// Columns of a matrix.
struct Columns {
  Quad x, y, z;
};

HWY_INLINE void Combine(const Columns& m, double x, double y, double z, Quad& result) {
  result = m.x * x + m.y * y + m.z * z;
}

HWY_INLINE void SumGradients(const ForceJob& job, const double* vectors, std::size_t n, Columns& sum) {
  Quad x = {}, y = {}, z = {};
  for (auto e = static_cast<std::size_t>(job.nodal.begin[n]); e < static_cast<std::size_t>(job.nodal.begin[n + 1]);
       ++e) {
    Quad vector;
    LoadQuad(vectors + 4 * static_cast<std::size_t>(job.nodal.neighbour[e]), vector);
    const double* mean = job.mean[e].data();
    x += vector * mean[0], y += vector * mean[1], z += vector * mean[2];
  }
  sum.x = x, sum.y = y, sum.z = z;
}

// With H = D A^T, D the rate of F and A its cofactor: the strain rate is sym(H)/J, the stress viscosity/J^2 (H + H^T)
// A.
HWY_INLINE double AddViscosity(const ForceJob& job, std::size_t n, const Columns& area, double j, Columns& stress) {
  Columns rate, h, both;
  SumGradients(job, job.speed, n, rate);
  Combine(rate, area.x[0], area.y[0], area.z[0], h.x);
  Combine(rate, area.x[1], area.y[1], area.z[1], h.y);
  Combine(rate, area.x[2], area.y[2], area.z[2], h.z);
  both.x = h.x + Quad{h.x[0], h.y[0], h.z[0], 0.0};
  both.y = h.y + Quad{h.x[1], h.y[1], h.z[1], 0.0};
  both.z = h.z + Quad{h.x[2], h.y[2], h.z[2], 0.0};
  const double share = job.viscosity * job.volume[n] / (j * j);
  Columns turned;
  Combine(both, area.x[0], area.x[1], area.x[2], turned.x);
  Combine(both, area.y[0], area.y[1], area.y[2], turned.y);
  Combine(both, area.z[0], area.z[1], area.z[2], turned.z);
  stress.x += turned.x * share, stress.y += turned.y * share, stress.z += turned.z * share;
  return 0.5 * share * (Dot(both.x, both.x) + Dot(both.y, both.y) + Dot(both.z, both.z));
}

void FindVertexStress(const ForceJob& job, std::size_t begin, std::size_t end, PlaneSums& sums) {
  for (std::size_t n = begin; n < end; ++n) {
    Columns f, area, stress;
    SumGradients(job, job.place, n, f);
    Cross(f.y, f.z, area.x), Cross(f.z, f.x, area.y), Cross(f.x, f.y, area.z);
    const double j = Dot(f.x, area.x), volume = job.volume[n];
    if (!std::isfinite(j) && sums.worst_cell < 0) sums.worst_cell = static_cast<std::int32_t>(n);
    sums.smallest_j = std::min(sums.smallest_j, j);
    const VolumeLog log_j = volume_log(j);
    const double along = volume * kVertexShare * job.mu,
                 across = volume * (job.lambda * log_j.value - job.mu) * log_j.slope;
    stress.x = f.x * along + area.x * across;
    stress.y = f.y * along + area.y * across;
    stress.z = f.z * along + area.z * across;
    if (job.viscosity > 0.0 && j > kLeastVolume) sums.dissipation_w += AddViscosity(job, n, area, j, stress);
    double* to = job.stress + 12 * n;
    StoreQuad(stress.x, to), StoreQuad(stress.y, to + 4), StoreQuad(stress.z, to + 8);
    if (job.energy) {
      const double square = Dot(f.x, f.x) + Dot(f.y, f.y) + Dot(f.z, f.z);
      sums.elastic_j += volume * (job.mu * (0.5 * kVertexShare * square - 1.5 - log_j.value) +
                                  0.5 * job.lambda * log_j.value * log_j.value);
    }
  }
}

void GatherForces(const ForceJob& job, std::size_t begin, std::size_t end, double* x, double* y, double* z,
                  PlaneSums& sums) {
  for (std::size_t n = begin; n < end; ++n) {
    // Against the vertex itself: rows sum to zero, and rounding stays small far from the origin. Several sums at once:
    // one would wait for each addition.
    Quad own, pull = {}, pull1 = {}, pull2 = {}, force = {}, force1 = {}, force2 = {};
    LoadQuad(job.place + 4 * n, own);
    const auto add_spring = [&](std::size_t e, Quad& sum) {
      Quad other;
      LoadQuad(job.place + 4 * static_cast<std::size_t>(job.springs.neighbour[e]), other);
      sum += (own - other) * job.stiffness[e];
    };
    auto s = static_cast<std::size_t>(job.springs.begin[n]);
    const auto last = static_cast<std::size_t>(job.springs.begin[n + 1]);
    for (; s + 3 <= last; s += 3) add_spring(s, pull), add_spring(s + 1, pull1), add_spring(s + 2, pull2);
    for (; s < last; ++s) add_spring(s, pull);
    for (auto e = static_cast<std::size_t>(job.nodal.begin[n]); e < static_cast<std::size_t>(job.nodal.begin[n + 1]);
         ++e) {
      const double* stress = job.stress + 12 * static_cast<std::size_t>(job.nodal.neighbour[e]);
      const double* given = job.given[e].data();
      Quad column;
      LoadQuad(stress, column), force += column * given[0];
      LoadQuad(stress + 4, column), force1 += column * given[1];
      LoadQuad(stress + 8, column), force2 += column * given[2];
    }
    const Quad pulled = pull + pull1 + pull2;
    if (job.energy) sums.elastic_j -= 0.5 * Dot(pulled, own);
    const Quad sum = pulled - (force + force1 + force2);
    x[n] = sum[0], y[n] = sum[1], z[n] = sum[2];
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace distal::tet
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace distal::tet {
HWY_EXPORT(FindVertexStress);
HWY_EXPORT(GatherForces);

void find_vertex_stress(const ForceJob& job, std::size_t begin, std::size_t end, PlaneSums& sums) {
  HWY_DYNAMIC_DISPATCH(FindVertexStress)(job, begin, end, sums);
}
void gather_forces(const ForceJob& job, std::size_t begin, std::size_t end, double* x, double* y, double* z,
                   PlaneSums& sums) {
  HWY_DYNAMIC_DISPATCH(GatherForces)(job, begin, end, x, y, z, sums);
}

}  // namespace distal::tet
#endif
