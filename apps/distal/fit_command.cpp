// distal fit: values of a scene's keys from measurements.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "distal/commands.hpp"
#include "distal/core/error.hpp"
#include "distal/interrupt.hpp"
#include "distal/progress_display.hpp"
#include "distal/record/output_folder.hpp"
#include "distal/scenario/edit_text.hpp"
#include "distal/scene_options.hpp"
#include "distal/shipped_scenes.hpp"
#include "distal/study/delimited_text.hpp"
#include "distal/study/fit.hpp"
#include "distal/terminal.hpp"

namespace distal {
namespace {

namespace fs = std::filesystem;

struct FitArguments {
  std::string scene, data, out, body, sensor, range;
  std::vector<std::string> keys, columns, overrides;
  int jobs = 0, surface = FitOptions{}.surface;
  bool relative = false, force = false, quiet = false;
};

constexpr const char* kFitFiles[] = {"fit.html", "fit.json", "fit.csv", "fitted.toml"};

// Six digits: more than any fit knows.
double six_digits(double value) { return std::stod(fmt::format("{:.6g}", value)); }

void read_range(const std::string& text, MeasurementOptions& options) {
  if (text.empty()) return;
  const std::vector<std::string> ends = split_cells(text, ':');
  try {
    if (ends.size() != 2) throw std::invalid_argument("range");
    if (!ends[0].empty()) options.low = std::stod(ends[0]);
    if (!ends[1].empty()) options.high = std::stod(ends[1]);
  } catch (const std::logic_error&) {
    throw InputError(fmt::format("--range {}: expected low:high, either may be left out", text));
  }
  if (!(options.low < options.high))
    throw InputError(fmt::format("--range {}: the lower end is not below the upper end", text));
}

// The material that a tensile test is of: that of the fitted keys.
std::string material_of(const std::vector<FitParameter>& parameters) {
  constexpr std::string_view kStart = "material.";
  std::string material;
  for (const FitParameter& parameter : parameters) {
    const std::string& section = parameter.key.section;
    const std::string name = section.starts_with(kStart) ? section.substr(kStart.size()) : "";
    if (name.empty() || (!material.empty() && name != material)) return "";
    material = name;
  }
  return material;
}

// The user's own text with the fitted values; where it is overridden, or written in a way that cannot be edited so, the
// resolved scene.
std::string fitted_text(const Scene& scene, const FitOptions& options, const FitResult& result, const fs::path& place) {
  std::vector<std::string> overrides = options.overrides;
  std::string edited = options.scene_text;
  for (const FittedParameter& one : result.parameters) {
    const SceneNumber& key = one.parameter.key;
    edited = with_number(edited, key.section, key.name, six_digits(one.value));
    overrides.push_back(fmt::format("{}={}", key.key, six_digits(one.value)));
  }
  const Scene wanted = parse_scene(options.scene_text, scene.file, overrides);
  try {
    if (options.overrides.empty() && scene_fingerprint(parse_scene(edited, place)) == scene_fingerprint(wanted))
      return edited;
  } catch (const InputError&) {}  // a file named relative to the scene is not found from another folder
  print_warning(options.overrides.empty()
                    ? "the scene could not be edited in place; every value is written out instead"
                    : "with --set the scene is written with every value, not as an edit of its file");
  return wanted.resolved_toml;
}

void print_fit(const FitResult& result) {
  std::size_t width = 3;
  for (const FittedParameter& one : result.parameters) width = std::max(width, one.parameter.key.key.size());
  fmt::print("{:<{}}  {:>12}  {:>12} {:>12}  {:>12}\n", "key", width, "fitted", "95 % from", "to", "before");
  for (const FittedParameter& one : result.parameters)
    fmt::print("{:<{}}  {:>12.6g}  {:>12.6g} {:>12.6g}  {:>12.6g}\n", one.parameter.key.key, width, one.value, one.low,
               one.high, one.start);
  for (const FitQuality& one : result.qualities)
    fmt::print("{}: {} points, RMSE {:.4g} = {:.3g} % of the largest; {:.4g} before\n", one.name, one.count, one.rmse,
               100.0 * one.normalised_rmse, one.start_rmse);
  if (const auto& points = result.points)
    fmt::print("points: {}, RMSE {:.4g} m = {:.3g} % of their RMS displacement; {:.4g} m before\n", points->count,
               points->rmse_m, 100.0 * points->over_displacement(), points->start_rmse_m);
}

void refuse_existing_fit(const fs::path& out) {
  for (const char* name : kFitFiles)
    if (fs::exists(out / name))
      throw InputError(fmt::format("{} exists. Choose another folder with --out DIR, or replace it with --force.",
                                   (out / name).string()));
}

// A fit that is refused leaves no empty folders behind.
class NewFolder {
 public:
  explicit NewFolder(fs::path path) {
    for (; !path.empty() && !fs::exists(path); path = path.parent_path()) missing_.push_back(path);
  }
  ~NewFolder() {
    std::error_code not_empty;
    for (const fs::path& path : missing_) fs::remove(path, not_empty);
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

 private:
  std::vector<fs::path> missing_;  // innermost first
};

std::function<void(const FitProgress&)> progress_on(ProgressDisplay& display) {
  return [&display](const FitProgress& progress) {
    const double share =
        static_cast<double>(progress.runs) / static_cast<double>(std::max(progress.expected_runs, progress.runs + 1));
    display.show(
        share,
        fmt::format("{}: run {} of about {}{}", progress.phase, progress.runs,
                    std::max(progress.expected_runs, progress.runs),
                    std::isnan(progress.best_rmse) ? "" : fmt::format(", RMSE {:.3g} %", 100.0 * progress.best_rmse)));
  };
}

int run_fit(const FitArguments& arguments) {
  FitOptions options;
  const fs::path file = find_scene(arguments.scene);
  const fs::path out =
      arguments.out.empty() ? fs::path("out") / (file.stem().string() + "_fit") : fs::path(arguments.out);
  const Scene scene = load_scene(file, arguments.overrides);
  options.scene_text = load_text_file(file);
  options.overrides = arguments.overrides;
  options.data_file = arguments.data;
  options.jobs = arguments.jobs;
  options.surface = arguments.surface;
  options.stop = &watch_interrupts();
  std::vector<FitParameter> parameters;
  for (const std::string& key : arguments.keys) parameters.push_back(parse_fit_parameter(scene, key));
  const LabTable table{fs::path(arguments.data)};
  const LabData data(table, split_column_choices(arguments.columns));
  MeasurementOptions wanted;
  read_range(arguments.range, wanted);
  wanted.relative = arguments.relative;
  wanted.body = arguments.body;
  wanted.sensor = arguments.sensor;
  wanted.material = material_of(parameters);
  const std::unique_ptr<Measurement> measurement = make_measurement(scene, data, wanted);
  if (!arguments.force) refuse_existing_fit(out);
  const NewFolder new_folder(out);
  const OutputFolder folder(out, true);
  ProgressDisplay display;
  if (!arguments.quiet && !measurement->is_formula()) options.progress = progress_on(display);
  const FitResult result = fit(scene, *measurement, parameters, options);
  display.clear();
  folder.write_file("fit.html",
                    fit_page_html(scene.model.title.empty() ? file.filename().string() : scene.model.title, result));
  folder.write_file("fit.json", fit_json(result));
  folder.write_file("fit.csv", fit_table_csv(result));
  folder.write_file("fitted.toml", fitted_text(scene, options, result, out / "fitted.toml"));
  print_fit(result);
  for (const std::string& note : result.notes) print_warning(note);
  if (!arguments.quiet)
    say("{} runs with the fitted values\nOpen {}\n", (out / "fitted.toml").string(), (out / "fit.html").string());
  return kDone;
}

}  // namespace

void add_fit_command(CLI::App& program, int& exit_code) {
  auto arguments = std::make_shared<FitArguments>();
  CLI::App* command = program.add_subcommand("fit", "Find values of a scene's keys from measurements.");
  add_scene(*command, arguments->scene)->required();
  command->add_option("data", arguments->data, "table with names, units and numbers")
      ->type_name("DATA.csv")
      ->required();
  command->add_option("--fit", arguments->keys, "a number of the scene, and where to look for it")
      ->type_name("KEY[=LOW:HIGH]")
      ->allow_extra_args(false)
      ->required();
  command
      ->add_option("--columns", arguments->columns,
                   "which column is what: force=\"Load (N)\",depth=\"Extension (mm)\"; known names are found without")
      ->type_name("WHAT=HEADER")
      ->allow_extra_args(false);
  command->add_option("--range", arguments->range, "of the abscissa in SI units: other points are left out")
      ->type_name("LOW:HIGH");
  command->add_flag("--relative", arguments->relative, "count each residual as a share of its own value");
  command->add_option("--body", arguments->body, "whose values over time were measured")->type_name("NAME");
  command->add_option("--sensor", arguments->sensor, "whose points were measured")->type_name("NAME");
  add_overrides(*command, arguments->overrides);
  command->add_option("--out", arguments->out, "folder for fit.html, fit.json, fit.csv and fitted.toml")
      ->type_name("DIR")
      ->check(not_empty());
  command->add_option("--surface", arguments->surface, "cells along each side of the error surfaces; 0: none")
      ->check(CLI::Range(0, 100))
      ->type_name("N");
  command->add_option("--jobs", arguments->jobs, "runs at a time; one a core when not given")
      ->check(CLI::Range(1, 1024))
      ->type_name("N");
  command->add_flag("--force", arguments->force, "replace files that exist");
  command->add_flag("--quiet", arguments->quiet, "errors and notes only");
  command->callback([arguments, &exit_code] { exit_code = run_fit(*arguments); });
}

}  // namespace distal
