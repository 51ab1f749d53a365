// Ligaments hold embedded points of the tip at their places on the rod. With u = x - X(rod), the displacement of each
// node from where the rod carries it, all of them together are f = -(K u + C du/dt) (ligament_matrix.hpp), and the rod
// feels the opposite wrench of what the nodes feel.
#include "distal/force/forces.hpp"
#include "distal/force/ligament_kernel.hpp"

namespace distal {

void add_ligament_force(const Model& model, std::size_t soft_index, const State& state, Workspace& workspace) {
  const SoftBody& body = model.soft[soft_index];
  if (body.rod < 0) return;
  SoftWorkspace& ws = workspace.soft[soft_index];
  const LigamentMatrix& matrix = body.ligament_matrix;
  const RigidState& rod = state.rigid[static_cast<std::size_t>(body.rod)];
  const BoxField arms = rest_arms(matrix, model.rigid[static_cast<std::size_t>(body.rod)].centre_of_mass_m,
                                  rod.q.toRotationMatrix()),
                 carried{rod.centre_of_mass + arms.first, arms.along},
                 velocity = rigid_velocity(arms, rod.velocity, rod.angular_velocity);
  const auto first = static_cast<std::size_t>(body.first_particle);
  const auto components = [&](const Vec3Array& a) {
    return std::array<const double*, 3>{a.data(0) + first, a.data(1) + first, a.data(2) + first};
  };
  Vec3Array& f = workspace.force;
  const std::array<double*, 3> force{f.data(0) + first, f.data(1) + first, f.data(2) + first};
  workspace.team->run([&](int t) {
    const auto thread = static_cast<std::size_t>(t);
    LigamentRing<double>&u = ws.ligament_displacement[thread], &rate = ws.ligament_rate[thread];
    for_ligament_planes(
        matrix, ws.first_ligament_plane[thread], ws.first_ligament_plane[thread + 1],
        [&](int k) {
          find_ligament_motion(matrix, k, components(state.x), carried, u.plane(k));
          find_ligament_motion(matrix, k, components(state.v), velocity, rate.plane(k));
        },
        [&](int k) {
          pull_ligament_plane(matrix, k, u.around(k), rate.around(k), arms, force,
                              ws.ligament_planes[static_cast<std::size_t>(k)]);
        });
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
