// A scene behind the plant protocol, with hands on devices in it.
#include "distal/remote/session_plant.hpp"

#include <gtest/gtest.h>

#include "distal/run/run_scene.hpp"
#include "unit/record/scratch_folder.hpp"

namespace distal {
namespace {

Scene served_touch() {
  const std::vector<std::string> overrides = {"body.finger.cell_size_m=0.0025", "run.threads=1",
                                              "record.frames_per_s=0", "run.duration_s=0.15",
                                              "device.hand.times_s=[0.0, 0.05, 0.1, 0.14]"};
  return load_scene(std::filesystem::path(DISTAL_SCENARIO_DIR) / "touch_fingertip.toml", overrides);
}

RunResult serve_to_the_end(Session& session, SessionPlant& plant) {
  const std::vector<BodyCommand> nothing(plant.bodies().size());
  while (!plant.ended() && plant.advance(nothing)) {}
  return session.finish(RunStatus::done);
}

TEST(SessionPlant, AHandOnASkinActsAsInARun) {
  const Scene scene = served_touch();
  const test::ScratchFolder scratch;
  RunOptions options;
  options.out = scratch.path() / "run";
  const RunResult expected = run_scene(scene, options);
  ASSERT_GT(expected.devices.at(0).most_force_n, 1e-4);
  Session session(scene, {scratch.path() / "served", false, ""});
  SessionPlant plant(session, scene, 0, true, false);
  // The first episode is broken off while the hand touches.
  for (int n = 0; n < 60; ++n) ASSERT_TRUE(plant.advance(std::vector<BodyCommand>(plant.bodies().size())));
  plant.reset();
  const RunResult got = serve_to_the_end(session, plant);
  EXPECT_EQ(got.final_state_hash, expected.final_state_hash);
  EXPECT_EQ(got.devices.at(0).most_force_n, expected.devices[0].most_force_n);
}

TEST(SessionPlant, WhatAHandHoldsObeysTheHand) {
  const Scene scene = parse_scene(
      "[body.ball]\ntype = \"rigid\"\nmass_kg = 0.1\nposition_m = [0.0, 0.0, 0.05]\n"
      "[body.other]\ntype = \"rigid\"\nmass_kg = 0.1\nposition_m = [0.2, 0.0, 0.05]\n"
      "[device.hand]\ntype = \"scripted\"\nbody = \"ball\"\n"
      "points_m = [[0.0, 0.0, 0.05], [0.0, 0.02, 0.05]]\ntimes_s = [0.0, 0.5]\n[run]\nduration_s = 1.0\n",
      "scene.toml");
  Session session(scene, {});
  SessionPlant plant(session, scene, 0, true, false);
  std::vector<BodyCommand> commands(2);
  for (BodyCommand& command : commands) command.wrench.force = Vec3(0.0, 0.0, 5.0);
  for (int n = 0; n < 1000; ++n) ASSERT_TRUE(plant.advance(commands));
  EXPECT_LT((plant.feedback()[0].pose.position - Vec3(0.0, 0.02, 0.05)).norm(), 1e-4);
  EXPECT_GT(plant.feedback()[1].pose.position.z(), 1.0);  // the controller's
}

TEST(SessionPlantThreads, HandsHaveTheirLoopsInRealTime) {
  const Scene scene = served_touch();
  const test::ScratchFolder scratch;
  Session session(scene, {scratch.path() / "served", false, ""});
  SessionPlant plant(session, scene, 0, true, true);
  const std::vector<BodyCommand> nothing(plant.bodies().size());
  while (!plant.ended() && plant.advance(nothing)) {}
  const std::vector<LoopReport> loops = plant.stop_loops();
  ASSERT_EQ(loops.size(), 2U);
  EXPECT_EQ(loops[0].name, "touch");
  EXPECT_EQ(loops[1].name, "force");
  EXPECT_EQ(session.finish(RunStatus::done).devices.at(0).loops.size(), 2U);
}

}  // namespace
}  // namespace distal
