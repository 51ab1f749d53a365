// distal check: validate a scene, and say what it would cost before running it.
#include <fmt/format.h>
#include <malloc.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <optional>

#include "distal/commands.hpp"
#include "distal/core/error.hpp"
#include "distal/core/printable.hpp"
#include "distal/model/material_presets.hpp"
#include "distal/patience.hpp"
#include "distal/run/build_simulation.hpp"
#include "distal/scene_options.hpp"
#include "distal/shipped_scenes.hpp"
#include "distal/speed.hpp"
#include "distal/terminal.hpp"

namespace distal {
namespace {

struct CheckArguments {
  std::string scene;
  std::vector<std::string> overrides;
  bool explain = false;
};

constexpr double kSpeedTest_s = 0.5;  // wall time spent on measuring the speed

void print_line(std::string_view name, const std::string& value) {
  fmt::print("{:<17} {}\n", printable(name), printable(value));
}

// Heap memory in use [bytes].
double heap_bytes() {
  const struct mallinfo2 heap = mallinfo2();
  return static_cast<double>(heap.uordblks) + static_cast<double>(heap.hblkhd);
}

void print_quality(const TetQuality& q) {
  print_line("  tetrahedra", fmt::format("{}, dihedral angles {:.3g} to {:.3g} degrees, volumes {:.3g} to {:.3g} mm^3",
                                         q.cells, q.smallest_angle_deg, q.largest_angle_deg, 1e9 * q.smallest_volume_m3,
                                         1e9 * q.largest_volume_m3));
}

void print_soft_body(const SoftBody& body) {
  const Lattice& lattice = body.lattice;
  double mass = 0.0;
  for (const double m : body.mass_kg()) mass += m;
  print_line(fmt::format("body.{}", body.name),
             fmt::format("{}, {:.4g} mm {}, {:.4g} g soft", body.kind, 1e3 * body.spacing_m(),
                         body.tet ? "edges" : "cells", 1e3 * mass));
  print_line("  particles", fmt::format("{}", body.active_nodes()));
  print_line("  springs", fmt::format("{}", body.spring_count()));
  if (body.tet)
    print_quality(measure_quality(body.tet->mesh));
  else if (lattice.kind == LatticeKind::neo_hookean)
    print_line("  cells", fmt::format("{} full, {} cut, {} dropped", lattice.full_cells, lattice.cut.count,
                                      lattice.dropped_cells));
  print_line("  contact samples", fmt::format("{}", body.skin.size()));
  if (body.rod >= 0) print_line("  ligaments", fmt::format("{}", body.ligaments.size()));
}

const char* name_of(Mount mount) {
  switch (mount) {
    case Mount::free:
      return "free";
    case Mount::driven:
      return "driven";
    case Mount::inertia:
      return "with a flange";
    case Mount::fixed:
      return "fixed";
    case Mount::guided:
      return "guided";
    case Mount::jointed:
      return "on a joint";
  }
  return "";
}

std::string describe(const Joint& joint, const Model& model) {
  const JointDrive& d = joint.drive;
  const bool turns = joint.kind == JointKind::revolute;
  const std::string parent = joint.parent < 0 ? "the world" : model.rigid[static_cast<std::size_t>(joint.parent)].name;
  std::string text = fmt::format("{}, {} on {}",
                                 joint.kind == JointKind::weld ? "fixed"
                                 : turns                       ? "turns"
                                                               : "slides",
                                 model.rigid[static_cast<std::size_t>(joint.child)].name, parent);
  if (joint.kind == JointKind::weld) return text;
  text += fmt::format(", {:.4g} to {:.4g} {}", d.lower, d.upper, turns ? "rad" : "m");
  if (joint.mimic >= 0)
    return text + fmt::format(", follows {} by {:.4g} and {:.4g}",
                              model.joints[static_cast<std::size_t>(joint.mimic)].name, d.mimic_factor, d.mimic_offset);
  if (!joint.has_motor()) return text + ", no motor";
  text += fmt::format(", motor {:.4g} {}", d.motor_stiffness, turns ? "N m/rad" : "N/m");
  if (std::isfinite(d.most_effort)) text += fmt::format(" up to {:.4g} {}", d.most_effort, turns ? "N m" : "N");
  return text + (d.targets.empty() ? "" : fmt::format(", path of {} points", d.targets.size()));
}

void print_joints(const Model& model) {
  for (const Joint& joint : model.joints) print_line(fmt::format("joint.{}", joint.name), describe(joint, model));
}

void print_bodies(const Model& model) {
  for (const SoftBody& body : model.soft) print_soft_body(body);
  for (const RigidBody& body : model.rigid) {
    const std::string mass = body.mount == Mount::fixed ? "" : fmt::format(", {:.4g} g", 1e3 * body.mass_kg);
    print_line(fmt::format("body.{}", body.name), fmt::format("rigid, {}{}", name_of(body.mount), mass));
  }
  print_joints(model);
  print_line("contact pairs", fmt::format("{}", model.pairs.size()));
}

void print_materials(const ModelDescription& model) {
  for (const auto& [name, material] : model.materials) {
    const MaterialPreset* preset = find_material_preset(material.preset);
    if (preset == nullptr) continue;
    print_line(fmt::format("material.{}", name), fmt::format("preset {}", preset->name));
    const auto line = [](const char* key, double value, double known, std::string_view source) {
      const bool taken = value == known;
      print_line(fmt::format("  {}", key), taken ? fmt::format("{:.6g}: {}", value, source) : "given by the scene");
    };
    line("E [Pa]", material.youngs_modulus_pa, preset->youngs_modulus_pa, preset->modulus_source);
    line("nu", material.poissons_ratio, preset->poissons_ratio, preset->ratio_source);
    line("density [kg/m^3]", material.density_kg_m3, preset->density_kg_m3, preset->density_source);
  }
}

void print_time_step(const Simulation& simulation) {
  const Model& model = simulation.model();
  if (simulation.first_mode_rad_s() > 0.0)
    print_line("first mode", fmt::format("{:.4g} Hz", simulation.first_mode_rad_s() / (2.0 * std::numbers::pi)));
  const StableStep& stable = simulation.stable_step();
  print_line("stable step", fmt::format("{:.4g} us, limited by {}", 1e6 * stable.step_s, stable.where));
  for (const SoftBody& body : model.soft)
    print_line("paper's limit", fmt::format("{:.4g} us = 1/omega_0 of body.{} (paper 1, II.E)",
                                            1e6 * paper_step_limit(body), body.name));
  const std::string& reason = simulation.integrator_reason();
  print_line("integrator", fmt::format("{}{}{}", name_of(model.integrator.kind), reason.empty() ? "" : ": ", reason));
  print_line("chosen step",
             fmt::format("{:.4g} us: {} steps per control period of {:.4g} ms", 1e6 * simulation.time_step_s(),
                         simulation.state().steps_per_period, 1e3 * model.control_period_s));
}

void print_memory(double bytes, const Model& model) {
  const int particles = model.active_particles();
  if (bytes <= 0.0 || particles == 0) return;
  print_line("memory", fmt::format("{}, {:.0f} bytes a particle", bytes_text(bytes), bytes / particles));
}

// Particles grow like A^-3; explicit steps like A^-1, iterations of implicit ones like A^-0.5
// (docs/models/implicit_steps.md).
void print_real_time_size(const Model& model, double factor) {
  const double power = is_implicit(model.integrator.kind) ? 3.5 : 4.0;
  for (const SoftBody& body : model.soft) {
    const double cell = body.spacing_m() * std::pow(1.0 / factor, 1.0 / power);
    print_line("real time",
               fmt::format("at about body.{}.{} = {:.2g} (estimate: cost goes like the size to the power -{})",
                           body.name, body.tet ? "edge_m" : "cell_size_m", cell, power));
  }
}

void print_speed(const Scene& scene, Simulation& simulation) {
  std::optional<Patience> patience("measuring the speed");
  const Speed speed = measure_speed(scene, simulation, kSpeedTest_s);
  patience.reset();
  if (!speed.problem.empty()) throw InputError("the scene fails in its first moments: " + speed.problem);
  print_line("speed here",
             fmt::format("{:.2f}x real time (measured over {} control periods, {} threads, without recording)",
                         speed.real_time_factor(), speed.periods, simulation.model().threads));
  print_real_time_size(simulation.model(), speed.real_time_factor());
}

int check(const CheckArguments& arguments) {
  if (arguments.explain) fmt::print("{}", explain_scene_keys());
  if (arguments.scene.empty()) {
    if (!arguments.explain) throw InputError("check needs a scene, or --explain; see distal check --help");
    return kDone;
  }
  if (arguments.explain) fmt::print("\n");
  std::optional<Patience> patience("reading the scene");
  const Scene scene = open_scene(arguments.scene, arguments.overrides);
  patience->now("building the bodies and finding their stable step");
  const double before = heap_bytes();
  Simulation simulation = build_simulation(scene);
  const double bytes = heap_bytes() - before;
  patience.reset();
  print_line("scene", scene.model.title.empty() ? scene.file.string() : scene.model.title);
  print_materials(scene.model);
  print_bodies(simulation.model());
  print_memory(bytes, simulation.model());
  print_time_step(simulation);
  print_speed(scene, simulation);
  return kDone;
}

}  // namespace

void add_check_command(CLI::App& program, int& exit_code) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* command = program.add_subcommand("check", "Validate a scene and say what it would cost.");
  add_scene(*command, arguments->scene);
  add_overrides(*command, arguments->overrides);
  command->add_flag("--explain", arguments->explain, "print every key with default, unit, range and meaning");
  command->callback([arguments, &exit_code] { exit_code = check(*arguments); });
}

}  // namespace distal
