// Scenes with devices, from start to record and back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "distal/core/error.hpp"
#include "distal/record/recording.hpp"
#include "distal/run/control_room.hpp"
#include "distal/run/hand_loops.hpp"
#include "distal/run/replay.hpp"
#include "distal/run/run_scene.hpp"
#include "unit/record/scratch_folder.hpp"

namespace distal {
namespace {

const std::filesystem::path kScenes = DISTAL_SCENARIO_DIR;

Scene quick_touch() {
  const std::vector<std::string> overrides = {
      "body.finger.cell_size_m=0.0025",
      "run.threads=1",
      "record.frames_per_s=0",
      "run.duration_s=0.25",
      "device.hand.times_s=[0.0, 0.1, 0.2, 0.24]",
  };
  return load_scene(kScenes / "touch_fingertip.toml", overrides);
}

TEST(Devices, ATouchedSkinIsRecordedAndReplayedBitForBit) {
  const Scene scene = quick_touch();
  const test::ScratchFolder scratch;
  RunOptions options;
  options.out = scratch.path() / "out";
  const RunResult result = run_scene(scene, options);
  ASSERT_EQ(result.status, RunStatus::done) << result.message;
  ASSERT_EQ(result.devices.size(), 1U);
  EXPECT_GT(result.devices[0].most_force_n, 0.005);
  EXPECT_TRUE(std::filesystem::exists(options.out / "devices/hand.csv"));
  const Recording recording = load_recording(options.out);
  EXPECT_EQ(recording.touch_names, std::vector<std::string>{"hand"});
  for (const bool free_running : {false, true}) {
    ReplayOptions again;
    again.free_running = free_running;
    const ReplayResult replayed = replay(recording, again);
    EXPECT_FALSE(replayed.difference) << (replayed.difference ? replayed.difference->what : "");
    EXPECT_EQ(replayed.final_state_hash, result.final_state_hash);
  }
}

TEST(Devices, ARunGoesOnFromACheckpointWithEqualBits) {
  const Scene scene = quick_touch();
  const test::ScratchFolder scratch;
  RunOptions options;
  options.out = scratch.path() / "whole";
  options.checkpoint_every_s = 0.12;
  const RunResult whole = run_scene(scene, options);
  RunOptions rest;
  rest.out = scratch.path() / "rest";
  rest.resume = options.out / "checkpoints/period_0000000120.checkpoint";
  const RunResult resumed = run_scene(scene, rest);
  EXPECT_EQ(resumed.final_state_hash, whole.final_state_hash);
}

TEST(Devices, ADeviceOfItsOwnRecordIsTheSameHand) {
  const Scene scene = quick_touch();
  const test::ScratchFolder scratch;
  RunOptions options;
  options.out = scratch.path() / "out";
  const RunResult result = run_scene(scene, options);
  Scene again = scene;
  DeviceDescription& device = again.devices[0].second;
  device.kind = DeviceKind::replay;
  device.file = (options.out / "devices/hand.csv").string();
  RunOptions more;
  more.out = scratch.path() / "again";
  const RunResult replayed = run_scene(again, more);
  EXPECT_NEAR(replayed.devices[0].most_force_n, result.devices[0].most_force_n, 0.1 * result.devices[0].most_force_n);
}

// The loops meet without locks, and what comes of it is a whole run. The name puts it under the thread sanitizer too.
TEST(DevicesThreads, TouchAndForceRunBesideTheSimulation) {
  Scene scene = quick_touch();
  scene.run.duration_s = 0.05;
  const test::ScratchFolder scratch;
  RunOptions options;
  options.out = scratch.path() / "out";
  options.realtime = true;
  const RunResult result = run_scene(scene, options);
  ASSERT_EQ(result.status, RunStatus::done);
  ASSERT_EQ(result.devices[0].loops.size(), 3U);
  const std::vector<LoopReport>& loops = result.devices[0].loops;
  EXPECT_EQ(loops[0].name, "touch");
  EXPECT_EQ(loops[1].name, "force");
  EXPECT_EQ(loops[2].name, "deformation");
  for (const LoopReport& loop : loops) {
    EXPECT_GT(loop.periods, 20U) << loop.name;
    EXPECT_GT(loop.rate_hz, 0.0) << loop.name;
    EXPECT_GE(loop.start_delay_worst_s, loop.start_delay_p50_s) << loop.name;
  }
  EXPECT_FALSE(replay(load_recording(options.out), {}).difference);
}

std::string problem_of(const std::string& toml) {
  try {
    parse_scene(toml, "scene.toml");
  } catch (const InputError& error) { return error.what(); }
  return "";
}

const std::string kBall = "[body.ball]\ntype = \"rigid\"\n[body.table]\ntype = \"plane\"\n";

TEST(Devices, WrongOnesAreRefusedWithTheirPlace) {
  using testing::HasSubstr;
  const std::string script = kBall + "[device.h]\ntype = \"scripted\"\npoints_m = [[0, 0, 0]]\n";
  EXPECT_EQ(problem_of(script + "body = \"ball\"\n"), "");
  EXPECT_EQ(problem_of(kBall + "[device.h]\ntype = \"scripted\"\nbody = \"ball\"\n"),
            "scene.toml:5:9: device.h.points_m: is missing; expected: an array of points m, like [[0, 0, 0.01]]");
  EXPECT_EQ(problem_of(kBall + "[device.h]\ntype = \"scripted\"\nbody = \"ball\"\npoints_m = []\n"),
            "scene.toml:8:1: device.h.points_m: found an empty array, allowed: one point or more");
  EXPECT_EQ(problem_of(kBall + "[device.h]\ntype = \"arm\"\nbody = \"ball\"\n"), "");
  EXPECT_THAT(problem_of(script), HasSubstr("body or touches"));
  EXPECT_THAT(problem_of(script + "body = \"bal\"\n"), HasSubstr("ball"));
  EXPECT_THAT(problem_of(kBall + "[device.h]\ntype = \"script\"\nbody = \"ball\"\n"), HasSubstr("scripted"));
  EXPECT_THAT(problem_of(script + "body = \"ball\"\nstiffness_n_m = -1.0\n"), HasSubstr("stiffness_n_m"));
  EXPECT_THAT(problem_of(script + "body = \"ball\"\nport = 1\n"), HasSubstr("port"));
  EXPECT_THAT(problem_of(script + "body = \"ball\"\ntimes_s = [0.0, 1.0]\n"), HasSubstr("as many as points_m"));
  EXPECT_THAT(problem_of(kBall + "[device.h]\ntype = \"replay\"\nbody = \"ball\"\nfile = \"none.csv\"\n"),
              HasSubstr("there is no file"));
  EXPECT_THAT(problem_of(script + "touches = \"ball\"\n"), HasSubstr("is rigid"));
  EXPECT_THAT(problem_of(kBall + "[device.h]\ntype = \"mouse\"\nbody = \"ball\"\n[device.g]\ntype = \"mouse\"\nbody = "
                                 "\"ball\"\n"),
              HasSubstr("already moved"));
}

}  // namespace
}  // namespace distal
