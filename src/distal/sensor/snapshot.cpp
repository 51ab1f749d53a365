
#include "distal/sensor/measure.hpp"
#include "distal/sensor/skin.hpp"

namespace distal {
namespace {

constexpr double kPlaneHalfWidth_m = 0.03;

TriangleMesh moved_mesh(TriangleMesh mesh, const Pose& pose) {
  for (Vec3& v : mesh.vertices) v = pose.to_world(v);
  return mesh;
}

// Grid edges between boundary nodes: what paper 1 draws in Fig. 6. A boundary node misses a neighbour along an axis.
void add_particles(const SoftBody& body, const State& state, BodySnapshot& snapshot) {
  const Grid& grid = body.lattice.grid;
  const auto active = [&](int i, int j, int k) {
    return i >= 0 && j >= 0 && k >= 0 && i < grid.nx && j < grid.ny && k < grid.nz &&
           body.lattice.mass[static_cast<std::size_t>(grid.node(i, j, k))] > 0.0;
  };
  std::vector<std::int32_t> place(static_cast<std::size_t>(grid.node_count()), -1);
  std::vector<bool> boundary(static_cast<std::size_t>(grid.node_count()), false);
  for (int n = 0; n < grid.node_count(); ++n) {
    if (body.lattice.mass[static_cast<std::size_t>(n)] == 0.0) continue;
    const int i = n % grid.nx, j = n / grid.nx % grid.ny, k = n / grid.plane_size();
    place[static_cast<std::size_t>(n)] = static_cast<std::int32_t>(snapshot.particles.size());
    snapshot.particles.push_back(state.x.get(static_cast<std::size_t>(body.first_particle + n)));
    boundary[static_cast<std::size_t>(n)] = !(active(i - 1, j, k) && active(i + 1, j, k) && active(i, j - 1, k) &&
                                              active(i, j + 1, k) && active(i, j, k - 1) && active(i, j, k + 1));
  }
  const int step[3] = {1, grid.nx, grid.plane_size()};
  for (int n = 0; n < grid.node_count(); ++n) {
    if (!boundary[static_cast<std::size_t>(n)]) continue;
    const int coordinate[3] = {n % grid.nx, n / grid.nx % grid.ny, n / grid.plane_size()},
              limit[3] = {grid.nx, grid.ny, grid.nz};
    for (int axis = 0; axis < 3; ++axis) {
      if (coordinate[axis] + 1 >= limit[axis]) continue;
      const auto other = static_cast<std::size_t>(n + step[axis]);
      if (boundary[other]) snapshot.springs.push_back({place[static_cast<std::size_t>(n)], place[other]});
    }
  }
}

// All vertices, and the edges of the surface.
void add_particles(const SoftBody& body, const TetBody& tet, const State& state, BodySnapshot& snapshot) {
  for (std::size_t n = 0; n < tet.mesh.vertices.size(); ++n)
    snapshot.particles.push_back(state.x.get(static_cast<std::size_t>(body.first_particle) + n));
  for (const auto& facet : tet.facets)
    for (std::size_t a = 0; a < 3; ++a)
      if (facet[a] < facet[(a + 1) % 3]) snapshot.springs.push_back({facet[a], facet[(a + 1) % 3]});
}

BodySnapshot snapshot_soft(const Model& model, std::size_t s, const State& state, const Workspace& ws,
                           const ContactSums& sums) {
  const SoftBody& body = model.soft[s];
  BodySnapshot snapshot;
  snapshot.name = body.name;
  snapshot.kind = body.kind;
  SkinView view;
  find_skin_positions(body, state, view);
  find_skin_contacts(model, s, ws, view);
  snapshot.surface.vertices = view.positions;
  snapshot.surface.triangles.assign(body.skin_triangles.begin(), body.skin_triangles.end());
  snapshot.pressure_pa = measure_pressure(model, s, state, ws);
  const Pose carrying = carrying_pose(model, body, state);
  snapshot.contact_force_n.assign(body.skin.size(), Vec3::Zero());
  for (const VertexContact& contact : view.contacts) snapshot.contact_force_n[contact.vertex] = contact.force_n;
  for (std::size_t v = 0; v < body.skin.size(); ++v)
    snapshot.displacement_m.push_back(snapshot.surface.vertices[v] - carrying.to_world(body.skin_rest_m[v]));
  for (std::size_t f = 0; f < model.fields.size(); ++f) {
    if (model.fields[f].soft != static_cast<int>(s)) continue;
    std::vector<double>& values = snapshot.fields.emplace_back(model.fields[f].name, std::vector<double>{}).second;
    for (std::size_t v = 0; v < body.skin.size(); ++v) {
      double value = 0.0;
      for (std::size_t a = 0; a < 3; ++a)
        value += body.skin.place[v][a] * state.fields[f][static_cast<std::size_t>(body.skin.facet[v][a])];
      values.push_back(value);
    }
  }
  if (body.tet)
    add_particles(body, *body.tet, state, snapshot);
  else
    add_particles(body, state, snapshot);
  snapshot.end_pose = carrying;
  if (body.rod >= 0) {
    const auto rod = static_cast<std::size_t>(body.rod);
    snapshot.end_pose = end_pose(model.rigid[rod], state.rigid[rod]);
    snapshot.rod = moved_mesh(make_drawn_rod(body.rod_radius_m, -model.rigid[rod].end_m.z()), carrying);
    snapshot.feedback = measure_body(model, rod, state, ws, sums).feedback;
  }
  return snapshot;
}

}  // namespace

std::vector<BodySnapshot> take_snapshots(const Model& model, const State& state, const Workspace& ws) {
  std::vector<BodySnapshot> snapshots;
  ContactSums sums(model);
  update_contact_sums(model, state, ws, sums);
  for (std::size_t s = 0; s < model.soft.size(); ++s) snapshots.push_back(snapshot_soft(model, s, state, ws, sums));
  for (std::size_t b = 0; b < model.rigid.size(); ++b) {
    const RigidBody& body = model.rigid[b];
    if (!body.shape) continue;
    BodySnapshot snapshot;
    snapshot.name = body.name;
    snapshot.kind = std::holds_alternative<PlaneShape>(*body.shape) ? "plane" : "rigid";
    snapshot.end_pose = body_pose(body, state.rigid[b]);
    snapshot.surface = moved_mesh(make_shape_mesh(*body.shape, kPlaneHalfWidth_m), snapshot.end_pose);
    snapshot.feedback = measure_body(model, b, state, ws, sums).feedback;
    snapshots.push_back(std::move(snapshot));
  }
  return snapshots;
}

}  // namespace distal
