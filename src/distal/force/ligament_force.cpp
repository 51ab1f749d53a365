// Ligaments hold embedded points of the tip at their places on the rod: f = k (target - x) + c (target' - x').
// Compiled once per instruction set (Highway). A point is one group of eight numbers, position and velocity side by
// side (x y z 0 | x' y' z' 0), and so are its target, its two forces and all sums: the same few lines treat both
// halves.
#include <array>

#include "distal/force/forces.hpp"
#include "distal/state/embedding.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "distal/force/ligament_force.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef DISTAL_LIGAMENT_JOB
#define DISTAL_LIGAMENT_JOB
namespace distal {

using Eight = std::array<double, 8>;

struct LigamentJob {
  const SoftBody* body;
  const double* in[6];  // x, v: first particle of the body
  double* force[3];
  std::size_t offset[kCorners];
  alignas(64) Eight centre;   // of mass of the rod | 0
  alignas(64) Eight base;     // target of a point at the origin of the tip's frame, from the centre of mass ...
  alignas(64) Eight axis[3];  // ... and what each of its coordinates adds
};

// Sums over points: forces, k s^2 | c s'^2, and the products x_j f of place and force.
struct LigamentSums {
  alignas(64) Eight force, power, moment[3];
};

}  // namespace distal
#endif

HWY_BEFORE_NAMESPACE();
namespace distal {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Eight doubles in as many vectors as it takes.
using Tag8 = hn::CappedTag<double, 8>;
constexpr std::size_t kLanes8 = hn::MaxLanes(Tag8()), kParts8 = 8 / kLanes8;
struct Group {
  hn::Vec<Tag8> v[kParts8];
};
HWY_INLINE Group load(const double* p) {
  Group g;
  for (std::size_t i = 0; i < kParts8; ++i) g.v[i] = hn::Load(Tag8(), p + i * kLanes8);
  return g;
}
HWY_INLINE void store(const Group& g, double* p) {
  for (std::size_t i = 0; i < kParts8; ++i) hn::Store(g.v[i], Tag8(), p + i * kLanes8);
}
HWY_INLINE Group operator-(const Group& a, const Group& b) {
  Group g;
  for (std::size_t i = 0; i < kParts8; ++i) g.v[i] = hn::Sub(a.v[i], b.v[i]);
  return g;
}
HWY_INLINE Group multiply(const Group& a, const Group& b) {
  Group g;
  for (std::size_t i = 0; i < kParts8; ++i) g.v[i] = hn::Mul(a.v[i], b.v[i]);
  return g;
}
HWY_INLINE void add_product(double s, const Group& a, Group& sum) {
  for (std::size_t i = 0; i < kParts8; ++i) sum.v[i] = hn::MulAdd(hn::Set(Tag8(), s), a.v[i], sum.v[i]);
}
HWY_INLINE void add_product(const Group& a, const Group& b, Group& sum) {
  for (std::size_t i = 0; i < kParts8; ++i) sum.v[i] = hn::MulAdd(a.v[i], b.v[i], sum.v[i]);
}
HWY_INLINE Group zero_group() {
  Group g;
  for (auto& v : g.v) v = hn::Zero(Tag8());
  return g;
}

// The eight corners of a cell, gathered once for all its points; also where their forces are collected.
struct CellGroups {
  alignas(64) Eight value[kCorners];

  double* at(std::size_t corner) { return value[corner].data(); }

