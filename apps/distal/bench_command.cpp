// distal bench: speed on this machine.
#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "distal/commands.hpp"
#include "distal/core/error.hpp"
#include "distal/math/instruction_set.hpp"
#include "distal/output_file.hpp"
#include "distal/record/line_plot.hpp"
#include "distal/run/build_simulation.hpp"
#include "distal/scene_options.hpp"
#include "distal/shipped_scenes.hpp"
#include "distal/speed.hpp"

namespace distal {
namespace {

using nlohmann::json;

struct BenchArguments {
  std::string scene = "press";
  double seconds = 3.0;
  bool as_json = false, map = false;
  std::string svg;
};

struct KernelRow {
  const char* what;
  Precision precision;
  int threads;
  double ns_per_particle;
};

// The scene's own choice, or explicit steps in single precision.
struct Way {
  const char* name;
  std::vector<std::string> overrides;
};
const std::vector<Way> kWays = {{"auto", {"integrator.kind=auto"}},
                                {"explicit", {"integrator.kind=semi_implicit_euler", "run.precision=float"}}};

struct SceneRow {
  double cell_size_m;
  std::string way, integrator;
  int particles;
  Speed speed;
};

const char* name_of(Precision precision) { return precision == Precision::float_ ? "float" : "double"; }

// Soft bodies get the cell size.
SceneRow measure_scene(const std::filesystem::path& file, double cell_size_m, const Way& way, double seconds,
                       std::vector<std::string> overrides = {}) {
  overrides.insert(overrides.end(), way.overrides.begin(), way.overrides.end());
  for (const auto& [name, body] : load_scene(file).model.bodies)
    if (std::holds_alternative<FingertipDescription>(body) || std::holds_alternative<BlockDescription>(body))
      overrides.push_back(fmt::format("body.{}.cell_size_m={}", name, cell_size_m));
    else if (std::holds_alternative<TetDescription>(body))
      overrides.push_back(fmt::format("body.{}.edge_m={}", name, cell_size_m));
  const Scene scene = load_scene(file, overrides);
  Simulation simulation = build_simulation(scene);
  const Speed speed = measure_speed(scene, simulation, seconds);
  if (!speed.problem.empty()) throw std::runtime_error(fmt::format("{}: {}", file.string(), speed.problem));
  return {cell_size_m, way.name, std::string(name_of(simulation.model().integrator.kind)),
          simulation.model().active_particles(), speed};
}

std::vector<KernelRow> measure_kernels() {
  std::vector<KernelRow> rows;
  for (const Precision precision : {Precision::float_, Precision::double_})
    for (const int threads : {1, 2})
      rows.push_back({"forces", precision, threads, 1e9 * measure_kernel_s_per_particle(precision, threads)});
  for (const int threads : {1, 2})
    rows.push_back({"solver iteration", Precision::float_, threads, 1e9 * measure_iteration_s_per_particle(threads)});
  return rows;
}

std::vector<SceneRow> measure_scenes(const BenchArguments& arguments) {
  const std::filesystem::path file = find_scene(arguments.scene);
  std::vector<SceneRow> rows;
  for (const double cell_size_m : {0.002, 0.0015, 0.001})
    for (const Way& way : kWays) rows.push_back(measure_scene(file, cell_size_m, way, arguments.seconds));
  return rows;
}

// Real-time factor over stiffness and cell size, for the first material of the scene.
constexpr double kModuli_pa[] = {4e3, 30e3, 100e3, 680e3, 2e6};
constexpr double kCells_m[] = {0.003, 0.0025, 0.002, 0.0015, 0.001};

void print_map(const BenchArguments& arguments) {
  const std::filesystem::path file = find_scene(arguments.scene);
  const Scene scene = load_scene(file);
  if (scene.model.materials.empty()) throw InputError("bench --map needs a scene with a material");
  const std::string material = scene.model.materials.begin()->first;
  LinePlot plot{"Real-time factor over cell size", {"cell size", "m"}, {"real-time factor", ""}, {}};
  fmt::print("{}: real-time factor and conjugate-gradient iterations a period, {} cores\n{:>10}", arguments.scene,
             std::thread::hardware_concurrency(), "E, kPa");
  for (const double cell_m : kCells_m) fmt::print("{:>13.3g} mm", 1e3 * cell_m);
  fmt::print("\n");
  int color = 0;
  for (const double modulus_pa : kModuli_pa) {
    PlotLine line{fmt::format("{:.0f} kPa", 1e-3 * modulus_pa), color++, false, true, {}};
    fmt::print("{:>10.0f}", 1e-3 * modulus_pa);
    for (const double cell_m : kCells_m) {
      const SceneRow row = measure_scene(file, cell_m, kWays.front(), arguments.seconds,
                                         {fmt::format("material.{}.youngs_modulus_pa={}", material, modulus_pa)});
      fmt::print("{:>10.2f}x{:>4.0f} ", row.speed.real_time_factor(), row.speed.iterations);
      std::fflush(stdout);
      line.points.emplace_back(cell_m, row.speed.real_time_factor());
    }
    fmt::print("\n");
    plot.lines.push_back(line);
  }
  plot.lines.push_back({"real time", 7, true, false, {{kCells_m[4], 1.0}, {kCells_m[0], 1.0}}});
  if (arguments.svg.empty()) return;
  errno = 0;
  std::ofstream file_out(arguments.svg);
  file_out << line_plot_file(plot);
  file_out.close();
  if (!file_out) throw OutputError(fmt::format("cannot write {}: {}", arguments.svg, std::strerror(errno)));
}

void print_json(const BenchArguments& arguments, const std::vector<KernelRow>& kernels,
                const std::vector<SceneRow>& scenes) {
  json result = {{"version", DISTAL_VERSION},
                 {"instruction_set", kernel_instruction_set()},
                 {"cores", std::thread::hardware_concurrency()},
                 {"scene", arguments.scene},
                 {"kernels", json::array()},
                 {"scenes", json::array()}};
  for (const KernelRow& row : kernels)
    result["kernels"].push_back({{"what", row.what},
                                 {"precision", name_of(row.precision)},
                                 {"threads", row.threads},
                                 {"ns_per_particle", row.ns_per_particle}});
  for (const SceneRow& row : scenes)
    result["scenes"].push_back({{"cell_size_m", row.cell_size_m},
                                {"way", row.way},
                                {"integrator", row.integrator},
                                {"newton_per_period", row.speed.newton},
                                {"iterations_per_period", row.speed.iterations},
                                {"particles", row.particles},
                                {"steps_per_period", row.speed.steps_per_period},
                                {"periods", row.speed.periods},
                                {"real_time_factor", row.speed.real_time_factor()},
                                {"median_s", row.speed.median_s},
                                {"p99_9_s", row.speed.p999_s},
                                {"worst_s", row.speed.worst_s},
                                {"missed_deadlines", row.speed.missed}});
  fmt::print("{}\n", result.dump(2));
}

void print_tables(const BenchArguments& arguments, const std::vector<KernelRow>& kernels,
                  const std::vector<SceneRow>& scenes) {
  fmt::print("distal {}, {} cores, {}\n\n", DISTAL_VERSION, std::thread::hardware_concurrency(),
             kernel_instruction_set());
  fmt::print("lattice, block of 40 cells a side\n{:>16}{:>11}{:>9}{:>16}\n", "", "precision", "threads",
             "ns a particle");
  for (const KernelRow& row : kernels)
    fmt::print("{:>16}{:>11}{:>9}{:>16.2f}\n", row.what, name_of(row.precision), row.threads, row.ns_per_particle);
  fmt::print("\n{}: wall time of a control period in ms\n", arguments.scene);
  fmt::print("{:>8}{:>21}{:>11}{:>7}{:>12}{:>11}{:>9}{:>9}{:>9}{:>14}\n", "cell mm", "integrator", "particles", "steps",
             "iterations", "real time", "median", "99.9 %", "worst", "missed");
  for (const SceneRow& row : scenes) {
    const Speed& speed = row.speed;
    fmt::print("{:>8.3g}{:>21}{:>11}{:>7}{:>12.1f}{:>10.2f}x{:>9.3f}{:>9.3f}{:>9.3f}{:>14}\n", 1e3 * row.cell_size_m,
               row.integrator, row.particles, speed.steps_per_period, speed.iterations, speed.real_time_factor(),
               1e3 * speed.median_s, 1e3 * speed.p999_s, 1e3 * speed.worst_s,
               fmt::format("{} of {}", speed.missed, speed.periods));
  }
}

}  // namespace

void add_bench_command(CLI::App& program, int& exit_code) {
  auto arguments = std::make_shared<BenchArguments>();
  CLI::App* command = program.add_subcommand("bench", "Measure the speed on this machine.");
  command->add_option("--scene", arguments->scene, "scene to run; its soft bodies get three cell sizes")
      ->capture_default_str()
      ->type_name("SCENE.toml");
  command->add_option("--seconds", arguments->seconds, "longest wall time for each row of the scene")
      ->capture_default_str()
      ->check(number_within(0.01, 3600.0))
      ->type_name("N");
  command->add_flag("--json", arguments->as_json, "print JSON instead of tables");
  CLI::Option* map =
      command->add_flag("--map", arguments->map, "instead: real-time factor over stiffness and cell size");
  command->add_option("--svg", arguments->svg, "with --map: also draw it")->type_name("FILE.svg")->needs(map);
  command->callback([arguments, &exit_code] {
    exit_code = kDone;
    load_scene(find_scene(arguments->scene));  // errors first, before minutes of measuring
    if (!std::isfinite(arguments->seconds)) throw InputError("--seconds: is no number, allowed: 0.01 to 3600");
    if (!arguments->svg.empty()) check_output_file("--svg", arguments->svg);
    if (arguments->map) return print_map(*arguments);
    const std::vector<KernelRow> kernels = measure_kernels();
    const std::vector<SceneRow> scenes = measure_scenes(*arguments);
    arguments->as_json ? print_json(*arguments, kernels, scenes) : print_tables(*arguments, kernels, scenes);
    exit_code = kDone;
  });
}

}  // namespace distal
