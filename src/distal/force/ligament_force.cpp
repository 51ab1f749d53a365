#include "distal/force/forces.hpp"
#include "distal/state/embedding.hpp"

namespace distal {

// Ligaments hold embedded points of the tip at their places on the rod: f = k (target - x) + c (target' - x').
void add_ligament_force(const Model& model, std::size_t soft_index, const State& state, Workspace& workspace) {
  const SoftBody& body = model.soft[soft_index];
  if (body.rod < 0) return;
  SoftWorkspace& ws = workspace.soft[soft_index];
  const RigidState& rod = state.rigid[static_cast<std::size_t>(body.rod)];
  const Vec3 com = model.rigid[static_cast<std::size_t>(body.rod)].centre_of_mass_m;
  const Mat3 rotation = rod.q.toRotationMatrix();
  const CellCorners corners(body);
  for_each_plane(*workspace.team, body.lattice.grid.cell_planes(), [&](int plane) {
    const auto k = static_cast<std::size_t>(plane);
    PlaneSums& sums = ws.planes[k];
    sums.on_rod = sums.on_rod_damping = Wrench{};
    sums.ligament_j = sums.ligament_w = 0.0;
    for (std::int32_t l = body.ligaments.plane_begin[k]; l < body.ligaments.plane_begin[k + 1]; ++l) {
      const auto p = static_cast<std::size_t>(l);
      const Vec3 arm = rotation * (body.ligament_rest_m[p] - com);
      const Vec3 stretch = rod.centre_of_mass + arm - corners.interpolate(body.ligaments, p, state.x);
      Vec3 damping = Vec3::Zero();
      if (const double c = body.ligament_damping_n_s_m[p]; c > 0.0) {
        const Vec3 rate = rod.velocity + rod.angular_velocity.cross(arm) - corners.interpolate(body.ligaments, p, state.v);
        damping = c * rate;
        sums.ligament_w += c * rate.squaredNorm();
        // The lattice point, not the rod's, is where the force acts: no torque is made from nothing.
        sums.on_rod_damping -= Wrench{damping, (arm - stretch).cross(damping)};
      }
      const Vec3 force = body.ligament_stiffness_n_m[p] * stretch + damping;
      sums.ligament_j += 0.5 * body.ligament_stiffness_n_m[p] * stretch.squaredNorm();
      corners.add(body.ligaments, p, force, workspace.force);
      sums.on_rod -= Wrench{force, (arm - stretch).cross(force)};
    }
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
