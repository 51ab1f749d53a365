// The force loop beside deformation: `force_loop [SECONDS]` runs scenarios/tremor_task.toml in real time and tells how
// many periods of 1 ms began and ended on time.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "distal/run/run_scene.hpp"

using namespace distal;

int main(int count, char** words) {
  const std::string seconds = count > 1 ? words[1] : "5";
  const std::vector<std::string> overrides = {"run.duration_s=" + seconds, "record.frames_per_s=0",
                                              "body.strand.spacing_m=0.004"};
  const Scene scene = load_scene(std::string(DISTAL_SCENARIO_DIR) + "/tremor_task.toml", overrides);
  RunOptions options;
  options.realtime = true;
  char folder[] = "/tmp/distal_force_loop_XXXXXX";
  if (mkdtemp(folder) == nullptr) return 1;
  options.out = folder;
  options.force = true;
  const RunResult result = run_scene(scene, options);
  for (const LoopReport& loop : result.devices.at(0).loops)
    std::printf(
        "%-22s %8.1f Hz, %6.3f %% of %llu periods on time, start delay %.0f us median, %.0f us at 99.9 %%, "
        "%.0f us worst\n",
        loop.name.c_str(), loop.rate_hz,
        100.0 * (1.0 - static_cast<double>(loop.late) / static_cast<double>(loop.periods)),
        static_cast<unsigned long long>(loop.periods), 1e6 * loop.start_delay_p50_s, 1e6 * loop.start_delay_p999_s,
        1e6 * loop.start_delay_worst_s);
  std::filesystem::remove_all(options.out);
}
