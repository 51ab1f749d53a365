// distal replay: run the recorded inputs again, and compare.
#include <fmt/format.h>

#include <memory>

#include "distal/commands.hpp"
#include "distal/core/error.hpp"
#include "distal/interrupt.hpp"
#include "distal/progress_display.hpp"
#include "distal/run/replay.hpp"
#include "distal/terminal.hpp"

namespace distal {
namespace {

struct ReplayArguments {
  std::string folder;
  bool free_running = false, quiet = false;
};

int report(const ReplayResult& result, const Recording& recording) {
  if (result.interrupted) {
    print_warning(fmt::format("interrupted after {} of {} periods", result.periods, recording.periods.size()));
    return kRunFailed;
  }
  if (!recording.end) print_warning("the recording has no end: the run was killed; compared up to its last row");
  const std::string end =
      fmt::format("{} periods, {:.4g} s, final state {}", result.periods, result.simulated_s, result.final_state_hash);
  if (!result.difference) {
    fmt::print("same: {}\n", end);
    return kDone;
  }
  const ReplayDifference& first = *result.difference;
  const std::string where =
      fmt::format("{} differs first in period {}, t = {:.6g} s", first.what, first.period, first.time_s);
  if (!result.comparable()) {
    fmt::print("not comparable: recorded with {}, replayed with {} instructions; {}\n", result.recorded_with,
               result.replayed_with, where);
    return kDone;
  }
  fmt::print("different: {}; {}\n", where, end);
  return kRunFailed;
}

int replay_folder(const ReplayArguments& arguments) {
  const Recording recording = load_recording(arguments.folder);
  if (recording.version != DISTAL_VERSION)
    print_warning(fmt::format("recorded by version {}, this is version {}", recording.version, DISTAL_VERSION));
  ProgressDisplay display;
  ReplayOptions options;
  options.free_running = arguments.free_running;
  options.stop = &watch_interrupts();
  if (!arguments.quiet) options.progress = [&display](const RunProgress& progress) { display.show(progress); };
  const ReplayResult result = replay(recording, options);
  display.clear();
  return report(result, recording);
}

}  // namespace

void add_replay_command(CLI::App& program, int& exit_code) {
  auto arguments = std::make_shared<ReplayArguments>();
  CLI::App* command = program.add_subcommand("replay", "Run a recorded run again and compare every bit.");
  command->add_option("folder", arguments->folder, "results of a run")->required()->type_name("DIR");
  command->add_flag("--free", arguments->free_running,
                    "let the scene's own controllers drive again, instead of the recorded commands");
  command->add_flag("--quiet", arguments->quiet, "no progress");
  command->callback([arguments, &exit_code] { exit_code = replay_folder(*arguments); });
}

}  // namespace distal
