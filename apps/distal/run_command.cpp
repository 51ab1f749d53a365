// distal run: a scene from file to results.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "distal/commands.hpp"
#include "distal/core/error.hpp"
#include "distal/interrupt.hpp"
#include "distal/loops_text.hpp"
#include "distal/progress_display.hpp"
#include "distal/run/run_scene.hpp"
#include "distal/scene_options.hpp"
#include "distal/sensor/limit_surface.hpp"
#include "distal/shipped_scenes.hpp"
#include "distal/terminal.hpp"
#include "distal/view/watcher.hpp"
#include "distal/view_options.hpp"

namespace distal {
namespace {

struct RunArguments {
  std::string scene;
  std::vector<std::string> overrides;
  std::string out, resume;
  double checkpoint_every_s = 0.0;
  bool force = false, realtime = false, quiet = false, view = false;
  ViewServerOptions server;
};

// What limits explicit steps, also where an implicit scheme passes it.
void print_step(const Simulation& simulation) {
  if (simulation.model().soft.empty()) return;
  double paper_s = INFINITY;
  for (const SoftBody& body : simulation.model().soft) paper_s = std::min(paper_s, paper_step_limit(body));
  say("{}, step {:.4g} us; stable step {:.4g} us, 1/omega_0 = {:.4g} us (paper 1)\n",
      name_of(simulation.model().integrator.kind), 1e6 * simulation.time_step_s(),
      1e6 * simulation.stable_step().step_s, 1e6 * paper_s);
}

void print_result(const RunResult& result) {
  const auto line = [](const char* name, const std::string& value) { say("  {:<20}{}\n", name, value); };
  const double wall = result.wall_s;
  line("simulated",
       fmt::format("{:.4g} s in {:.3g} s: {:.2f}x real time", result.simulated_s, wall, result.real_time_factor));
  line("particles, step", fmt::format("{}, {:.3g} us", result.particles, 1e6 * result.time_step_s));
  line("peak contact force", fmt::format("{:.4g} N", result.peak_contact_force_n));
  if (result.deepest_m > 0.0) line("deepest", fmt::format("{:.4g} mm", 1e3 * result.deepest_m));
  line("wrench closure", fmt::format("{:.1e}", result.largest_closure_residual));
  line("energy residual", fmt::format("{:.2g} % of the work", 100.0 * result.energy_residual));
  if (result.integrator_share > 0.0)
    line("taken by scheme", fmt::format("{:.2g} % of the work", 100.0 * result.integrator_share));
  if (const LimitSurface surface = find_limit_surface(result.curve); !surface.points.empty())
    line("limit surface",
         fmt::format("ellipsoid off by {:+.1f} % with its own axes, {:+.1f} % Winkler, {:+.1f} % Hertz",
                     100.0 * surface.deviation(surface.measured_m()), 100.0 * surface.deviation(surface.winkler_m()),
                     100.0 * surface.deviation(surface.hertz_m())));
  if (!result.devices.empty()) print_loops(result.devices.front().loops);
  line("final state", result.final_state_hash);
}

int finish(const RunResult& result, bool quiet) {
  const char* status = result.status == RunStatus::done          ? "done"
                       : result.status == RunStatus::interrupted ? "interrupted; the record is complete up to here"
                                                                 : "failed; the results so far are kept";
  if (!quiet) {
    say("{}\n", bold(status));
    print_result(result);
  }
  for (const std::string& note : result.notes) print_warning(note);
  if (result.status == RunStatus::failed) print_error(result.message);
  if (!quiet) say("Open {}\n", (result.out / "report.html").string());
  return result.status == RunStatus::done ? kDone : kRunFailed;
}

// The clock is then kept by whoever watches, as viewers may change the speed; but a hand on a device has its own.
RunResult run_watched(const Scene& scene, RunOptions options, const RunArguments& arguments) {
  ViewServer server(arguments.server);
  WatcherOptions wanted;
  wanted.version = DISTAL_VERSION;
  wanted.paces = !options.realtime || scene.devices.empty();
  wanted.speed = options.realtime && wanted.paces ? 1.0 : 0.0;
  wanted.stop = options.stop;
  Watcher watcher(server, wanted);
  options.onlooker = &watcher;
  const bool realtime = options.realtime;
  options.realtime = realtime && !wanted.paces;
  announce_view(server, arguments.quiet);
  RunResult result = run_scene(scene, options);
  if (realtime && watcher.late_periods() > 0)
    result.notes.push_back(fmt::format("{} periods ended after their deadline", watcher.late_periods()));
  return result;
}

int run(const RunArguments& arguments) {
  const std::filesystem::path file = find_scene(arguments.scene);
  const Scene scene = open_scene(arguments.scene, arguments.overrides);
  RunOptions options;
  options.out =
      arguments.out.empty() ? std::filesystem::path("out") / file.stem() : std::filesystem::path(arguments.out);
  options.force = arguments.force;
  options.realtime = arguments.realtime;
  options.checkpoint_every_s = arguments.checkpoint_every_s;
  options.resume = arguments.resume;
  options.version = DISTAL_VERSION;
  options.stop = &watch_interrupts();
  if (!arguments.quiet) say("{}\n", bold(scene.model.title.empty() ? file.filename().string() : scene.model.title));
  if (!arguments.quiet) options.ready = print_step;
  ProgressDisplay display;
  if (!arguments.quiet) options.progress = [&display](const RunProgress& progress) { display.show(progress); };
  const RunResult result = arguments.view ? run_watched(scene, options, arguments) : run_scene(scene, options);
  display.clear();
  return finish(result, arguments.quiet);
}

}  // namespace

void add_run_command(CLI::App& program, int& exit_code) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = program.add_subcommand("run", "Run a scene and write its results.");
  add_scene(*command, arguments->scene)->required();
  add_overrides(*command, arguments->overrides);
  command->add_option("--out", arguments->out, "folder for the results; out/<scene name> when not given")
      ->type_name("DIR")
      ->check(not_empty())
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  command
      ->add_option("--checkpoint-every", arguments->checkpoint_every_s,
                   "simulated seconds between checkpoints, from which a run can be continued; none when not given")
      ->check(number_within(1e-6, 1e6))
      ->type_name("S");
  command
      ->add_option("--resume", arguments->resume,
                   "continue from a checkpoint, or from the last one in a folder of results")
      ->type_name("FILE|DIR");
  command->add_flag("--force", arguments->force, "replace the results that the folder holds");
  command->add_flag("--realtime", arguments->realtime, "keep to the wall clock: never faster");
  command->add_flag("--quiet", arguments->quiet, "errors and notes only");
  command->add_flag("--view", arguments->view, "watch the run in a browser");
  add_view_server_options(*command, arguments->server);
  command->add_flag("--allow-remote", arguments->server.allow_remote,
                    "show the live page where other machines can reach");
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace distal
