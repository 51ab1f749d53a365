#include "distal/record/recorder.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include <nlohmann/json.hpp>
#include <thread>

#include "distal/core/error.hpp"
#include "pressed_sphere.hpp"
#include "scratch_folder.hpp"

namespace distal {
namespace {

using Json = nlohmann::json;

Recorder make_recorder(const test::ScratchFolder& scratch) {
  return Recorder(OutputFolder(scratch / "out", false), test::header_for_tests());
}

void add_one_period(Recorder& recorder, double time_s, const BodyCommand& command) {
  const std::vector readings{test::reading_at(time_s)};
  const std::vector commands{command};
  const std::vector seen{readings[0].feedback};
  recorder.add_period(time_s, readings, {commands, commands, seen, std::nullopt}, test::energy_at(time_s),
                      {1e-4, 8, 0, 0, 0.0});
}

// Every line has as many commas as the heading, and the last one is complete.
void expect_whole_rows(const std::filesystem::path& path) {
  const std::string text = test::read_text(path);
  ASSERT_FALSE(text.empty()) << path;
  EXPECT_EQ(text.back(), '\n') << path;
  const auto rows = test::read_csv(path);
  for (const auto& row : rows) EXPECT_EQ(row.size(), rows.front().size()) << path;
}

TEST(Recorder, SeriesHasTheDocumentedColumnsAndExactValues) {
  const test::ScratchFolder scratch;
  Recorder recorder = make_recorder(scratch);
  BodyCommand command;
  command.wrench = {Vec3(0.1, 0.2, 1.0 / 3.0), Vec3(4, 5, 6)};
  add_one_period(recorder, 0.9, command);
  const auto rows = test::read_csv(scratch / "out/series/finger.csv");
  ASSERT_EQ(rows.size(), 2u);
  ASSERT_EQ(rows[1].size(), rows[0].size());
  const auto value = [&](const std::string& column) {
    for (std::size_t i = 0; i < rows[0].size(); ++i)
      if (rows[0][i] == column) return rows[1][i];
    return "no column " + column;
  };
  const BodyReading reading = test::reading_at(0.9);
  EXPECT_EQ(value("time_s"), "0.9");
  EXPECT_EQ(value("pz_m"), fmt::format("{}", reading.feedback.pose.position.z()));
  EXPECT_EQ(value("q_x"), "1");
  EXPECT_EQ(value("q_w"), "0");
  EXPECT_EQ(value("vz_m_s"), "-0.005");
  EXPECT_EQ(value("command_mode"), "wrench");
  EXPECT_EQ(value("command_3"), fmt::format("{}", 1.0 / 3.0));
  EXPECT_EQ(value("command_6"), "6");
  EXPECT_EQ(value("contact_fz_n"), fmt::format("{}", reading.feedback.contact.force.z()));
  EXPECT_EQ(value("tip_tx_n_m"), fmt::format("{}", reading.feedback.tip.torque.x()));
  EXPECT_EQ(value("sensor_fz_n"), fmt::format("{}", reading.feedback.sensor.force.z()));
  EXPECT_EQ(value("depth_m"), fmt::format("{}", reading.depth_m));
  EXPECT_EQ(value("contact_area_m2"), fmt::format("{}", reading.patch.area_m2));
  EXPECT_EQ(value("contact_count"), "40");
}

TEST(Recorder, RecordingHoldsEveryInputExactly) {
  const test::ScratchFolder scratch;
  Recorder recorder = make_recorder(scratch);
  BodyCommand pose;
  pose.mode = CommandMode::pose;
  pose.pose.position = Vec3(0.1, 1.0 / 7.0, -3e-17);
  pose.pose.q = Quat(0.3, 0.1, 0.2, 0.9).normalized();
  add_one_period(recorder, 0.001, pose);
  BodyCommand twist;
  twist.mode = CommandMode::twist;
  twist.twist = {Vec3(1, 2, 3) / 11.0, Vec3(4, 5, 6) / 13.0};
  add_one_period(recorder, 0.002, twist);

  const auto rows = test::read_csv(scratch / "out/recording/commands.csv");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0][1], "finger:mode");
  EXPECT_EQ(rows[1][1], "pose");
  EXPECT_EQ(rows[2][1], "twist");
  const auto number = [&](int row, int value) { return std::strtod(rows[row][1 + value].c_str(), nullptr); };
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(number(1, 1 + i), pose.pose.position[i]);
    EXPECT_EQ(number(2, 1 + i), twist.twist.linear[i]);
    EXPECT_EQ(number(2, 4 + i), twist.twist.angular[i]);
  }
  for (int i = 0; i < 4; ++i) EXPECT_EQ(number(1, 4 + i), pose.pose.q.coeffs()[i]);
  const Json header = Json::parse(test::read_text(scratch / "out/recording/header.json"));
  EXPECT_EQ(header["seed"].get<std::uint64_t>(), 18446744073709551615u);
  EXPECT_EQ(header["instruction_set"], "AVX2");
  EXPECT_EQ(header["scene_toml"], test::read_text(scratch / "out/scene.toml"));
}