  void gather(const LigamentJob& job, std::size_t node) {
    for (std::size_t a = 0; a < kCorners; ++a) {
      const std::size_t at = node + job.offset[a];
      value[a] = {job.in[0][at], job.in[1][at], job.in[2][at], 0.0, job.in[3][at], job.in[4][at], job.in[5][at], 0.0};
    }
  }
  void scatter(const LigamentJob& job, std::size_t node) const {
    for (std::size_t a = 0; a < kCorners; ++a)
      for (std::size_t c = 0; c < 3; ++c) job.force[c][node + job.offset[a]] += value[a][c] + value[a][4 + c];
  }
};

void LigamentPlane(const LigamentJob& job, std::int32_t begin, std::int32_t end, LigamentSums& out) {
  HWY_ALIGN static constexpr double kPosition[8] = {1, 1, 1, 0, 0, 0, 0, 0}, kVelocity[8] = {0, 0, 0, 0, 1, 1, 1, 0};
  const SoftBody& body = *job.body;
  const Group centre = load(job.centre.data()), base = load(job.base.data());
  const Group axis_x = load(job.axis[0].data()), axis_y = load(job.axis[1].data()), axis_z = load(job.axis[2].data());
  Group sum = zero_group(), power = sum, moment_x = sum, moment_y = sum, moment_z = sum;
  CellGroups corners[2], corner_force;
  HWY_ALIGN double place[8];
  const auto& nodes = body.ligaments.node;
  std::size_t turn = 0;
  if (begin < end) corners[0].gather(job, static_cast<std::size_t>(nodes[static_cast<std::size_t>(begin)]));
  for (std::int32_t l = begin; l < end; turn ^= 1) {
    const auto node = static_cast<std::size_t>(nodes[static_cast<std::size_t>(l)]);
    std::int32_t stop = l + 1;
    while (stop < end && nodes[static_cast<std::size_t>(stop)] == nodes[static_cast<std::size_t>(l)]) ++stop;
    // The next cell is gathered early: vectors wait for what was just written in pieces.
    if (stop < end) corners[turn ^ 1].gather(job, static_cast<std::size_t>(nodes[static_cast<std::size_t>(stop)]));
    CellGroups& corner = corners[turn];
    // By name and not by number, so that they stay in registers.
    Group f0 = zero_group(), f1 = f0, f2 = f0, f3 = f0, f4 = f0, f5 = f0, f6 = f0, f7 = f0;
    for (; l < stop; ++l) {
      const auto p = static_cast<std::size_t>(l);
      const auto& w = body.ligaments.weight[p];
      Group at = zero_group();
      HWY_UNROLL(8)
      for (std::size_t a = 0; a < kCorners; ++a) add_product(w[a], load(corner.at(a)), at);
      at = at - centre;
      store(at, place);
      Group target = base;
      const Vec3& rest = body.ligament_rest_m[p];
      add_product(rest.x(), axis_x, target), add_product(rest.y(), axis_y, target),
          add_product(rest.z(), axis_z, target);
      const Group stretch = target - at;
      Group rate = zero_group();
      add_product(body.ligament_stiffness_n_m[p], load(kPosition), rate);
      add_product(body.ligament_damping_n_s_m[p], load(kVelocity), rate);
      const Group force = multiply(rate, stretch);
      add_product(force, stretch, power);
      add_product(1.0, force, sum);
      // The lattice point, not the rod's, is where the force acts: no torque is made from nothing.
      add_product(place[0], force, moment_x), add_product(place[1], force, moment_y),
          add_product(place[2], force, moment_z);
      add_product(w[0], force, f0), add_product(w[1], force, f1), add_product(w[2], force, f2);
      add_product(w[3], force, f3), add_product(w[4], force, f4), add_product(w[5], force, f5);
      add_product(w[6], force, f6), add_product(w[7], force, f7);
    }
    store(f0, corner_force.at(0)), store(f1, corner_force.at(1)), store(f2, corner_force.at(2));
    store(f3, corner_force.at(3)), store(f4, corner_force.at(4)), store(f5, corner_force.at(5));
    store(f6, corner_force.at(6)), store(f7, corner_force.at(7));
    corner_force.scatter(job, node);
  }
  store(sum, out.force.data()), store(power, out.power.data());
  store(moment_x, out.moment[0].data()), store(moment_y, out.moment[1].data()), store(moment_z, out.moment[2].data());
}

}  // namespace HWY_NAMESPACE
}  // namespace distal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace distal {
HWY_EXPORT(LigamentPlane);

