// distal sweep: many runs of a scene with other values each, into one table.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "distal/commands.hpp"
#include "distal/core/error.hpp"
#include "distal/interrupt.hpp"
#include "distal/progress_display.hpp"
#include "distal/scene_options.hpp"
#include "distal/shipped_scenes.hpp"
#include "distal/study/child_pool.hpp"
#include "distal/study/sweep.hpp"
#include "distal/terminal.hpp"

namespace distal {
namespace {

namespace fs = std::filesystem;

struct SweepArguments {
  std::string scene, out, list;
  std::vector<std::string> values, measures;
  int jobs = 0;
  bool force = false, keep_runs = false, quiet = false;
};

SweepGrid grid_of(const SweepArguments& arguments) {
  std::vector<SweepAxis> axes;
  if (!arguments.list.empty()) axes.push_back(load_sweep_list(arguments.list));
  for (const std::string& text : arguments.values) axes.push_back(parse_sweep_values(text));
  if (axes.empty())
    throw InputError(
        "a sweep needs values: --set key=a,b,c or key=start:stop:count[:log], or --list FILE.csv; see distal sweep "
        "--help");
  return SweepGrid(std::move(axes));
}

std::string progress_text(const SweepProgress& progress) {
  std::string text = fmt::format("{} of {} runs", progress.finished, progress.runs);
  if (progress.failed > 0) text += fmt::format(", {} not done", progress.failed);
  if (progress.left_s >= 0.0) text += fmt::format("  {} left", duration_text(progress.left_s));
  return text;
}

// How many ended in each way but the good one: "2 failed, 1 crashed".
std::string not_done_text(const RunRecords& records) {
  std::map<std::string, int> counts;
  for (const auto& [run, record] : records)
    if (record.status != "done") ++counts[record.status];
  std::string text;
  for (const auto& [status, count] : counts) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, status);
  return text;
}

int report(const SweepResult& result, const SweepGrid& grid, const fs::path& out, bool quiet) {
  if (result.interrupted) {
    print_warning(fmt::format("interrupted after {} of {} runs, which are kept; the same command goes on from there",
                              result.records.size(), grid.size()));
    return kRunFailed;
  }
  const std::string not_done = not_done_text(result.records);
  if (!quiet) {
    if (result.found > 0) say("{} runs were finished before\n", result.found);
    say("{} runs{}; table: {}\nOpen {}\n", result.records.size(), not_done.empty() ? ", all done" : ": " + not_done,
        (out / "table.csv").string(), (out / "sweep.html").string());
  }
  if (not_done.empty()) return kDone;
  const bool lost = std::any_of(result.records.begin(), result.records.end(),
                                [](const auto& entry) { return entry.second.status == kLostRun; });
  print_error(fmt::format("{} of {} runs; the table says why{}", not_done, result.records.size(),
                          lost ? ", the same command repeats what is lost" : ""));
  return kRunFailed;
}

int run_sweep(const SweepArguments& arguments) {
  const SweepGrid grid = grid_of(arguments);
  SweepOptions options;
  options.scene = find_scene(arguments.scene);
  options.out =
      arguments.out.empty() ? fs::path("out") / (options.scene.stem().string() + "_sweep") : fs::path(arguments.out);
  options.measures = arguments.measures;
  options.jobs = arguments.jobs > 0 ? arguments.jobs : usable_cores();
  options.force = arguments.force;
  options.keep_runs = arguments.keep_runs;
  options.version = DISTAL_VERSION;
  options.stop = &watch_interrupts();
  ProgressDisplay display;
  if (!arguments.quiet) {
    say("{} runs, {} at a time\n", grid.size(), options.jobs);
    options.progress = [&display](const SweepProgress& progress) {
      display.show(static_cast<double>(progress.finished) / static_cast<double>(progress.runs),
                   progress_text(progress));
    };
  }
  const SweepResult result = sweep(grid, options);
  display.clear();
  return report(result, grid, options.out, arguments.quiet);
}

}  // namespace

void add_sweep_command(CLI::App& program, int& exit_code) {
  auto arguments = std::make_shared<SweepArguments>();
  CLI::App* command = program.add_subcommand("sweep", "Run a scene with many values, on all cores, into one table.");
  add_scene(*command, arguments->scene)->required();
  command
      ->add_option("--set", arguments->values,
                   "values of a key: a,b,c or start:stop:count[:log]; every combination of all lists is run")
      ->type_name("KEY=VALUES")
      ->allow_extra_args(false);
  command->add_option("--list", arguments->list, "CSV with keys in the first line; each further line a set of values")
      ->type_name("FILE.csv");
  command
      ->add_option("--measure", arguments->measures,
                   "column of the table, a number of summary.json such as bodies.finger.peak.contact.force_n")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command->add_option("--out", arguments->out, "folder for ledger, table and page; out/<scene name>_sweep otherwise")
      ->type_name("DIR")
      ->check(not_empty());
  command->add_option("--jobs", arguments->jobs, "runs at a time; one a core when not given")
      ->check(CLI::Range(1, 1024))
      ->type_name("N");
  command->add_flag("--keep-runs", arguments->keep_runs, "keep all results of every run in DIR/runs");
  command->add_flag("--force", arguments->force, "begin anew in a folder that holds a sweep");
  command->add_flag("--quiet", arguments->quiet, "errors and notes only");
  command->callback([arguments, &exit_code] { exit_code = run_sweep(*arguments); });
}

}  // namespace distal
