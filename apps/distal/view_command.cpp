// distal view: a scene alive, or a recorded run, in a browser; or as a picture.
#include <fmt/format.h>

#include <cmath>
#include <exception>
#include <memory>
#include <optional>
#include <thread>

#include "distal/browser.hpp"
#include "distal/commands.hpp"
#include "distal/core/error.hpp"
#include "distal/interrupt.hpp"
#include "distal/output_file.hpp"
#include "distal/scene_options.hpp"
#include "distal/shipped_scenes.hpp"
#include "distal/terminal.hpp"
#include "distal/view/live_scene.hpp"
#include "distal/view/page_files.hpp"
#include "distal/view/recorded_scene.hpp"
#include "distal/view_options.hpp"

namespace distal {
namespace {

struct ViewArguments {
  std::string what, out, png, size = "1280x800";
  std::vector<std::string> overrides;
  double at_s = -1.0;
  bool picture = false, force = false, quiet = false, open = false, no_open = false;
  ViewServerOptions server;
};

// Whatever is wrong with the order of a picture is said before anything is computed.
PictureOrder make_order(const ViewArguments& arguments) {
  PictureOrder order;
  char x = 0;
  std::istringstream text(arguments.size);
  constexpr int kSmallest = 16, kLargest = 8192;
  if (!(text >> order.width >> x >> order.height) || x != 'x' || !text.eof() ||
      std::min(order.width, order.height) < kSmallest || std::max(order.width, order.height) > kLargest)
    throw InputError(fmt::format("--size {}: allowed are WIDTHxHEIGHT from {} to {}, such as 1280x800", arguments.size,
                                 kSmallest, kLargest));
  order.file = arguments.png;
  check_output_file("--png", order.file);
  order.browser = find_headless_browser();
  if (!page_is_built()) throw InputError("--png: this program was built without its live page; build it with npm");
  return order;
}

// Calls serve(stop) until it is told to end: by Ctrl-C, or when the picture is taken.
template <typename Serve>
void show(const ViewArguments& arguments, const std::optional<PictureOrder>& order, const ViewServer& server,
          Serve&& serve) {
  const std::atomic<bool>& interrupted = watch_interrupts();
  if (!order) {
    announce_view(server, arguments.quiet);
    const bool desktop = has_desktop() && standard_error_is_terminal();
    if (arguments.open || (desktop && !arguments.no_open)) open_in_browser(server.url());
    serve(interrupted);
    return;
  }
  std::string url = server.url() + "?png=1";
  if (arguments.at_s >= 0.0) url += fmt::format("&time_s={}", arguments.at_s);
  std::atomic<bool> done{false};
  std::exception_ptr problem;
  std::jthread photographer([&] {
    try {
      take_picture(*order, url, interrupted);
    } catch (...) { problem = std::current_exception(); }
    done = true;
  });
  serve(done);
  photographer.join();
  if (problem) std::rethrow_exception(problem);
  if (!arguments.quiet) say("{}\n", order->file.string());
}

int view_scene(const ViewArguments& arguments, const std::optional<PictureOrder>& order) {
  const Scene scene = open_scene(arguments.what, arguments.overrides);
  ViewServer server(arguments.server);
  LiveScene live(scene, {arguments.out, arguments.force, DISTAL_VERSION});
  if (!arguments.quiet) say("{}\n", bold(scene.model.title.empty() ? arguments.what : scene.model.title));
  if (order) live.go_to(arguments.at_s >= 0.0 ? arguments.at_s : scene.run.duration_s, watch_interrupts());
  if (order && live.time_s() < arguments.at_s - 1e-9)
    print_warning(fmt::format("--at {:g}: the run ends at {:g} s, which is what the picture shows", arguments.at_s,
                              live.time_s()));
  RunResult result;
  show(arguments, order, server, [&](const std::atomic<bool>& stop) { result = live.run(server, stop); });
  if (!result.out.empty() && !arguments.quiet) say("Open {}\n", (result.out / "report.html").string());
  if (result.status == RunStatus::failed) print_error(result.message);
  return result.status == RunStatus::failed ? kRunFailed : kDone;
}

int view_results(const ViewArguments& arguments, const std::optional<PictureOrder>& order) {
  if (!arguments.out.empty() || !arguments.overrides.empty())
    throw InputError("--out and --set are for scenes; a recorded run is shown as it was");
  ViewServer server(arguments.server);
  const RecordedRun run(arguments.what, DISTAL_VERSION);
  if (!arguments.quiet) say("{}, {} frames\n", bold(run.scene().title), run.frames());
  if (run.missing() > 0)
    print_warning(
        fmt::format("{} of {} frames are missing and are left out", run.missing(), run.missing() + run.frames()));
  // There is no picture of a frame that cannot be read.
  if (const double end_s = run.scene().times_s.back(); order && arguments.at_s > end_s + 1e-9)
    print_warning(fmt::format("--at {:g}: the last frame is that of {:g} s, which is what the picture shows",
                              arguments.at_s, end_s));
  if (order) run.load(arguments.at_s >= 0.0 ? run.frame_at(arguments.at_s) : run.frames() - 1);
  show(arguments, order, server, [&](const std::atomic<bool>& stop) { RecordedScene(run, &stop).serve(server); });
  return kDone;
}

int view(ViewArguments arguments) {
  std::optional<PictureOrder> order;
  if (arguments.picture) {
    order = make_order(arguments);
    arguments.server = {"127.0.0.1", 0, false};
  } else if (arguments.at_s >= 0.0) {
    throw InputError("--at is the time of a picture: it needs --png");
  }
  if (std::isnan(arguments.at_s)) throw InputError("--at nan: allowed is a time in seconds");
  return std::filesystem::is_directory(arguments.what) ? view_results(arguments, order) : view_scene(arguments, order);
}

void add_options(CLI::App& command, ViewArguments& arguments) {
  const auto last = CLI::MultiOptionPolicy::TakeLast;
  command.add_option("scene", arguments.what, "scene file, name of a shipped scene, or folder of results")
      ->required()
      ->type_name("SCENE.toml|DIR");
  command.add_option("--set", arguments.overrides, "override or add a value, as for distal run")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.add_option("--out", arguments.out, "folder for the results; nothing is recorded when not given")
      ->type_name("DIR")
      ->check(not_empty())
      ->multi_option_policy(last);
  command.add_flag("--force", arguments.force, "replace the results that the folder holds");
  add_view_server_options(command, arguments.server);
  command.add_flag("--allow-remote", arguments.server.allow_remote, "listen where other machines can reach");
  command.add_flag("--open", arguments.open, "open the page in the browser of the desktop, also from a script");
  command.add_flag("--no-open", arguments.no_open, "do not open it")->excludes("--open");
  command.add_option("--png", arguments.png, "write a picture instead; needs chromium")
      ->each([&arguments](const std::string&) { arguments.picture = true; })
      ->type_name("FILE")
      ->multi_option_policy(last);
  command.add_option("--at", arguments.at_s, "simulated time of the picture; the end when not given")
      ->type_name("S")
      ->check(number_within(0.0, 1e9))
      ->multi_option_policy(last);
  command.add_option("--size", arguments.size, "of the picture, in pixels")
      ->type_name("WxH")
      ->multi_option_policy(last)
      ->capture_default_str();
  command.add_flag("--quiet", arguments.quiet, "the address and errors only");
}

}  // namespace

void add_view_command(CLI::App& program, int& exit_code) {
  auto arguments = std::make_shared<ViewArguments>();
  CLI::App* command = program.add_subcommand("view", "Show a scene alive, or a recorded run, in a browser.");
  add_options(*command, *arguments);
  command->callback([arguments, &exit_code] { exit_code = view(*arguments); });
}

}  // namespace distal