TEST(Recorder, CurveHasExactlyTheAgreedHeading) {
  const test::ScratchFolder scratch;
  Recorder recorder = make_recorder(scratch);
  EXPECT_FALSE(std::filesystem::exists(scratch / "out/curve.csv"));  // only where there is a curve
  recorder.add_curve_row({"press", 1e-3, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(test::read_text(scratch / "out/curve.csv"),
            "phase,depth_m,twist_rad,shift_m,force_n,contact_radius_m,contact_area_m2,torque_n_m,tangential_force_n\n"
            "press,0.001,2,3,4,5,6,7,8\n");
}

TEST(Recorder, SummaryHasTheAgreedKeys) {
  const test::ScratchFolder scratch;
  Recorder recorder = make_recorder(scratch);
  test::record_press(recorder, 12);
  recorder.finish(test::end_for_tests());
  const Json summary = Json::parse(test::read_text(scratch / "out/summary.json"));
  for (const char* key : {"status", "scene", "version", "seed", "particles", "springs", "cells", "time_step_s", "steps",
                          "simulated_s", "wall_s", "real_time_factor", "energy_residual", "energy_residual_j",
                          "final_state_hash", "instruction_set", "bodies"})
    EXPECT_TRUE(summary.contains(key)) << key;
  EXPECT_EQ(summary["status"], "done");
  EXPECT_DOUBLE_EQ(summary["real_time_factor"], 1.25);
  EXPECT_EQ(summary["final_state_hash"], "00ff00ff12345678");
  EXPECT_NEAR(summary["energy_residual_j"], 1e-6, 1e-10);
  EXPECT_NEAR(summary["energy_residual"].get<double>() * summary["work_done_j"].get<double>(), 1e-6, 1e-10);
  const Json& finger = summary["bodies"]["finger"];
  EXPECT_DOUBLE_EQ(finger["peak"]["contact"]["force_n"][2], -test::force_at(1.0));
  EXPECT_DOUBLE_EQ(finger["peak"]["contact"]["force_time_s"], 1.0);
  EXPECT_DOUBLE_EQ(finger["final"]["sensor"]["force_n"][2], 0.2 - test::force_at(1.0));
  EXPECT_DOUBLE_EQ(finger["final"]["depth_m"], test::depth_at(1.0));
  EXPECT_DOUBLE_EQ(finger["peak"]["contact_area_m2"], finger["final"]["contact_area_m2"]);
  EXPECT_DOUBLE_EQ(finger["closure_residual"], 1e-13);
}

TEST(Recorder, FailureIsInTheSummary) {
  const test::ScratchFolder scratch;
  Recorder recorder = make_recorder(scratch);
  RunEnd end = test::end_for_tests();
  end.status = "failed";
  end.message = "diverged at 0.1 s";
  end.wall_s = 0.0;  // failed before the clock moved
  recorder.finish(end);
  const Json summary = Json::parse(test::read_text(scratch / "out/summary.json"));
  EXPECT_EQ(summary["status"], "failed");
  EXPECT_EQ(summary["message"], "diverged at 0.1 s");
  EXPECT_EQ(summary["real_time_factor"], 0.0);
}

TEST(Recorder, TaxelsHaveOneColumnEach) {
  const test::ScratchFolder scratch;
  Recorder recorder = make_recorder(scratch);
  recorder.add_taxels("pad", 2, 2, std::vector<double>{1, 2, 3, 4}, 0.5);
  EXPECT_EQ(test::read_text(scratch / "out/taxels/pad.csv"),
            "time_s,p_0_0_pa,p_0_1_pa,p_1_0_pa,p_1_1_pa\n0.5,1,2,3,4\n");
}

TEST(Recorder, KilledRunLeavesWholeRowsUpToTheLast) {
  const test::ScratchFolder scratch;
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    Recorder recorder = make_recorder(scratch);
    recorder.add_frame(0.0, std::vector{test::ball_snapshot(0.0, 12), test::table_snapshot()});
    for (int period = 1;; ++period) {
      add_one_period(recorder, 0.001 * period, {});
      if (period != 50) continue;
      // Frames have a thread of their own: the first one may be later than fifty rows.
      while (!std::filesystem::exists(scratch / "out/run.pvd")) std::this_thread::yield();
      if (write(ready[1], "x", 1) != 1) _exit(1);
    }
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  for (const char* file : {"out/series/finger.csv", "out/energy.csv", "out/timing.csv", "out/recording/commands.csv"}) {
    expect_whole_rows(scratch / file);
    EXPECT_GE(test::read_csv(scratch / file).size(), 51u) << file;
  }
  EXPECT_TRUE(std::filesystem::exists(scratch / "out/run.pvd"));
  close(ready[0]);
  close(ready[1]);
}

TEST(RecorderDeathTest, FullDiskIsReportedAndEarlierRowsStayWhole) {
  const test::ScratchFolder scratch;
  const auto fill = [&] {
    test::limit_file_size(20000);
    Recorder recorder = make_recorder(scratch);
    try {
      for (int period = 1; period < 100000; ++period) add_one_period(recorder, 0.001 * period, {});
    } catch (const OutputError& error) {
      std::exit(std::string(error.what()).find("finger.csv") == std::string::npos ? 1 : 0);
    }
    std::exit(2);
  };
  EXPECT_EXIT(fill(), ::testing::ExitedWithCode(0), "");
  for (const char* file : {"out/series/finger.csv", "out/energy.csv", "out/timing.csv", "out/recording/commands.csv"})
    expect_whole_rows(scratch / file);
}

}  // namespace
}  // namespace distal
