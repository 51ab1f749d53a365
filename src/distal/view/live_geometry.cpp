#include "distal/view/live_geometry.hpp"

#include <algorithm>

#include "distal/core/error.hpp"
#include "distal/geometry/solid.hpp"
#include "distal/sensor/measure.hpp"
#include "distal/state/embedding.hpp"
#include "distal/view/patches.hpp"

namespace distal {
namespace {

constexpr double kSmallestGround_m = 0.03;  // half a side of the square that stands for a plane

std::vector<std::uint32_t> flat_indices(const TriangleMesh& mesh) {
  std::vector<std::uint32_t> indices;
  for (const auto& triangle : mesh.triangles)
    for (const std::int32_t v : triangle) indices.push_back(static_cast<std::uint32_t>(v));
  return indices;
}

// A square under everything that stands on the plane, in the world.
TriangleMesh ground_mesh(const Pose& plane, const Aabb& bounds) {
  const bool empty = bounds.min.x() > bounds.max.x();
  const Vec3 middle = empty ? plane.position : Vec3(0.5 * (bounds.min + bounds.max));
  const double half = empty ? kSmallestGround_m : std::max(kSmallestGround_m, (bounds.max - bounds.min).maxCoeff());
  Vec3 local = plane.to_local(middle);
  local.z() = 0.0;
  TriangleMesh mesh = make_shape_mesh(PlaneShape{}, half);
  for (Vec3& v : mesh.vertices) v = plane.to_world(v + local);
  return mesh;
}

// Nodes that miss a neighbour along an axis, and the grid edges between them: what paper 1 draws in Fig. 6.
struct Boundary {
  std::vector<std::int32_t> nodes;
  std::vector<std::uint32_t> lines;
};

// Of tetrahedra: the vertices of the surface and its edges.
Boundary find_boundary(const TetBody& tet) {
  Boundary boundary;
  std::vector<std::int32_t> place(tet.mesh.vertices.size(), -1);
  const auto number = [&](std::int32_t vertex) {
    std::int32_t& at = place[static_cast<std::size_t>(vertex)];
    if (at < 0) at = static_cast<std::int32_t>(boundary.nodes.size()), boundary.nodes.push_back(vertex);
    return static_cast<std::uint32_t>(at);
  };
  for (const auto& facet : tet.facets)
    for (std::size_t a = 0; a < 3; ++a) {
      const std::uint32_t from = number(facet[a]), to = number(facet[(a + 1) % 3]);
      if (facet[a] < facet[(a + 1) % 3]) boundary.lines.insert(boundary.lines.end(), {from, to});
    }
  return boundary;
}

Boundary find_boundary(const Lattice& lattice) {
  const Grid& grid = lattice.grid;
  const auto active = [&](int i, int j, int k) {
    return i >= 0 && j >= 0 && k >= 0 && i < grid.nx && j < grid.ny && k < grid.nz &&
           lattice.mass[static_cast<std::size_t>(grid.node(i, j, k))] > 0.0;
  };
  Boundary boundary;
  std::vector<std::int32_t> place(static_cast<std::size_t>(grid.node_count()), -1);
  for (int n = 0; n < grid.node_count(); ++n) {
    const int i = n % grid.nx, j = n / grid.nx % grid.ny, k = n / grid.plane_size();
    const bool inside = active(i - 1, j, k) && active(i + 1, j, k) && active(i, j - 1, k) && active(i, j + 1, k) &&
                        active(i, j, k - 1) && active(i, j, k + 1);
    if (inside || !active(i, j, k)) continue;
    place[static_cast<std::size_t>(n)] = static_cast<std::int32_t>(boundary.nodes.size());
    boundary.nodes.push_back(n);
  }
  const auto connect = [&](std::int32_t node, std::int32_t other, bool in_grid) {
    if (!in_grid || place[static_cast<std::size_t>(other)] < 0) return;
    boundary.lines.push_back(static_cast<std::uint32_t>(place[static_cast<std::size_t>(node)]));
    boundary.lines.push_back(static_cast<std::uint32_t>(place[static_cast<std::size_t>(other)]));
  };
  for (const std::int32_t n : boundary.nodes) {
    connect(n, n + 1, n % grid.nx + 1 < grid.nx);
    connect(n, n + grid.nx, n / grid.nx % grid.ny + 1 < grid.ny);
    connect(n, n + grid.plane_size(), n / grid.plane_size() + 1 < grid.nz);
  }
  return boundary;
}

}  // namespace

void copy_moment(const Simulation& simulation, RawMoment& moment) {
  const Model& model = simulation.model();
  const State& state = simulation.state();
  const Workspace& ws = simulation.workspace();
  moment.time_s = state.time_s;
  moment.readings = simulation.measure();
  moment.x = state.x;
  moment.rigid = state.rigid;
  moment.fields = state.fields;
  moment.touching.clear();
  for (std::size_t p = 0; p < model.pairs.size(); ++p) {
    if (model.pairs[p].hard) continue;  // a patch each
    const int soft = model.pairs[p].sampled_is_soft ? model.pairs[p].sampled : -1;
    for (const Contact& contact : ws.pairs[p].near) {
      if (contact.touch == Touch::none) continue;
      const std::size_t sample =
          soft < 0 ? 0 : nearest_sample(model.soft[static_cast<std::size_t>(soft)], model.pairs[p], contact);
      moment.touching.push_back(
          {soft, static_cast<std::int32_t>(sample), contact.normal_force_n, contact.point, contact.force});
    }
  }
  for (std::size_t p = 0; p < model.soft_pairs.size(); ++p)
    for (const Contact& contact : ws.soft_pairs[p].near)
      if (contact.touch != Touch::none)
        moment.touching.push_back(
            {model.soft_pairs[p].sampled, contact.sample, contact.normal_force_n, contact.point, contact.force});
  moment.patches.clear();
  for (const HardContact& contact : state.hard_contacts) {
    if (contact.load_n <= 0.0) continue;
    const ContactPair& pair = model.pairs[static_cast<std::size_t>(contact.pair)];
    // Rigid bodies come first in the scene of viewers, in the model's order.
    moment.patches.push_back(make_view_patch(contact, find_friction_use(pair, contact), pair.sampled, pair.partner));
  }
}

LiveGeometry::LiveGeometry(const Simulation& simulation, const std::optional<std::string>& pointer) {
  const Model& model = simulation.model();
  const State& state = simulation.state();
  scene_.has_patches =
      std::any_of(model.pairs.begin(), model.pairs.end(), [](const ContactPair& pair) { return pair.hard; });
  for (const SoftBody& soft : model.soft)
    for (const Vec3& p : soft.skin_rest_m) bounds_.add(soft.initial_pose.to_world(p));
  rigid_.resize(model.rigid.size());
  for (std::size_t b = 0; b < model.rigid.size(); ++b) {
    const RigidBody& body = model.rigid[b];
    rigid_[b].centre_of_mass_m = body.centre_of_mass_m;
    rigid_[b].is_pointer = pointer && body.name == *pointer;
    if (!body.shape || std::holds_alternative<PlaneShape>(*body.shape) || rigid_[b].is_pointer) continue;
    for (const Vec3& v : make_shape_mesh(*body.shape, 0.0).vertices)
      bounds_.add(body_pose(body, state.rigid[b]).to_world(v));
  }
  commanded_of_body_.assign(model.rigid.size(), -1);
  for (std::size_t i = 0; i < simulation.body_count(); ++i)
    commanded_of_body_[simulation.rigid_index(i)] = static_cast<int>(i);
  soft_.reserve(model.soft.size());
  for (std::size_t b = 0; b < model.rigid.size(); ++b) {
    add_rigid(model, b, static_cast<int>(b));
    fixed_pose_.push_back(body_pose(model.rigid[b], state.rigid[b]));
  }
  for (const SoftBody& soft : model.soft) {
    if (soft.rod < 0) {
      scene_.bodies.push_back({soft.name, soft.kind, false, false});
      commanded_of_body_.push_back(-1);
      fixed_pose_.push_back(soft.initial_pose);
    }
    add_soft(soft, soft.rod < 0 ? static_cast<int>(scene_.bodies.size()) - 1 : soft.rod);
    for (std::size_t f = model.fields.size(); f-- > 0;)
      if (&model.soft[static_cast<std::size_t>(model.fields[f].soft)] == &soft) {
        soft_.back().field = static_cast<int>(f);
        scene_.parts[soft_.back().surface_part].field = name_with_unit(model.fields[f].name);
      }
  }
}

void LiveGeometry::add_mesh(int body, ViewRole role, ViewMotion motion, const TriangleMesh& mesh) {
  ViewPart part;
  part.body = body;
  part.role = role;
  part.motion = motion;
  part.vertices = mesh.vertices.size();
  part.indices = flat_indices(mesh);
  part.rest_m = mesh.vertices;
  scene_.parts.push_back(std::move(part));
}

void LiveGeometry::add_rigid(const Model& model, std::size_t b, int index) {
  const RigidBody& body = model.rigid[b];
  RigidPart& rigid = rigid_[b];
  const bool moves = body.mount != Mount::fixed;
  const int soft = soft_on_rod(model, b);
  const bool plane = body.shape && std::holds_alternative<PlaneShape>(*body.shape);
  scene_.bodies.push_back({body.name,
                           soft >= 0 ? "fingertip"
                           : plane   ? "plane"
                                     : "rigid",
                           moves, moves && !rigid.is_pointer});
  const Pose pose = model.rigid_initial_pose[b];
  if (soft >= 0) {
    const double radius = model.soft[static_cast<std::size_t>(soft)].rod_radius_m;
    rigid.part = scene_.parts.size();
    add_mesh(index, ViewRole::rod, ViewMotion::rigid, make_drawn_rod(radius, -body.end_m.z()));
  } else if (plane) {
    add_mesh(index, ViewRole::ground, ViewMotion::fixed, ground_mesh(pose, bounds_));
  } else if (moves) {
    rigid.part = scene_.parts.size();
    add_mesh(index, ViewRole::rigid, ViewMotion::rigid, make_shape_mesh(*body.shape, 0.0));
    const auto* sphere = std::get_if<SphereShape>(&*body.shape);
    if (rigid.is_pointer && sphere != nullptr) scene_.pointer = ViewPointer{index, sphere->radius_m};
  } else {
    TriangleMesh mesh = make_shape_mesh(*body.shape, 0.0);
    for (Vec3& v : mesh.vertices) v = pose.to_world(v);
    add_mesh(index, ViewRole::rigid, ViewMotion::fixed, mesh);
  }
}

void LiveGeometry::add_soft(const SoftBody& soft, int body) {
  SoftPart& part = soft_.emplace_back(soft);
  part.skin = soft.skin;
  part.now.vertices = part.rest_m = soft.skin_rest_m;
  part.now.triangles = soft.skin_triangles;
  part.rest_area_m2 = soft.skin_area_m2;
  part.rod = soft.rod;
  part.initial_pose = soft.initial_pose;
  part.surface_part = scene_.parts.size();
  ViewPart surface;
  surface.body = body;
  surface.vertices = soft.skin_rest_m.size();
  // The paper's lattice has no skin but its outer particles.
  surface.shape = soft.skin_triangles.empty() ? ViewShape::points_and_lines : ViewShape::triangles;
  surface.indices = flat_indices(part.now);
  surface.has_colours = true;
  scene_.parts.push_back(std::move(surface));
  add_lattice(soft, part, body);
}

void LiveGeometry::add_lattice(const SoftBody& soft, SoftPart& part, int body) {
  Boundary boundary = soft.tet ? find_boundary(*soft.tet) : find_boundary(soft.lattice);
  for (const std::int32_t n : boundary.nodes)
    part.boundary.push_back(static_cast<std::size_t>(soft.first_particle + n));
  part.lattice_part = scene_.parts.size();
  ViewPart lattice;
  lattice.body = body;
  lattice.role = ViewRole::lattice;
  lattice.shape = ViewShape::points_and_lines;
  lattice.vertices = part.boundary.size();
  lattice.indices = std::move(boundary.lines);
  scene_.parts.push_back(std::move(lattice));
}

std::size_t LiveGeometry::commanded_of(std::size_t body) const {
  DISTAL_ASSERT(body < commanded_of_body_.size() && commanded_of_body_[body] >= 0);
  return static_cast<std::size_t>(commanded_of_body_[body]);
}

void LiveGeometry::develop(const RawMoment& raw, RoleSet roles, ViewMoment& moment) {
  moment.time_s = raw.time_s;
  moment.standing = raw.standing;
  moment.bodies.resize(scene_.bodies.size());
  moment.parts.resize(scene_.parts.size());
  for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
    ViewBodyMoment& body = moment.bodies[b];
    body = {};
    body.reading.feedback.pose = fixed_pose_[b];
    if (commanded_of_body_[b] < 0) continue;
    const auto i = static_cast<std::size_t>(commanded_of_body_[b]);
    body.reading = raw.readings[i];
    if (i < raw.commands.size()) body.command = raw.commands[i];
    body.in_hand = i < raw.in_hand.size() && raw.in_hand[i] != 0;
  }
  for (std::size_t b = 0; b < rigid_.size(); ++b) {
    if (!rigid_[b].part) continue;
    std::optional<Pose>& pose = moment.parts[*rigid_[b].part].pose;
    pose.reset();
    if (rigid_[b].is_pointer && raw.pointer_parked) continue;
    pose = pose_of_rigid(raw, b);
  }
  if (roles & role_bit(ViewRole::surface))
    for (std::size_t s = 0; s < soft_.size(); ++s) develop_skin(raw, s, moment);
  if (roles & role_bit(ViewRole::lattice))
    for (const SoftPart& soft : soft_) {
      std::vector<Vec3>& positions = moment.parts[soft.lattice_part].positions_m;
      positions.clear();
      for (const std::size_t p : soft.boundary) positions.push_back(raw.x.get(p));
    }
  moment.contacts.clear();
  for (const TouchingSample& sample : raw.touching) moment.contacts.push_back({sample.place_m, sample.force_n});
  moment.patches = raw.patches;
  add_patch_forces(scene_, moment);
}

