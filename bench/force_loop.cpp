// The four loops of paper 4, 5, in real time: `force_loop [SECONDS] [SCENE]` runs tremor_task or touch_fingertip beside
// a display with a viewer on a real socket, and tells how many periods of each loop were on time. A bare loop of the
// same rate, right and clock, which does nothing, runs beside them: what it loses, the machine loses.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "distal/run/paced_loop.hpp"
#include "distal/run/run_scene.hpp"
#include "distal/view/watcher.hpp"
#include "view_page.hpp"

using namespace distal;

namespace {

void print(const LoopReport& loop) {
  std::printf(
      "%-12s %7.1f Hz, %7.3f %% of %llu periods on time, begins late by %.0f us median, %.0f us at 99.9 %%, %.0f us "
      "worst%s\n",
      loop.name.c_str(), loop.rate_hz, 100.0 * loop.on_time(), static_cast<unsigned long long>(loop.periods),
      1e6 * loop.start_delay_p50_s, 1e6 * loop.start_delay_p999_s, 1e6 * loop.start_delay_worst_s,
      loop.real_time_priority ? ", with real-time priority" : "");
}

}  // namespace

int main(int count, char** words) {
  const std::string seconds = count > 1 ? words[1] : "5", name = count > 2 ? words[2] : "tremor_task";
  const std::vector<std::string> overrides = {"run.duration_s=" + seconds, "record.frames_per_s=0"};
  const Scene scene = load_scene(std::string(DISTAL_SCENARIO_DIR) + "/" + name + ".toml", overrides);
  RunOptions options;
  options.realtime = true;
  char folder[] = "/tmp/distal_force_loop_XXXXXX";
  if (mkdtemp(folder) == nullptr) return 1;
  options.out = folder;
  options.force = true;
  ViewServer server({"127.0.0.1", 0, false});
  WatcherOptions wanted;
  wanted.paces = false;
  Watcher watcher(server, wanted);
  options.onlooker = &watcher;
  const std::atomic<bool> over{false};
  std::jthread viewer([&] {
    bench::Page(std::stoi(server.url().substr(std::string("http://127.0.0.1:").size())), bench::Manner::prompt)
        .look_on(over);
  });
  PacedLoop bare("bare", 1e-3, kForcePriority, [](double, double) {});
  const RunResult result = run_scene(scene, options);
  const LoopReport machine = bare.stop();
  for (const LoopReport& loop : result.devices.at(0).loops) print(loop);
  print(machine);
  std::filesystem::remove_all(options.out);
}
