// distal bench: speed on this machine.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "distal/commands.hpp"
#include "distal/core/error.hpp"
#include "distal/force/lattice_force.hpp"
#include "distal/shipped_scenes.hpp"
#include "distal/speed.hpp"

namespace distal {
namespace {

using nlohmann::json;

struct BenchArguments {
  std::string scene = "press";
  double seconds = 3.0;
  bool as_json = false;
};

struct KernelRow {
  Precision precision;
  int threads;
  double ns_per_particle;
};

struct SceneRow {
  double cell_size_m;
  Precision precision;
  int particles;
  Speed speed;
};

const char* name_of(Precision precision) { return precision == Precision::float_ ? "float" : "double"; }

// Soft bodies get the cell size; without it the scene stays as it is.
std::vector<std::string> overrides_for(const Scene& scene, double cell_size_m, Precision precision) {
  std::vector<std::string> overrides = {fmt::format("run.precision={}", name_of(precision))};
  for (const auto& [name, body] : scene.model.bodies) {
    if (std::holds_alternative<FingertipDescription>(body) || std::holds_alternative<BlockDescription>(body))
      overrides.push_back(fmt::format("body.{}.cell_size_m={}", name, cell_size_m));
  }
  return overrides;
}

SceneRow measure_scene(const std::filesystem::path& file, double cell_size_m, Precision precision, double seconds) {
  const Scene scene = load_scene(file, overrides_for(load_scene(file), cell_size_m, precision));
  Simulation simulation(scene.model, scene.motion.has_value());
  const Speed speed = measure_speed(scene, simulation, seconds);
  if (!speed.problem.empty()) throw std::runtime_error(fmt::format("{}: {}", file.string(), speed.problem));
  return {cell_size_m, precision, simulation.model().active_particles(), speed};
}

std::vector<KernelRow> measure_kernels() {
  std::vector<KernelRow> rows;
  for (const Precision precision : {Precision::float_, Precision::double_})
    for (const int threads : {1, 2})
      rows.push_back({precision, threads, 1e9 * measure_kernel_s_per_particle(precision, threads)});
  return rows;
}

std::vector<SceneRow> measure_scenes(const BenchArguments& arguments) {
  const std::filesystem::path file = find_scene(arguments.scene);
  std::vector<SceneRow> rows;
  for (const double cell_size_m : {0.002, 0.0015, 0.001})
    for (const Precision precision : {Precision::float_, Precision::double_})
      rows.push_back(measure_scene(file, cell_size_m, precision, arguments.seconds));
  return rows;
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
    result["kernels"].push_back(
        {{"precision", name_of(row.precision)}, {"threads", row.threads}, {"ns_per_particle", row.ns_per_particle}});
  for (const SceneRow& row : scenes)
    result["scenes"].push_back({{"cell_size_m", row.cell_size_m},
                                {"precision", name_of(row.precision)},
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
  fmt::print("lattice forces, block of 40 cells a side\n{:>9}{:>9}{:>16}\n", "precision", "threads", "ns a particle");
  for (const KernelRow& row : kernels)
    fmt::print("{:>9}{:>9}{:>16.2f}\n", name_of(row.precision), row.threads, row.ns_per_particle);
  fmt::print("\n{}: wall time of a control period in ms\n", arguments.scene);
  fmt::print("{:>8}{:>10}{:>11}{:>8}{:>11}{:>9}{:>9}{:>9}{:>16}\n", "cell mm", "precision", "particles", "steps",
             "real time", "median", "99.9 %", "worst", "missed");
  for (const SceneRow& row : scenes) {
    const Speed& speed = row.speed;
    fmt::print("{:>8.3g}{:>10}{:>11}{:>8}{:>10.2f}x{:>9.3f}{:>9.3f}{:>9.3f}{:>16}\n", 1e3 * row.cell_size_m,
               name_of(row.precision), row.particles, speed.steps_per_period, speed.real_time_factor(),
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
      ->check(CLI::Range(0.01, 3600.0))
      ->type_name("N");
  command->add_flag("--json", arguments->as_json, "print JSON instead of tables");
  command->callback([arguments, &exit_code] {
    const std::vector<KernelRow> kernels = measure_kernels();
    const std::vector<SceneRow> scenes = measure_scenes(*arguments);
    arguments->as_json ? print_json(*arguments, kernels, scenes) : print_tables(*arguments, kernels, scenes);
    exit_code = kDone;
  });
}

}  // namespace distal