void LiveGeometry::develop_skin(const RawMoment& raw, std::size_t s, ViewMoment& moment) {
  SoftPart& soft = soft_[s];
  ViewPartMoment& part = moment.parts[soft.surface_part];
  const std::size_t count = soft.skin.size();
  for (std::size_t v = 0; v < count; ++v) soft.now.vertices[v] = soft.corners.interpolate(soft.skin, v, raw.x);
  part.positions_m = soft.now.vertices;
  part.pressure_pa.assign(count, 0.0);
  for (const TouchingSample& sample : raw.touching)
    if (sample.soft == static_cast<int>(s))
      part.pressure_pa[static_cast<std::size_t>(sample.sample)] += sample.normal_force_n;
  const std::vector<double> areas = soft.now.triangles.empty() ? soft.rest_area_m2 : vertex_areas(soft.now);
  for (std::size_t v = 0; v < count; ++v) part.pressure_pa[v] = areas[v] > 0.0 ? part.pressure_pa[v] / areas[v] : 0.0;
  if (soft.field >= 0) {
    const std::vector<double>& values = raw.fields[static_cast<std::size_t>(soft.field)];
    part.field.assign(count, 0.0);
    for (std::size_t v = 0; v < count; ++v)
      for (std::size_t a = 0; a < 3; ++a)
        part.field[v] += soft.skin.place[v][a] * values[static_cast<std::size_t>(soft.skin.facet[v][a])];
  }
  const PointMap carrying(soft.rod < 0 ? soft.initial_pose : pose_of_rigid(raw, static_cast<std::size_t>(soft.rod)));
  part.displacement_m.resize(count);
  for (std::size_t v = 0; v < count; ++v)
    part.displacement_m[v] = (soft.now.vertices[v] - carrying.to_world(soft.rest_m[v])).norm();
}

Pose LiveGeometry::pose_of_rigid(const RawMoment& raw, std::size_t rigid) const {
  const RigidState& state = raw.rigid[rigid];
  return {state.centre_of_mass - state.q * rigid_[rigid].centre_of_mass_m, state.q};
}

}  // namespace distal
