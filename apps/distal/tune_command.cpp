// distal tune: gains that critically damp a press, and a scene with them.
#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <numbers>

#include "distal/commands.hpp"
#include "distal/core/error.hpp"
#include "distal/interrupt.hpp"
#include "distal/output_file.hpp"
#include "distal/run/tune.hpp"
#include "distal/scenario/edit_text.hpp"
#include "distal/scene_options.hpp"
#include "distal/shipped_scenes.hpp"
#include "distal/terminal.hpp"

namespace distal {
namespace {

namespace fs = std::filesystem;

struct TuneArguments {
  std::string scene, out, controller;
  std::vector<std::string> overrides;
  bool force = false;
};

void print_trial(const TuneTrial& trial) {
  fmt::print("{:>13.4g}{:>21.4g}{:>15.3f}{:>13.4g}{:>11.3f}{:>9.2g}  {}\n", trial.bandwidth_hz,
             trial.angular_bandwidth_hz, 100.0 * trial.overshoot, 1e3 * trial.settling_s, 100.0 * trial.offset,
             trial.tilt_rad * 180.0 / std::numbers::pi, trial.problem);
  std::fflush(stdout);
}

// Four digits: more would pretend that the search were that fine.
double rounded(double value) { return std::stod(fmt::format("{:.4g}", value)); }

// Does the text load to the scene with these gains and no other change?
bool is_tuned(const std::string& text, const fs::path& place, Scene wanted, const TuneResult& result) {
  for (auto& [name, pid] : wanted.controllers) {
    if (name != result.controller) continue;
    pid.bandwidth_hz = rounded(result.after.bandwidth_hz);
    pid.angular_bandwidth_hz = rounded(result.after.angular_bandwidth_hz);
  }
  try {
    return scene_fingerprint(parse_scene(text, place)) == scene_fingerprint(wanted);
  } catch (const InputError&) {
    return false;  // a file named relative to the scene is not found from another folder
  }
}

// The user's own text with other gains; where it is overridden, or written in a way that cannot be edited so, the
// resolved scene.
std::string tuned_text(const Scene& scene, bool overridden, const TuneResult& result, const fs::path& out) {
  const double linear = rounded(result.after.bandwidth_hz), angular = rounded(result.after.angular_bandwidth_hz);
  std::ifstream stream(scene.file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  const auto edit = [&](std::string_view scene_text) {
    const std::string table = "controller." + result.controller;
    return with_number(with_number(scene_text, table, "bandwidth_hz", linear), table, "angular_bandwidth_hz", angular);
  };
  text = edit(text);
  if (!overridden && is_tuned(text, out, scene, result)) return text;
  print_warning(overridden ? "with --set the scene is written with every value, not as an edit of its file"
                           : "the scene could not be edited in place; every value is written out instead");
  return edit(scene.resolved_toml);
}

void write_file(const fs::path& path, const std::string& text) {
  errno = 0;
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw OutputError(fmt::format("cannot write {}: {}", path.string(), std::strerror(errno)));
}

void refuse_existing(const fs::path& path) {
  if (fs::exists(path))
    throw InputError(
        fmt::format("{} exists. Choose another with --out FILE.toml, or replace it with --force.", path.string()));
}

int run_tune(const TuneArguments& arguments) {
  const fs::path file = find_scene(arguments.scene);
  const fs::path out = arguments.out.empty() ? fs::path(file.stem().string() + "_tuned.toml") : fs::path(arguments.out);
  const fs::path page = fs::path(out).replace_extension(".html");
  if (out.extension() != ".toml")
    throw InputError(fmt::format("--out {}: allowed: a name that ends in .toml", out.string()));
  if (!arguments.force) refuse_existing(out), refuse_existing(page);
  check_output_file("--out", out), check_output_file("--out", page);
  const Scene scene = open_scene(arguments.scene, arguments.overrides);
  TuneOptions options;
  options.controller = arguments.controller;
  options.stop = &watch_interrupts();
  options.after_trial = [first = true](const TuneTrial& trial) mutable {
    if (std::exchange(first, false))
      fmt::print("{:>13}{:>21}{:>15}{:>13}{:>11}{:>9}\n", "bandwidth_hz", "angular_bandwidth_hz", "overshoot [%]",
                 "settling ms", "offset [%]", "tilt [°]");
    print_trial(trial);
  };
  const TuneResult result = tune(scene, options);
  write_file(page, tune_page_html(scene, result));
  if (!result.problem.empty()) {
    print_error(fmt::format("{}. Step responses: {}", result.problem, page.string()));
    return kRunFailed;
  }
  write_file(out, tuned_text(scene, !arguments.overrides.empty(), result, out));
  fmt::print("\nbefore\n");
  print_trial(result.before);
  fmt::print("after\n");
  print_trial(result.after);
  say("{} runs with the new gains; step responses: {}\n", out.string(), page.string());
  return kDone;
}

}  // namespace

void add_tune_command(CLI::App& program, int& exit_code) {
  auto arguments = std::make_shared<TuneArguments>();
  CLI::App* command = program.add_subcommand("tune", "Find controller gains that critically damp the press.");
  add_scene(*command, arguments->scene)->required();
  command->add_option("--out", arguments->out, "scene to write; SCENE_tuned.toml here when not given")
      ->type_name("FILE.toml")
      ->check(not_empty());
  add_overrides(*command, arguments->overrides);
  command->add_option("--controller", arguments->controller, "which one, where the scene has several")
      ->type_name("NAME");
  command->add_flag("--force", arguments->force, "replace files that exist");
  command->callback([arguments, &exit_code] { exit_code = run_tune(*arguments); });
}

}  // namespace distal
