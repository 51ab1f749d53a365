#include "distal/force/forces.hpp"

#include <algorithm>

#include "distal/contact/contacts.hpp"
#include "distal/force/lattice_force.hpp"
#include "distal/force/paper2_force.hpp"
#include "distal/force/softening.hpp"
#include "distal/force/strand_force.hpp"
#include "distal/force/tet_force.hpp"
#include "distal/state/embedding.hpp"

namespace distal {
namespace {

void add_loads(const Model& model, Workspace& ws) {
  for (const SoftBody& body : model.soft)
    for (const auto& [node, force] : body.node_loads_n)
      ws.force.add(static_cast<std::size_t>(body.first_particle + node), force);
}

// Flange damping of mount = inertia, at E.
void add_flange_damping(const Model& model, const State& state, Workspace& ws) {
  for (std::size_t b = 0; b < model.rigid.size(); ++b) {
    const RigidBody& body = model.rigid[b];
    if (body.damping_n_s_m == 0.0 && body.angular_damping_n_m_s_rad == 0.0) continue;
    const Twist end = end_twist(body, state.rigid[b]);
    const Vec3 arm = state.rigid[b].q * (body.end_m - body.centre_of_mass_m), force = -body.damping_n_s_m * end.linear;
    ws.rigid_force[b] += Wrench{force, arm.cross(force) - body.angular_damping_n_m_s_rad * end.angular};
  }
}

Vec3 carried_velocity(const SoftBody& body, const State& state) {
  return body.rod < 0 ? Vec3::Zero() : state.rigid[static_cast<std::size_t>(body.rod)].velocity;
}

// Drag of every particle against the motion of its rod, which bears it: settles a driven finger without changing where
// it settles.
void add_drag(const Model& model, const State& state, Workspace& ws) {
  if (model.quasi_static_drag_per_s == 0.0) return;
  for (const SoftBody& body : model.soft) {
    const Vec3 carried = carried_velocity(body, state);
    Vec3 sum = Vec3::Zero();
    for (std::size_t n = 0; n < body.mass_kg().size(); ++n) {
      const std::size_t p = static_cast<std::size_t>(body.first_particle) + n;
      if (model.mass_kg[p] == 0.0) continue;
      const Vec3 drag = -model.quasi_static_drag_per_s * model.mass_kg[p] * (state.v.get(p) - carried);
      ws.force.add(p, drag);
      sum += drag;
    }
    if (body.rod >= 0) ws.rigid_force[static_cast<std::size_t>(body.rod)].force -= sum;
  }
}

bool is_gaussian(const SoftBody& body) { return body.tet && body.tet->model == TetModel::gaussian; }

}  // namespace

void compute_forces(const Model& model, const State& state, Workspace& ws) {
  std::fill(ws.rigid_force.begin(), ws.rigid_force.end(), Wrench{});
  for (std::size_t s = 0; s < model.soft.size(); ++s) {
    update_softening(model, s, state, ws);
    if (model.soft[s].tet && model.soft[s].tet->model == TetModel::paper2) {
      compute_paper2_force(model, s, state, ws);
    } else if (model.soft[s].tet && model.soft[s].tet->model == TetModel::paper4) {
      compute_strand_force(model, s, state, ws);
    } else if (is_gaussian(model.soft[s])) {
      for (std::size_t n = 0; n < model.soft[s].tet->mesh.vertices.size(); ++n)
        ws.force.set(static_cast<std::size_t>(model.soft[s].first_particle) + n, Vec3::Zero());
    } else if (model.soft[s].tet) {
      compute_tet_force(model, s, state, ws);
    } else if (model.soft[s].lattice.kind == LatticeKind::paper) {
      compute_spring_force(model, s, state, ws);
      sum_planes(ws.soft[s]);
    } else {
      compute_lattice_force(model, s, state, ws);
    }
    add_ligament_force(model, s, state, ws);
    if (ws.skin_contact == SkinContact::bonded) add_bonded_skin_force(model, s, state, ws);
  }
  if (ws.skin_contact == SkinContact::real) add_contact_forces(model, state, ws);
  add_flange_damping(model, state, ws);
  add_loads(model, ws);
  add_drag(model, state, ws);
  for (std::size_t s = 0; s < model.soft.size(); ++s)
    if (is_gaussian(model.soft[s])) spread_gaussian_force(model, s, state, ws);
}

void add_bonded_skin_force(const Model& model, std::size_t soft_index, const State& state, Workspace& ws) {
  const SoftBody& body = model.soft[soft_index];
  // The stiffest pair of this body holds every sample at its place at the start.
  double factor = 0.0;
  for (const ContactPair& pair : model.pairs)
    if (pair.sampled_is_soft && pair.sampled == static_cast<int>(soft_index))
      factor = std::max(factor, pair.law.stiffness_factor);
  const CellCorners corners(body);
  const auto hold = [&](std::int32_t begin, std::int32_t end) {
    for (auto sample = static_cast<std::size_t>(begin); sample < static_cast<std::size_t>(end); ++sample) {
      const Vec3 offset =
          corners.interpolate(body.skin, sample, state.x) - body.initial_pose.to_world(body.skin_rest_m[sample]);
      corners.add(body.skin, sample, -body.sample_stiffness_n_m(factor, sample) * offset, ws.force);
    }
  };
  if (body.tet) return hold(0, static_cast<std::int32_t>(body.skin.size()));
  for_each_plane(*ws.team, body.lattice.grid.cell_planes(), [&](int plane) {
    const auto k = static_cast<std::size_t>(plane);
    hold(body.skin.plane_begin[k], body.skin.plane_begin[k + 1]);
  });
}

double dissipation_power(const Model& model, const State& state, const Workspace& ws) {
  double power = 0.0;
  for (const SoftWorkspace& soft : ws.soft) power += soft.dissipation_w + soft.ligament_w;
  for (const PairWorkspace& pair : ws.pairs) power += pair.dissipation_w;
  for (std::size_t b = 0; b < model.rigid.size(); ++b) {
    const Twist end = end_twist(model.rigid[b], state.rigid[b]);
    power += model.rigid[b].damping_n_s_m * end.linear.squaredNorm() +
             model.rigid[b].angular_damping_n_m_s_rad * end.angular.squaredNorm();
  }
  if (model.quasi_static_drag_per_s > 0.0)
    for (const SoftBody& body : model.soft) {
      const Vec3 carried = carried_velocity(body, state);
      for (std::size_t n = 0; n < body.mass_kg().size(); ++n) {
        const std::size_t p = static_cast<std::size_t>(body.first_particle) + n;
        power += model.quasi_static_drag_per_s * model.mass_kg[p] * (state.v.get(p) - carried).squaredNorm();
      }
    }
  return power;
}

StoredEnergy stored_energy(const Model& model, const State& state, const Workspace& ws) {
  struct Moving {
    double kinetic = 0.0, gravity = 0.0;
    Moving operator+(const Moving& o) const { return {kinetic + o.kinetic, gravity + o.gravity}; }
  };
  const Moving particles = sum_pieces(*ws.team, model.particle_slots, [&](std::size_t begin, std::size_t end) {
    Moving piece;
    for (std::size_t p = begin; p < end; ++p) {
      if (model.mass_kg[p] == 0.0) continue;
      piece.kinetic += 0.5 * model.mass_kg[p] * state.v.get(p).squaredNorm();
      piece.gravity -= model.mass_kg[p] * model.gravity_m_s2.dot(state.x.get(p));
    }
    return piece;
  });
  StoredEnergy e{};
  e.kinetic = particles.kinetic, e.gravity = particles.gravity;
  for (std::size_t b = 0; b < model.rigid.size(); ++b) {
    const RigidState& body = state.rigid[b];
    if (model.rigid[b].mount == Mount::fixed) continue;
    e.kinetic += 0.5 * model.rigid[b].mass_kg * body.velocity.squaredNorm() +
                 0.5 * body.angular_velocity.dot(angular_momentum(model.rigid[b], body));
    e.gravity -= model.rigid[b].mass_kg * model.gravity_m_s2.dot(body.centre_of_mass);
  }
  for (const SoftBody& body : model.soft)  // dead loads are a potential too
    for (const auto& [node, force] : body.node_loads_n)
      e.gravity -= force.dot(state.x.get(static_cast<std::size_t>(body.first_particle + node)));
  for (const SoftWorkspace& soft : ws.soft) e.elastic += soft.elastic_j, e.ligament += soft.ligament_j;
  for (const PairWorkspace& pair : ws.pairs) e.contact += pair.energy_j;
  for (const PairWorkspace& pair : ws.soft_pairs) e.contact += pair.energy_j;
  return e;
}

}  // namespace distal