namespace {

Eight side_by_side(const Vec3& position, const Vec3& velocity) {
  return {position.x(), position.y(), position.z(), 0.0, velocity.x(), velocity.y(), velocity.z(), 0.0};
}

LigamentJob make_job(const Model& model, const SoftBody& body, const State& state, Workspace& workspace) {
  LigamentJob job{};
  job.body = &body;
  const auto first = static_cast<std::size_t>(body.first_particle);
  for (int c = 0; c < 3; ++c) {
    job.in[c] = state.x.data(c) + first, job.in[3 + c] = state.v.data(c) + first;
    job.force[c] = workspace.force.data(c) + first;
  }
  for (int a = 0; a < kCorners; ++a) job.offset[a] = static_cast<std::size_t>(body.lattice.grid.corner_offset(a));
  const RigidState& rod = state.rigid[static_cast<std::size_t>(body.rod)];
  const Mat3 rotation = rod.q.toRotationMatrix();
  const Vec3 origin = -(rotation * model.rigid[static_cast<std::size_t>(body.rod)].centre_of_mass_m);
  job.centre = side_by_side(rod.centre_of_mass, Vec3::Zero());
  job.base = side_by_side(origin, rod.velocity + rod.angular_velocity.cross(origin));
  for (int j = 0; j < 3; ++j)
    job.axis[j] = side_by_side(rotation.col(j), rod.angular_velocity.cross(Vec3(rotation.col(j))));
  return job;
}

// Half 0: springs, half 1: dampers. On the rod, about its centre of mass.
Wrench rod_wrench(const LigamentSums& sums, std::size_t half) {
  const auto f = [&](const Eight& e, std::size_t c) { return e[4 * half + c]; };
  const Vec3 force(f(sums.force, 0), f(sums.force, 1), f(sums.force, 2));
  const Vec3 torque(f(sums.moment[1], 2) - f(sums.moment[2], 1), f(sums.moment[2], 0) - f(sums.moment[0], 2),
                    f(sums.moment[0], 1) - f(sums.moment[1], 0));
  return {-force, -torque};
}

}  // namespace

void add_ligament_force(const Model& model, std::size_t soft_index, const State& state, Workspace& workspace) {
  const SoftBody& body = model.soft[soft_index];
  if (body.rod < 0) return;
  SoftWorkspace& ws = workspace.soft[soft_index];
  const LigamentJob job = make_job(model, body, state, workspace);
  for_each_plane(*workspace.team, body.lattice.grid.cell_planes(), [&](int plane) {
    const auto k = static_cast<std::size_t>(plane);
    LigamentSums sums{};
    const std::int32_t begin = body.ligaments.plane_begin[k], end = body.ligaments.plane_begin[k + 1];
    if (begin < end) HWY_DYNAMIC_DISPATCH(LigamentPlane)(job, begin, end, sums);
    PlaneSums& out = ws.planes[k];
    out.on_rod_damping = rod_wrench(sums, 1);
    out.on_rod = rod_wrench(sums, 0);
    out.on_rod += out.on_rod_damping;
    out.ligament_j = 0.5 * (sums.power[0] + sums.power[1] + sums.power[2]);
    out.ligament_w = sums.power[4] + sums.power[5] + sums.power[6];
  });
  ws.tip = ws.tip_damping = Wrench{};
  ws.ligament_j = ws.ligament_w = 0.0;
  for (const PlaneSums& plane : ws.planes) {
    ws.tip += plane.on_rod;
    ws.tip_damping += plane.on_rod_damping;
    ws.ligament_j += plane.ligament_j;
    ws.ligament_w += plane.ligament_w;
  }
  workspace.rigid_force[static_cast<std::size_t>(body.rod)] += ws.tip;
}

}  // namespace distal
#endif
