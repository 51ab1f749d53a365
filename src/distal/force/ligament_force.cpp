// Ligaments hold embedded points of the tip at their places on the rod. With u = x - X(rod), the displacement of each
// node from where the rod carries it, all of them together are f = -(K u + C du/dt) (ligament_matrix.hpp), and the rod
// feels the opposite wrench of what the nodes feel.
#include "distal/force/forces.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "distal/force/ligament_force.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace distal {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Rows of K u | C du/dt: a row is a group of eight numbers, displacement and velocity side by side.
void PullRows(const LigamentMatrix& matrix, const double* motion, std::size_t begin, std::size_t end, double* pull) {
  using D = hn::CappedTag<double, 4>;
  const D d;
  constexpr std::size_t kLanes = hn::MaxLanes(D()), kParts = 4 / kLanes;
  for (std::size_t r = begin; r < end; ++r) {
    hn::Vec<D> spring[kParts], damper[kParts];
    for (std::size_t i = 0; i < kParts; ++i) spring[i] = damper[i] = hn::Zero(d);
    for (auto e = static_cast<std::size_t>(matrix.begin[r]); e < static_cast<std::size_t>(matrix.begin[r + 1]); ++e) {
      const double* from = motion + 8 * static_cast<std::size_t>(matrix.column[e]);
      const auto k = hn::Set(d, static_cast<double>(matrix.stiffness[e])),
                 c = hn::Set(d, static_cast<double>(matrix.damping[e]));
      for (std::size_t i = 0; i < kParts; ++i) {
        spring[i] = hn::MulAdd(k, hn::Load(d, from + i * kLanes), spring[i]);
        damper[i] = hn::MulAdd(c, hn::Load(d, from + 4 + i * kLanes), damper[i]);
      }
    }
    for (std::size_t i = 0; i < kParts; ++i) {
      hn::Store(spring[i], d, pull + 8 * r + i * kLanes);
      hn::Store(damper[i], d, pull + 8 * r + 4 + i * kLanes);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace distal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace distal {
HWY_EXPORT(PullRows);

namespace {

// Where the rod carries the rest shape, and how fast.
struct Carrier {
  Vec3 centre, velocity, angular, origin;  // origin: of the tip frame, from the centre of mass
  Mat3 rotation;

  Carrier(const Model& model, const SoftBody& body, const State& state) {
    const RigidState& rod = state.rigid[static_cast<std::size_t>(body.rod)];
    centre = rod.centre_of_mass, velocity = rod.velocity, angular = rod.angular_velocity;
    rotation = rod.q.toRotationMatrix();
    origin = -(rotation * model.rigid[static_cast<std::size_t>(body.rod)].centre_of_mass_m);
  }
};

void find_motion(const SoftBody& body, const State& state, const Carrier& carrier, std::size_t begin, std::size_t end,
                 double* motion) {
  for (std::size_t r = begin; r < end; ++r) {
    const auto p = static_cast<std::size_t>(body.first_particle + body.ligament_matrix.node[r]);
    const Vec3 arm = carrier.origin + carrier.rotation * body.ligament_matrix.rest_m[r];
    const Vec3 u = state.x.get(p) - carrier.centre - arm,
               rate = state.v.get(p) - carrier.velocity - carrier.angular.cross(arm);
    for (int c = 0; c < 3; ++c) motion[8 * r + static_cast<std::size_t>(c)] = u[c];
    for (int c = 0; c < 3; ++c) motion[8 * r + 4 + static_cast<std::size_t>(c)] = rate[c];
  }
}

Vec3 vec(const double* p) { return {p[0], p[1], p[2]}; }

// Forces on the nodes of one plane, and what the rod feels of them.
void pull_plane(const SoftBody& body, const State& state, const Vec3& centre, const SoftWorkspace& ws,
                std::size_t begin, std::size_t end, Vec3Array& force, LigamentSums& sums) {
  sums = LigamentSums{};
  for (std::size_t r = begin; r < end; ++r) {
    const auto p = static_cast<std::size_t>(body.first_particle + body.ligament_matrix.node[r]);
    const double* pull = ws.ligament_pull.data() + 8 * r;
    const double* motion = ws.ligament_motion.data() + 8 * r;
    const Vec3 spring = vec(pull), damper = vec(pull + 4), arm = state.x.get(p) - centre;
    force.add(p, -(spring + damper));
    sums.on_rod += Wrench{spring, arm.cross(spring)};
    sums.on_rod_damping += Wrench{damper, arm.cross(damper)};
    sums.ligament_j += 0.5 * spring.dot(vec(motion));
    sums.ligament_w += damper.dot(vec(motion + 4));
  }
  sums.on_rod += sums.on_rod_damping;
}

}  // namespace

void add_ligament_force(const Model& model, std::size_t soft_index, const State& state, Workspace& workspace) {
  const SoftBody& body = model.soft[soft_index];
  if (body.rod < 0) return;
  SoftWorkspace& ws = workspace.soft[soft_index];
  const LigamentMatrix& matrix = body.ligament_matrix;
  const Carrier carrier(model, body, state);
  const int rows = static_cast<int>(matrix.node.size()), threads = workspace.team->size();
  workspace.team->run([&](int t) {
    find_motion(body, state, carrier, static_cast<std::size_t>(ThreadTeam::share_begin(rows, t, threads)),
                static_cast<std::size_t>(ThreadTeam::share_begin(rows, t + 1, threads)), ws.ligament_motion.data());
  });
  workspace.team->run([&](int t) {
    for (int k = ws.first_ligament_plane[static_cast<std::size_t>(t)];
         k < ws.first_ligament_plane[static_cast<std::size_t>(t) + 1]; ++k) {
      const auto plane = static_cast<std::size_t>(k);
      const auto begin = static_cast<std::size_t>(matrix.plane_begin[plane]),
                 end = static_cast<std::size_t>(matrix.plane_begin[plane + 1]);
      HWY_DYNAMIC_DISPATCH(PullRows)(matrix, ws.ligament_motion.data(), begin, end, ws.ligament_pull.data());
      pull_plane(body, state, carrier.centre, ws, begin, end, workspace.force, ws.ligament_planes[plane]);
    }
  });
  ws.tip = ws.tip_damping = Wrench{};
  ws.ligament_j = ws.ligament_w = 0.0;
  for (const LigamentSums& plane : ws.ligament_planes) {
    ws.tip += plane.on_rod;
    ws.tip_damping += plane.on_rod_damping;
    ws.ligament_j += plane.ligament_j;
    ws.ligament_w += plane.ligament_w;
  }
  workspace.rigid_force[static_cast<std::size_t>(body.rod)] += ws.tip;
}

}  // namespace distal
#endif
