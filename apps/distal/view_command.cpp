// distal view: a scene alive, or a recorded run, in a browser.
#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "distal/commands.hpp"
#include "distal/interrupt.hpp"
#include "distal/shipped_scenes.hpp"
#include "distal/terminal.hpp"
#include "distal/view/live_scene.hpp"
#include "distal/view_options.hpp"

namespace distal {
namespace {

struct ViewArguments {
  std::string what, out;
  std::vector<std::string> overrides;
  bool force = false, quiet = false;
  ViewServerOptions server;
};

int view_scene(const ViewArguments& arguments) {
  const Scene scene = load_scene(find_scene(arguments.what), arguments.overrides);
  ViewServer server(arguments.server);
  LiveOptions options;
  options.session = {arguments.out, arguments.force, DISTAL_VERSION};
  options.stop = &watch_interrupts();
  LiveScene live(scene, options);
  if (!arguments.quiet) {
    say("{}\n", bold(scene.model.title.empty() ? arguments.what : scene.model.title));
    print_view_address(server);
  }
  fmt::print("{}\n", server.url());
  std::fflush(stdout);
  const RunResult result = live.run(server);
  if (!result.out.empty() && !arguments.quiet) say("Open {}\n", (result.out / "report.html").string());
  if (result.status == RunStatus::failed) print_error(result.message);
  return result.status == RunStatus::failed ? kRunFailed : kDone;
}

}  // namespace

void add_view_command(CLI::App& program, int& exit_code) {
  auto arguments = std::make_shared<ViewArguments>();
  CLI::App* command = program.add_subcommand("view", "Show a scene alive, or a recorded run, in a browser.");
  command->add_option("scene", arguments->what, "scene file, name of a shipped scene, or folder of results")
      ->required()
      ->type_name("SCENE.toml|DIR");
  command->add_option("--set", arguments->overrides, "override or add a value, as for distal run")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--out", arguments->out, "folder for the results; nothing is recorded when not given")
      ->type_name("DIR")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  command->add_flag("--force", arguments->force, "replace the results that the folder holds");
  command->add_flag("--quiet", arguments->quiet, "the address and errors only");
  add_view_server_options(*command, arguments->server);
  command->add_flag("--allow-remote", arguments->server.allow_remote, "listen where other machines can reach");
  command->callback([arguments, &exit_code] { exit_code = view_scene(*arguments); });
}

}  // namespace distal
