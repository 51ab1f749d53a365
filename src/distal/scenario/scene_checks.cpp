#include "distal/scenario/scene_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "distal/controller/prescribed_motion.hpp"
#include "distal/core/error.hpp"
#include "distal/model/strand_body.hpp"

namespace distal {

void PlacedProblems::add(const std::string& key, const std::string& message,
                         std::initializer_list<std::string> others) {
  const Value* at = &root_.nearest(key);
  for (const std::string& other : others) {
    if (!at->from_override && root_.nearest(other).from_override) at = &root_.nearest(other);
  }
  problems_.add(at->place, key, message);
}

void PlacedProblems::add(const InputError& error, std::initializer_list<std::string> others) {
  const std::string message = error.what();
  const std::size_t key_end = message.find(": ");
  add(message.substr(0, key_end), message.substr(key_end + 2), others);
}

void check_scene(const Scene& scene, PlacedProblems& problems) {
  check_names(scene, problems);
  check_materials(scene, problems);
  check_shapes(scene, problems);
  check_size(scene, problems);
  check_time(scene, problems);
  check_channels(scene, problems);
  check_devices(scene, problems);
}

namespace {

void check_friction(const std::string& path, const ContactDescription& contact, PlacedProblems& problems) {
  if (contact.dynamic_friction <= contact.static_friction) return;
  const Value& table = problems.root().nearest(path);
  const bool sliding_given = table.find("dynamic_friction") != nullptr;
  problems.add(path + (sliding_given ? ".dynamic_friction" : ".static_friction"),
               fmt::format("dynamic_friction is {}, allowed: [0, {}], at most static_friction",
                           contact.dynamic_friction, contact.static_friction),
               {path + ".static_friction"});
}

void check_box(const std::string& path, const Vec3& low, const Vec3& high, PlacedProblems& problems) {
  for (int axis = 0; axis < 3; ++axis) {
    if (low[axis] <= high[axis]) continue;
    problems.add(path + ".max_m",
                 fmt::format("its {} is {}, below that of min_m, which is {}: nothing is in this box", "xyz"[axis],
                             high[axis], low[axis]),
                 {path + ".min_m"});
  }
}

// It would be left aside for the default shape.
void check_shape_of_file(const std::string& path, const std::string& file, bool is_read, const char* reading,
                         PlacedProblems& problems) {
  if (file.empty() || is_read || problems.root().nearest(path).find("shape") != nullptr) return;
  problems.add(path + ".file",
               fmt::format("found \"{}\" without a shape that reads it; allowed: shape = {}", file, reading));
}

void check_fingertip(const std::string& path, const FingertipDescription& tip, PlacedProblems& problems) {
  const auto key = [&](const char* name) { return path + "." + name; };
  if (tip.tip_length_m > tip.rod_length_m) {
    problems.add(
        key("tip_length_m"),
        fmt::format("found {} m, allowed: at most rod_length_m, which is {} m", tip.tip_length_m, tip.rod_length_m),
        {key("rod_length_m")});
  }
  check_shape_of_file(path, tip.file, tip.shape == FingertipShape::mesh, "\"mesh\"", problems);
  if (tip.shape == FingertipShape::mesh) {
    if (tip.file.empty()) {
      problems.add(key("file"), "is missing; shape = \"mesh\" needs a closed STL file", {key("shape")});
    } else if (const auto problem = file_problem(tip.file)) {
      problems.add(key("file"), *problem);
    }
    return;
  }
  if (tip.rod_radius_m >= tip.tip_radius_m) {
    problems.add(
        key("rod_radius_m"),
        fmt::format("found {} m, allowed: below tip_radius_m, which is {} m", tip.rod_radius_m, tip.tip_radius_m),
        {key("tip_radius_m")});
  } else if (const double layer = tip.tip_radius_m - tip.rod_radius_m;
             tip.lattice.cell_size_m > layer * (1.0 + 1e-12)) {
    problems.add(key("cell_size_m"),
                 fmt::format("found {} m, allowed: at most tip_radius_m - rod_radius_m = {:.6g} m, the soft layer",
                             tip.lattice.cell_size_m, layer),
                 {key("tip_radius_m"), key("rod_radius_m")});
  }
}

void check_block(const std::string& path, const BlockDescription& block, PlacedProblems& problems) {
  const double smallest = block.size_m.minCoeff();
  if (block.lattice.cell_size_m <= smallest) return;
  problems.add(path + ".cell_size_m",
               fmt::format("found {} m, allowed: at most the smallest edge of size_m, {} m", block.lattice.cell_size_m,
                           smallest),
               {path + ".size_m"});
}

void check_tet(const std::string& path, const TetDescription& tet, PlacedProblems& problems) {
  const bool reads = tet.shape == TetShape::mesh || tet.shape == TetShape::surface;
  check_shape_of_file(path, tet.file, reads, "\"mesh\" (tetrahedra) or \"surface\" (a closed surface to be filled)",
                      problems);
  if (reads) {
    if (tet.file.empty()) {
      problems.add(
          path + ".file",
          fmt::format("is missing; shape = \"{}\" needs one", tet.shape == TetShape::mesh ? "mesh" : "surface"),
          {path + ".shape"});
    } else if (const auto problem = file_problem(tet.file)) {
      problems.add(path + ".file", *problem);
    }
    return;
  }
  const double smallest = tet.shape == TetShape::cuboid     ? tet.size_m.minCoeff()
                          : tet.shape == TetShape::cylinder ? std::min(2.0 * tet.radius_m, tet.height_m)
                                                            : 2.0 * tet.radius_m;
  if (tet.edge_m <= smallest) return;
  problems.add(path + ".edge_m",
               fmt::format("found {} m, allowed: at most the smallest extent of the body, {} m", tet.edge_m, smallest),
               {path + ".size_m", path + ".radius_m", path + ".height_m"});
}

void check_strand(const std::string& path, const StrandDescription& strand, PlacedProblems& problems) {
  // What is too large is refused for that.
  constexpr double kManyRings = 5e5;
  if (find_strand_length(strand) > kManyRings * find_strand_spacing(strand)) return;
  try {
    make_strand_mesh(path.substr(std::string("body.").size()), strand);
  } catch (const InputError& error) { problems.add(error, {path + ".radius_m", path + ".length_m"}); }
}

// Of a rigid body or a part of one.
template <typename Description>
void check_shape(const std::string& path, const Description& d, PlacedProblems& problems) {
  check_shape_of_file(path, d.file, d.shape == RigidShapeKind::mesh, "\"mesh\"", problems);
  if (d.shape == RigidShapeKind::mesh && d.file.empty())
    problems.add(path + ".file", "is missing; shape = \"mesh\" needs a closed convex surface", {path + ".shape"});
  else if (const auto problem = file_problem(d.file); d.shape == RigidShapeKind::mesh && problem)
    problems.add(path + ".file", *problem);
  if (!std::isnan(d.mass_kg) && !std::isnan(d.density_kg_m3))
    problems.add(path + ".density_kg_m3", "is given beside mass_kg, allowed: one of them", {path + ".mass_kg"});
}

void check_rigid(const std::string& path, const RigidDescription& body, PlacedProblems& problems) {
  check_shape(path, body, problems);
  const Placement& p = body.placement;
  if (body.mount != Mount::fixed || (p.velocity_m_s.isZero(0.0) && p.angular_velocity_rad_s.isZero(0.0))) return;
  problems.add(path + ".mount", "a fixed body cannot have an initial velocity",
               {path + ".velocity_m_s", path + ".angular_velocity_rad_s"});
}

void check_moduli(const std::string& path, const MaterialDescription& material, PlacedProblems& problems) {
  try {
    complete_moduli(material, path);
  } catch (const InputError& error) {
    std::string message = error.what();
    if (message.starts_with(path + ": ")) message.erase(0, path.size() + 2);
    problems.add(path + (std::isnan(material.shear_modulus_pa) ? "" : ".shear_modulus_pa"), message,
                 {path + ".youngs_modulus_pa", path + ".poissons_ratio"});
  }
}

// What only the motion's own rules know, once its keys are good by themselves.
void check_motion(const MotionDescription& motion, PlacedProblems& problems) {
  const std::vector<double>& depths = motion.depths_m;
  const auto given = [&](const char* key) { return problems.root().nearest("motion").find(key) != nullptr; };
  if (depths.empty() && motion.forces_n.empty()) {
    if (given("forces_n")) return problems.add("motion.forces_n", "found an empty array, allowed: one force or more");
    if (given("depths_m")) return problems.add("motion.depths_m", "found an empty array, allowed: one depth or more");
    return problems.add("motion.depths_m", "is missing; expected an array of depths in metres, or forces_n");
  }
  if (!depths.empty() && !motion.forces_n.empty()) {
    return problems.add("motion.forces_n", "depths_m is given too; allowed: one of the two", {"motion.depths_m"});
  }
  if (!motion.forces_n.empty() && (!motion.twist_rad.empty() || !motion.shift_m.empty())) {
    return problems.add(motion.twist_rad.empty() ? "motion.shift_m" : "motion.twist_rad",
                        "goes with depths_m, not with forces_n", {"motion.forces_n"});
  }
  if (motion.slide_m.size() != motion.slide_twist_rad.size()) {
    return problems.add("motion.slide_twist_rad",
                        fmt::format("found {} values, allowed: as many as slide_m has, {}",
                                    motion.slide_twist_rad.size(), motion.slide_m.size()),
                        {"motion.slide_m"});
  }
  if (!motion.forces_n.empty() && !motion.slide_m.empty()) {
    return problems.add("motion.slide_m", "goes with depths_m, not with forces_n", {"motion.forces_n"});
  }
  for (std::size_t i = 1; i < depths.size(); ++i) {
    if (depths[i] > depths[i - 1]) continue;
    return problems.add("motion.depths_m",
                        fmt::format("depths must increase, but {} m follows {} m", depths[i], depths[i - 1]));
  }
  if ((!motion.shift_m.empty() || !motion.slide_m.empty()) &&
      motion.direction.cross(motion.shift_direction).norm() < 1e-6) {
    return problems.add("motion.shift_direction", "is parallel to direction; allowed: any other",
                        {"motion.direction", "motion.shift_m"});
  }
  if (motion.settle_limit_s < motion.settle_window_s) {
    problems.add("motion.settle_limit_s",
                 fmt::format("found {} s, allowed: at least settle_window_s, which is {} s", motion.settle_limit_s,
                             motion.settle_window_s),
                 {"motion.settle_window_s"});
  }
  try {
    PrescribedMotion(motion, 0.0);
  } catch (const InputError& error) {
    const std::string message = error.what();
    const std::size_t key_end = message.starts_with("motion.") ? message.find(": ") : std::string::npos;
    if (key_end == std::string::npos) return problems.add("motion", message);
    problems.add(message.substr(0, key_end), message.substr(key_end + 2), {"motion.depths_m", "motion.twist_rad"});
  }
}

}  // namespace

void check_materials(const Scene& scene, PlacedProblems& problems) {
  for (const auto& [name, material] : scene.model.materials) {
    const std::string path = "material." + name;
    if (!std::isnan(material.relaxation_time_s) && !std::isnan(material.damping_ratio)) {
      problems.add(path + ".damping_ratio", "relaxation_time_s is given too; allowed: one of the two");
    }
    check_moduli(path, material, problems);
  }
  check_friction("contact", scene.model.contact, problems);
  for (const auto& [name, pair] : scene.model.pairs) check_friction("pair." + name, pair.contact, problems);
}

void check_shapes(const Scene& scene, PlacedProblems& problems) {
  for (const auto& [name, body] : scene.model.bodies) {
    const std::string path = "body." + name;
    if (const auto* tip = std::get_if<FingertipDescription>(&body)) check_fingertip(path, *tip, problems);
    if (const auto* block = std::get_if<BlockDescription>(&body)) check_block(path, *block, problems);
    if (const auto* tet = std::get_if<TetDescription>(&body)) check_tet(path, *tet, problems);
    if (const auto* strand = std::get_if<StrandDescription>(&body)) check_strand(path, *strand, problems);
    if (const auto* rigid = std::get_if<RigidDescription>(&body)) check_rigid(path, *rigid, problems);
  }
  for (const auto& [name, part] : scene.model.parts) check_shape("part." + name, part, problems);
  for (const auto& [name, fix] : scene.model.fixes) check_box("fix." + name, fix.min_m, fix.max_m, problems);
  for (const auto& [name, load] : scene.model.loads) check_box("load." + name, load.min_m, load.max_m, problems);
  for (const auto& [name, value] : scene.model.field_values)
    check_box("field_value." + name, value.min_m, value.max_m, problems);
}

void check_time(const Scene& scene, PlacedProblems& problems) {
  const double period = scene.run.control_period_s;
  const double step = scene.model.integrator.time_step_s;
  const IntegratorKind kind = scene.model.integrator.kind;
  const bool explicit_steps = !is_implicit(kind) && kind != IntegratorKind::complementarity;
  constexpr std::string_view kStableStep = ", or less: \"distal check\" without this key prints the stable step";
  if (!std::isnan(step)) {
    constexpr double kMostSteps = 1e6;  // a period
    const double steps = std::max(1.0, std::round(period / step));
    if (steps > kMostSteps) {
      problems.add("integrator.time_step_s",
                   fmt::format("found {} s, allowed: at least a millionth of run.control_period_s, {} s", step,
                               period / kMostSteps),
                   {"run.control_period_s"});
    } else if (std::abs(steps * step - period) > 1e-9 * period) {
      problems.add("integrator.time_step_s",
                   fmt::format("found {} s, which does not divide run.control_period_s = {} s; the largest good value "
                               "below it is {} s{}",
                               step, period, period / std::ceil(period / step), explicit_steps ? kStableStep : ""),
                   {"run.control_period_s"});
    }
  }
  if (scene.run.duration_s < period * (1.0 - 1e-9)) {
    problems.add("run.duration_s",
                 fmt::format("found {} s, allowed: at least one control_period_s, {} s", scene.run.duration_s, period),
                 {"run.control_period_s"});
  }
  if (scene.motion) check_motion(*scene.motion, problems);
}

}  // namespace distal
