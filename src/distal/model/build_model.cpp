#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <thread>

#include "distal/core/error.hpp"
#include "distal/model/build_pairs.hpp"
#include "distal/model/build_tet.hpp"
#include "distal/model/expand_hands.hpp"
#include "distal/model/light_nodes.hpp"
#include "distal/model/model.hpp"
#include "distal/model/paper_lattice.hpp"
#include "distal/model/skin_curvature.hpp"
#include "distal/model/strand_body.hpp"

namespace distal {
namespace {

Pose pose_of(const Placement& p) { return {p.position_m, p.q_xyzw}; }
Twist twist_of(const Placement& p) { return {p.velocity_m_s, p.angular_velocity_rad_s}; }

const MaterialDescription& find_material(const ModelDescription& d, const std::string& body, const std::string& name) {
  const auto found = d.materials.find(name);
  if (found == d.materials.end())
    throw InputError(fmt::format("body.{}.material: there is no material '{}'", body, name));
  return found->second;
}

// Contact samples: the vertices of the solid's surface, or the boundary particles of the paper's lattice.
void add_skin(SoftBody& body, const Solid& solid) {
  std::vector<std::int32_t> order;
  const auto areas = vertex_areas(solid.surface);
  if (body.lattice.kind == LatticeKind::paper) {
    const double cell = body.lattice.grid.cell_size_m;
    for (const std::int32_t node : boundary_particles(body.lattice)) {
      body.skin_rest_m.push_back(body.lattice.grid.rest_position(node));
      body.skin_area_m2.push_back(cell * cell);
    }
    body.skin = embed_points(body.lattice, body.skin_rest_m, order);
    body.skin_curvature_per_m.assign(body.skin_rest_m.size(), 0.0);
    return;
  }
  body.skin = embed_points(body.lattice, solid.surface.vertices, order);
  std::vector<std::int32_t> place(order.size());
  for (std::size_t s = 0; s < order.size(); ++s) {
    const auto vertex = static_cast<std::size_t>(order[s]);
    place[vertex] = static_cast<std::int32_t>(s);
    body.skin_rest_m.push_back(solid.surface.vertices[vertex]);
    body.skin_area_m2.push_back(areas[vertex]);
  }
  for (const auto& t : solid.surface.triangles)
    body.skin_triangles.push_back({place[static_cast<std::size_t>(t[0])], place[static_cast<std::size_t>(t[1])],
                                   place[static_cast<std::size_t>(t[2])]});
  std::stable_sort(body.skin_triangles.begin(), body.skin_triangles.end(), [](const auto& a, const auto& b) {
    return *std::max_element(a.begin(), a.end()) < *std::max_element(b.begin(), b.end());
  });
  body.skin_curvature_per_m = find_skin_curvature(body.skin_rest_m, body.skin_triangles);
}

void add_ligaments(SoftBody& body, const FingertipDescription& d, double covered_length) {
  const Lattice& lattice = body.lattice;
  const double cell = lattice.grid.cell_size_m;
  const bool paper = lattice.kind == LatticeKind::paper;
  const TriangleMesh rod =
      make_rod_surface(d.rod_radius_m, covered_length, paper ? cell : d.lattice.surface_spacing_cells * cell);
  const auto areas = vertex_areas(rod);
  std::vector<std::int32_t> order;
  body.ligament_factor = d.ligament_stiffness_factor;
  body.ligaments = embed_points(lattice, rod.vertices, order);
  for (std::size_t s = 0; s < order.size(); ++s) {
    double stiffness =
        d.ligament_stiffness_factor * lattice.moduli.youngs_pa / cell * areas[static_cast<std::size_t>(order[s])];
    if (paper) stiffness = lattice.moduli.youngs_pa * cell;  // one more spring of the lattice, with its rule
    body.ligament_stiffness_n_m.push_back(stiffness);
  }
}

// Damping of each ligament against the mass it moves; the paper's rule for the paper's lattice.
void damp_ligaments(SoftBody& body) {
  for (std::size_t p = 0; p < body.ligaments.size(); ++p) {
    const double stiffness = body.ligament_stiffness_n_m[p], mass = embedded_mass(body.lattice, body.ligaments, p);
    const bool paper = body.lattice.kind == LatticeKind::paper;
    body.ligament_damping_n_s_m.push_back(paper ? 2.0 * std::sqrt(stiffness * mass / 2.0)
                                                : 2.0 * body.ligament_damping_ratio * std::sqrt(stiffness * mass));
  }
}

// Implicit steps meet their residual only with forces in double precision; their linear solves are in single anyway.
Precision forces_precision(const ModelDescription& d) {
  return is_implicit(d.integrator.kind) ? Precision::double_ : d.precision;
}

double relaxation_time(const MaterialDescription& material) {
  return std::isnan(material.relaxation_time_s) ? 0.0 : material.relaxation_time_s;
}

void finish_soft(const std::string& name, const Placement& placement, const MaterialDescription& material,
                 SoftBody& body) {
  body.name = name;
  body.initial_pose = pose_of(placement);
  body.initial_twist = twist_of(placement);
  if (std::isnan(material.relaxation_time_s))
    body.damping_ratio = std::isnan(material.damping_ratio) ? kDefaultDampingRatio : material.damping_ratio;
}

SoftBody start_soft(const ModelDescription& d, const std::string& name, const LatticeDescription& lattice,
                    const Placement& placement, const Solid& solid) {
  const MaterialDescription& material = find_material(d, name, lattice.material);
  SoftBody body;
  finish_soft(name, placement, material, body);
  try {
    body.lattice = make_lattice(solid, lattice, complete_moduli(material, "material." + lattice.material),
                                material.density_kg_m3, relaxation_time(material), forces_precision(d));
  } catch (const InputError& error) { throw InputError(fmt::format("body.{}: {}", name, error.what())); }
  add_skin(body, solid);
  return body;
}

SoftBody make_soft(const ModelDescription& d, const std::string& name, const BlockDescription& block) {
  SoftBody body =
      start_soft(d, name, block.lattice, block.placement,
                 make_block_solid(block.size_m, block.lattice.surface_spacing_cells * block.lattice.cell_size_m));
  body.kind = "block";
  return body;
}

SoftBody make_soft(const ModelDescription& d, const std::string& name, const FingertipDescription& f) {
  const double edge = f.lattice.surface_spacing_cells * f.lattice.cell_size_m;
  Solid solid;
  double covered = f.tip_length_m;
  if (f.shape == FingertipShape::mesh) {
    std::string where = fmt::format("body.{}.file: ", name);
    try {
      const TriangleMesh pad = load_stl(f.file);  // names the file
      where += f.file + ": ";
      solid = make_mesh_solid(pad, f.rod_radius_m, edge);
    } catch (const InputError& error) { throw InputError(where + error.what()); }
    covered = std::max(0.0, -solid.bounds.min.z());
  } else {
    solid = make_fingertip_solid(f.tip_radius_m, f.rod_radius_m, f.tip_length_m, edge);
  }
  SoftBody body = start_soft(d, name, f.lattice, f.placement, solid);
  body.kind = "fingertip";
  body.ligament_damping_ratio = f.ligament_damping_ratio;
  body.rod_radius_m = f.rod_radius_m;
  add_ligaments(body, f, covered);
  return body;
}

SoftBody make_soft(const ModelDescription& d, const std::string& name, const TetDescription& tet) {
  const MaterialDescription& material = find_material(d, name, tet.material);
  SoftBody body = make_tet_soft(name, tet, complete_moduli(material, "material." + tet.material),
                                material.density_kg_m3, relaxation_time(material));
  finish_soft(name, tet.placement, material, body);
  return body;
}

SoftBody make_soft(const ModelDescription& d, const std::string& name, const StrandDescription& strand) {
  const MaterialDescription& material = find_material(d, name, strand.material);
  SoftBody body = make_strand_soft(name, strand, complete_moduli(material, "material." + strand.material),
                                   material.density_kg_m3, relaxation_time(material));
  finish_soft(name, strand.placement, material, body);
  return body;
}

// The nodes that carry a point of the skin, with their weights.
void for_carriers(const SoftBody& body, std::size_t s, const auto& visit) {
  if (body.tet) {
    for (std::size_t a = 0; a < 3; ++a) visit(body.skin.facet[s][a], body.skin.place[s][a]);
    return;
  }
  const auto weight = body.skin.weights(s);
  for (int a = 0; a < kCorners; ++a)
    visit(body.skin.node[s] + body.lattice.grid.corner_offset(a), weight[static_cast<std::size_t>(a)]);
}

void hold_and_load(const ModelDescription& d, Model& model) {
  const auto inside = [](const auto& part, const Vec3& p) {
    return (p.array() >= part.min_m.array() - 1e-9).all() && (p.array() <= part.max_m.array() + 1e-9).all();
  };
  const auto soft_named = [&](const std::string& where, const std::string& name) -> SoftBody& {
    for (SoftBody& body : model.soft)
      if (body.name == name) return body;
    throw InputError(fmt::format("{}.body: '{}' is not a soft body", where, name));
  };
  for (const auto& [name, fix] : d.fixes) {
    SoftBody& body = soft_named("fix." + name, fix.body);
    for (int node = 0; node < body.node_count(); ++node)
      if (body.mass_kg()[static_cast<std::size_t>(node)] > 0.0 && inside(fix, body.rest_position(node)))
        body.fixed_nodes.push_back(node);
    if (body.fixed_nodes.empty())
      throw InputError(fmt::format("fix.{}: no node of '{}' lies in its box", name, fix.body));
  }
  for (const auto& [name, load] : d.loads) {
    SoftBody& body = soft_named("load." + name, load.body);
    double area = 0.0;
    for (std::size_t s = 0; s < body.skin.size(); ++s)
      if (inside(load, body.skin_rest_m[s])) area += body.skin_area_m2[s];
    if (area == 0.0) throw InputError(fmt::format("load.{}: no surface of '{}' lies in its box", name, load.body));
    std::map<std::int32_t, Vec3> share;
    for (std::size_t s = 0; s < body.skin.size(); ++s)
      if (inside(load, body.skin_rest_m[s]))
        for_carriers(body, s, [&](std::int32_t node, double weight) {
          share.try_emplace(node, Vec3::Zero()).first->second += body.skin_area_m2[s] / area * weight * load.force_n;
        });
    for (const auto& [node, force] : share)
      if (force.norm() > 0.0) body.node_loads_n.emplace_back(node, force);
  }
}

void add_parts(const ModelDescription& d, Model& model) {
  for (const auto& [name, part] : d.parts) {
    const auto same = [&](const RigidBody& body) { return body.name == part.body; };
    const auto body = std::find_if(model.rigid.begin(), model.rigid.end(), same);
    if (body == model.rigid.end() || !body->shape || std::holds_alternative<PlaneShape>(*body->shape))
      throw InputError(fmt::format("part.{}.body: '{}' is not a rigid body", name, part.body));
    add_part(name, part, *body);
  }
}

// By which rigid bodies can touch.
bool has_patches(const ModelDescription& d) {
  std::size_t laws = d.contact.is_patch() ? 1 : 0;
  for (const auto& [name, pair] : d.pairs) laws += pair.contact.is_patch() ? 1 : 0;
  return laws > find_unused_patches(d).size();
}

// Joints and patches are the business of the complementarity step, which is the choice where one is asked for, and
// where nothing is soft.
void choose_complementarity(const ModelDescription& d, Model& model) {
  const bool is_needed = !d.joints.empty() || has_patches(d);
  if (model.integrator.kind == IntegratorKind::automatic && (is_needed || model.soft.empty()))
    model.integrator.kind = IntegratorKind::complementarity;
  if (!is_needed) return;
  if (model.integrator.kind == IntegratorKind::complementarity) return;
  throw InputError(fmt::format("integrator.kind = \"{}\": {} \"complementarity\" (or \"auto\")",
                               name_of(model.integrator.kind),
                               d.joints.empty() ? "contact.normal = \"winkler\" and \"hertz\" need" : "joints need"));
}

// Implicit steps need derivatives of the forces, which these bodies do not have.
void refuse_explicit_only(const Model& model) {
  std::vector<std::string_view> allowed(kIntegratorNames.begin(), kIntegratorNames.end());
  std::erase(allowed, name_of(IntegratorKind::implicit_euler));
  std::erase(allowed, name_of(IntegratorKind::implicit_midpoint));
  for (const SoftBody& body : model.soft) {
    const bool gaussian = body.tet && body.tet->model == TetModel::gaussian;
    const bool paper = !body.tet && body.lattice.kind == LatticeKind::paper;
    if (!gaussian && !paper) continue;
    throw InputError(
        fmt::format("integrator.kind: found \"{}\", and body.{}.{} = \"{}\" has explicit steps only, allowed: {}",
                    name_of(model.integrator.kind), body.name, gaussian ? "model" : "lattice",
                    gaussian ? "gaussian" : "paper", fmt::join(allowed, ", ")));
  }
}

void number_particles(Model& model) {
  std::size_t slots = 0;
  for (SoftBody& body : model.soft) {
    body.first_particle = static_cast<std::int32_t>(slots);
    slots += static_cast<std::size_t>(body.node_count());
    // Rows of one body may be read past their end; the next body starts on a fresh cache line behind that.
    slots = (slots + kPadding + 7) / 8 * 8;
  }
  model.particle_slots = slots;
  model.mass_kg.assign(slots + kPadding, 0.0);
  model.inverse_mass_per_kg.assign(slots + kPadding, 0.0);
  for (const SoftBody& body : model.soft) {
    const std::vector<double>& mass = body.mass_kg();
    for (std::size_t n = 0; n < mass.size(); ++n) {
      const std::size_t p = static_cast<std::size_t>(body.first_particle) + n;
      model.mass_kg[p] = mass[n];
      if (mass[n] > 0.0) model.inverse_mass_per_kg[p] = 1.0 / mass[n];
    }
    for (const std::int32_t n : body.fixed_nodes)
      model.inverse_mass_per_kg[static_cast<std::size_t>(body.first_particle + n)] = 0.0;
  }
}

}  // namespace

Vec3 SoftBody::rest_position(int node) const {
  if (!tet) return lattice.grid.rest_position(node);
  const auto n = static_cast<std::size_t>(node);
  return n < tet->mesh.vertices.size() ? tet->mesh.vertices[n] : Vec3(Vec3::Zero());
}

int Model::active_particles() const {
  int count = 0;
  for (const SoftBody& body : soft) count += body.active_nodes();
  return count;
}

Model build_model(const ModelDescription& description) {
  const ModelDescription d = expand_hands(description);
  Model model;
  model.title = d.title;
  model.gravity_m_s2 = d.gravity_m_s2;
  model.integrator = d.integrator;
  model.control_period_s = d.control_period_s;
  model.precision = forces_precision(d);
  model.threads = d.threads > 0 ? d.threads : std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 2);
  const auto add_rigid = [&](RigidBody body, const Placement& placement) {
    model.rigid.push_back(std::move(body));
    model.rigid_initial_pose.push_back(pose_of(placement));
    model.rigid_initial_twist.push_back(twist_of(placement));
  };
  for (const auto& [name, body] : d.bodies) {
    if (const auto* finger = std::get_if<FingertipDescription>(&body)) {
      model.soft.push_back(make_soft(d, name, *finger));
      model.soft.back().rod = static_cast<int>(model.rigid.size());
      add_rigid(make_rod(name, *finger), finger->placement);
    } else if (const auto* block = std::get_if<BlockDescription>(&body)) {
      model.soft.push_back(make_soft(d, name, *block));
    } else if (const auto* tet = std::get_if<TetDescription>(&body)) {
      model.soft.push_back(make_soft(d, name, *tet));
    } else if (const auto* strand = std::get_if<StrandDescription>(&body)) {
      model.soft.push_back(make_soft(d, name, *strand));
    } else if (const auto* plane = std::get_if<PlaneDescription>(&body)) {
      add_rigid(make_plane(name), plane->placement);
    } else if (const auto* rigid = std::get_if<RigidDescription>(&body)) {
      add_rigid(make_object(name, *rigid), rigid->placement);
    }
  }
  add_parts(d, model);
  choose_complementarity(d, model);
  if (is_implicit(model.integrator.kind)) refuse_explicit_only(model);
  model.joints = make_joints(d, model.rigid, model.rigid_initial_pose);
  hold_and_load(d, model);
  add_pairs(d, model);
  for (SoftBody& body : model.soft) {
    if (body.tet) continue;
    relieve_light_nodes(body);
    damp_ligaments(body);
    body.ligament_matrix =
        make_ligament_matrix(body.lattice, body.ligaments, body.ligament_stiffness_n_m, body.ligament_damping_n_s_m);
  }
  number_particles(model);
  model.fields = make_fields(d, model);
  for (const BodyField& field : model.fields) {
    TetBody& tet = *model.soft[static_cast<std::size_t>(field.soft)].tet;
    if (field.softens() && tet.model == TetModel::neo_hookean) tet.edge_shares = find_edge_shares(tet);
  }
  return model;
}

}  // namespace distal
