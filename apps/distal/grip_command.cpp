// distal grip: the least force with which a grip lifts and holds its object.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "distal/commands.hpp"
#include "distal/core/error.hpp"
#include "distal/interrupt.hpp"
#include "distal/run/grip.hpp"
#include "distal/scene_options.hpp"
#include "distal/shipped_scenes.hpp"
#include "distal/terminal.hpp"

namespace distal {
namespace {

namespace fs = std::filesystem;

struct GripArguments {
  std::string scene, out;
  std::vector<std::string> overrides;
  GripOptions options;
  bool force = false;
};

void print_grip_trial(const GripTrial& trial) {
  fmt::print("{:>12.5g}{:>8}{:>12.4g}{:>12.4g}{:>10.3f}  {}\n", trial.force_n, trial.holds ? "yes" : "no",
             1e3 * trial.fall_m, 1e6 * trial.drift_m, trial.end_s, trial.problem);
  std::fflush(stdout);
}

nlohmann::json json_of(const GripResult& result, const Scene& scene) {
  nlohmann::json trials = nlohmann::json::array();
  for (const GripTrial& trial : result.trials)
    trials.push_back({{"force_n", trial.force_n},
                      {"holds", trial.holds},
                      {"fall_m", trial.fall_m},
                      {"drift_m", trial.drift_m},
                      {"end_s", trial.end_s},
                      {"problem", trial.problem}});
  nlohmann::json json = {{"scene", scene.file.filename().string()},
                         {"object", result.object},
                         {"mass_kg", result.mass_kg},
                         {"static_friction", result.static_friction},
                         {"theory_n", result.theory_n},
                         {"theory_lifting_n", result.lifting_n},
                         {"problem", result.problem},
                         {"trials", trials}};
  if (result.problem.empty()) json["minimum_n"] = result.minimum_n, json["slips_n"] = result.slips_n;
  return json;
}

std::string csv_of(const GripResult& result) {
  std::string text = "force_n,holds,fall_m,drift_m,end_s\n";
  for (const GripTrial& trial : result.trials)
    text +=
        fmt::format("{},{},{},{},{}\n", trial.force_n, trial.holds ? 1 : 0, trial.fall_m, trial.drift_m, trial.end_s);
  return text;
}

void write_grip_file(const fs::path& path, const std::string& text) {
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw OutputError(fmt::format("cannot write {}", path.string()));
}

int run_grip(const GripArguments& arguments) {
  const fs::path json = arguments.out.empty() ? fs::path("grip.json") : fs::path(arguments.out);
  const fs::path csv = fs::path(json).replace_extension(".csv");
  if (json.extension() != ".json")
    throw InputError(fmt::format("--out {}: allowed: a name that ends in .json", json.string()));
  for (const fs::path& path : {json, csv})
    if (!arguments.force && fs::exists(path))
      throw InputError(
          fmt::format("{} exists. Choose another with --out FILE.json, or replace it with --force.", path.string()));
  const Scene scene = open_scene(arguments.scene, arguments.overrides);
  GripOptions options = arguments.options;
  options.stop = &watch_interrupts();
  options.after_trial = [first = true](const GripTrial& trial) mutable {
    if (std::exchange(first, false))
      fmt::print("{:>12}{:>8}{:>12}{:>12}{:>10}\n", "force [N]", "holds", "fall [mm]", "drift [um]", "until [s]");
    print_grip_trial(trial);
  };
  const GripResult result = find_grip(scene, options);
  write_grip_file(json, json_of(result, scene).dump(2) + "\n");
  write_grip_file(csv, csv_of(result));
  if (!result.problem.empty()) {
    print_error(fmt::format("{}. All trials: {}", result.problem, csv.string()));
    return kRunFailed;
  }
  fmt::print("\nminimum            {:>10.5g} N  ({:.5g} N slips)\n", result.minimum_n, result.slips_n);
  fmt::print("m g / (n mu_s)     {:>10.5g} N  ({:.5g} kg, mu_s {:.4g}, {} fingers)\n", result.theory_n, result.mass_kg,
             result.static_friction, options.controllers.size());
  fmt::print("while accelerating {:>10.5g} N\n", result.lifting_n);
  say("{} and {} hold all trials\n", json.string(), csv.string());
  return kDone;
}

}  // namespace

void add_grip_command(CLI::App& program, int& exit_code) {
  auto arguments = std::make_shared<GripArguments>();
  GripOptions& options = arguments->options;
  CLI::App* command = program.add_subcommand("grip", "Find the least force with which a grip lifts and holds.");
  add_scene(*command, arguments->scene)->required();
  command->add_option("--controllers", options.controllers, "fingers of the grip, of type squeeze")
      ->type_name("NAME,NAME")
      ->delimiter(',')
      ->required();
  command->add_option("--object", options.object, "what is lifted, where the scene has several free bodies")
      ->type_name("NAME");
  command->add_option("--low", options.low_n, "force that is too small [N]; 0 when not given")->type_name("F");
  command->add_option("--high", options.high_n, "force that holds [N]; twice the scene's when not given")
      ->type_name("F");
  command->add_option("--drop", options.drop_m, "a larger fall after the lift is a slip [m]")
      ->type_name("D")
      ->capture_default_str();
  command->add_option("--out", arguments->out, "results, with a .csv beside it; grip.json here when not given")
      ->type_name("FILE.json")
      ->check(not_empty());
  add_overrides(*command, arguments->overrides);
  command->add_flag("--force", arguments->force, "replace files that exist");
  command->callback([arguments, &exit_code] { exit_code = run_grip(*arguments); });
}

}  // namespace distal
