// distal serve: the virtual finger, for a controller outside.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "distal/commands.hpp"
#include "distal/interrupt.hpp"
#include "distal/loops_text.hpp"
#include "distal/remote/serve.hpp"
#include "distal/scene_options.hpp"
#include "distal/shipped_scenes.hpp"
#include "distal/terminal.hpp"
#include "distal/view/watcher.hpp"
#include "distal/view_options.hpp"

namespace distal {
namespace {

struct ServeArguments {
  std::string scene, mode = "lockstep", out;
  std::vector<std::string> overrides;
  std::string watchdog_s, safe_action;  // as typed: they are checked as keys of the scene
  bool force = false, quiet = false, view = false;
  ServeOptions options;
  ViewServerOptions server;
};

Scene load(const ServeArguments& arguments) {
  std::vector<std::string> overrides = arguments.overrides;
  if (!arguments.watchdog_s.empty()) overrides.push_back("serve.watchdog_s=" + arguments.watchdog_s);
  if (!arguments.safe_action.empty()) overrides.push_back("serve.safe_action=" + arguments.safe_action);
  return open_scene(arguments.scene, overrides);
}

void print_figures(const LinkReport& link) {
  say("  requests            {} received, {} lost, {} late, {} repeated, {} malformed, {} refused\n", link.received,
      link.lost, link.late, link.repeated, link.malformed, link.refused);
  if (link.clock != "realtime") return;
  say("  periods             {}, {} missed their deadline, largest lag {:.3g} ms\n", link.periods,
      link.missed_deadlines, 1e3 * link.largest_lag_s);
  say("  start delay         {:.3g} us median, {:.3g} us 99 %, {:.3g} us 99.9 %, {:.3g} us worst\n",
      1e6 * link.start_delay_p50_s, 1e6 * link.start_delay_p99_s, 1e6 * link.start_delay_p999_s,
      1e6 * link.start_delay_worst_s);
  say("  safe actions        {}\n", link.safe_actions);
}

int finish(const ServeResult& result, bool quiet) {
  if (!quiet) {
    say("{}: {:.4g} s simulated\n", bold("ended"), result.run.simulated_s);
    print_figures(result.link);
    print_loops(result.loops);
    say("  final state         {}\n", result.run.final_state_hash);
    if (!result.run.out.empty()) say("Open {}\n", (result.run.out / "report.html").string());
  }
  for (const std::string& note : result.run.notes) print_warning(note);
  if (result.run.status == RunStatus::failed) print_error(result.run.message);
  return result.run.status == RunStatus::done ? kDone : kRunFailed;
}

int run(ServeArguments& arguments) {
  const Scene scene = load(arguments);
  ServeOptions& options = arguments.options;
  options.loop.clock = arguments.mode == "realtime" ? PlantClock::real_time : PlantClock::lock_step;
  options.session = {arguments.out, arguments.force, DISTAL_VERSION};
  options.loop.stop = &watch_interrupts();
  options.loop.notice = print_warning;
  const bool quiet = arguments.quiet;
  options.loop.listening = [&, quiet](const std::string& address) {
    if (!quiet)
      say("{}\nWaiting for a controller, for example: distal control --connect {} {}\n",
          bold(scene.model.title.empty() ? arguments.scene : scene.model.title), address, arguments.scene);
    fmt::print("{}\n", address);
    std::fflush(stdout);
  };
  if (!arguments.view) return finish(serve(scene, options), quiet);
  arguments.server.allow_remote = options.allow_remote;
  ViewServer server(arguments.server);
  Watcher watcher(server, {DISTAL_VERSION, false, 0.0, options.loop.stop});
  options.onlooker = &watcher;
  const auto listening = options.loop.listening;
  options.loop.listening = [&](const std::string& address) {
    listening(address);
    announce_view(server, quiet);
  };
  return finish(serve(scene, options), quiet);
}

void add_options(CLI::App& command, ServeArguments& arguments) {
  const auto last = CLI::MultiOptionPolicy::TakeLast;
  add_scene(command, arguments.scene)->required();
  command.add_option("--mode", arguments.mode, "lockstep: one period per command; realtime: on the wall clock")
      ->check(CLI::IsMember({"lockstep", "realtime"}))
      ->multi_option_policy(last);
  command.add_option("--port", arguments.options.port, "UDP port to listen at; 0 takes any free one")
      ->check(CLI::Range(0, 65535))
      ->multi_option_policy(last)
      ->capture_default_str();
  command.add_option("--host", arguments.options.host, "address to listen at")
      ->multi_option_policy(last)
      ->capture_default_str();
  command.add_flag("--allow-remote", arguments.options.allow_remote, "listen where other machines can reach");
  command.add_flag("--once", arguments.options.loop.once, "end with run.duration_s, or when a controller says stop");
  command.add_option("--watchdog", arguments.watchdog_s, "serve.watchdog_s: longest silence of the controller")
      ->type_name("SECONDS")
      ->multi_option_policy(last);
  command.add_option("--safe-action", arguments.safe_action, "serve.safe_action: what follows it")
      ->type_name("zero|hold|brake")
      ->multi_option_policy(last);
  add_overrides(command, arguments.overrides);
  command.add_option("--out", arguments.out, "folder for the results; nothing is recorded when not given")
      ->type_name("DIR")
      ->check(not_empty())
      ->multi_option_policy(last);
  command.add_flag("--force", arguments.force, "replace the results that the folder holds");
  command.add_flag("--quiet", arguments.quiet, "the address, errors and notes only");
  command.add_flag("--view", arguments.view, "watch the plant in a browser");
  add_view_server_options(command, arguments.server);
}

}  // namespace

void add_serve_command(CLI::App& program, int& exit_code) {
  auto arguments = std::make_shared<ServeArguments>();
  CLI::App* command = program.add_subcommand("serve", "Serve a scene to a controller outside, over UDP.");
  add_options(*command, *arguments);
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace distal
