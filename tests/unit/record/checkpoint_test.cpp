#include "distal/record/checkpoint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "distal/core/error.hpp"
#include "unit/record/scratch_folder.hpp"

namespace distal {
namespace {

using ::testing::HasSubstr;

// Every field another number, so that two that change places are noticed.
Checkpoint full_checkpoint() {
  Checkpoint c;
  c.scene_fingerprint = 0x0123456789abcdefULL;
  c.instruction_set = "AVX2";
  c.state.time_s = 0.25, c.state.period = 250, c.state.step = 1000;
  c.state.x.resize(3), c.state.v.resize(3), c.state.velocity_change.resize(3);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto n = static_cast<double>(i);
    c.state.x.set(i, Vec3(n, n + 0.1, n + 0.2)), c.state.v.set(i, Vec3(-n, 2.0 * n, 0.5));
    c.state.velocity_change.set(i, Vec3(7.0 + n, 0.0, -0.0));
  }
  c.state.rigid.push_back({Vec3(1, 2, 3), rotation_from_vector(Vec3(0.1, 0.2, 0.3)), Vec3(4, 5, 6), Vec3(7, 8, 9)});
  c.state.pairs.push_back(
      {{Touch::slides, Touch::none}, {Vec3(1, 1, 2), Vec3(3, 5, 8)}, {0.5F, 0.25F}, {0.75F, 0.0F}, {1.5F, 2.5F}});
  c.state.soft_pairs.push_back({{Touch::sticks}, {Vec3(4, 0.5, 0.25)}, {0.125F}, {0.375F}, {}});
  c.state.energy = {1.0, 2.0, 3.0, 4.0, 5.0};
  c.state.rigid_velocity_change.push_back({Vec3(11, 12, 13), Vec3(14, 15, 16)});
  c.state.adaptive_step_s = 1e-5, c.state.steps_per_period = 17;
  ChannelMemory channel;
  channel.count = 251, channel.newest = 249;
  channel.filtered = {Vec3(1, 0, 0), Vec3(0, 2, 0)}, channel.acting = {Vec3(0, 0, 3), Vec3(4, 0, 0)};
  channel.in_flight.push_back({250, 252, {CommandMode::twist, Vec3(1, 2, 3), Vec3(4, 5, 6), Quat::Identity()}});
  c.channels.channels.push_back(channel);
  c.channels.seen.resize(1);
  c.channels.seen[0].sensor.torque = Vec3(3, 2, 1);
  AdaptivePidMemory pid;
  pid.started = true, pid.reference.end_travel_m = 0.005, pid.refused_feedbacks = 3, pid.mobility = {2.0, 3.0};
  PrescribedMotionMemory motion;
  motion.stage = 4, motion.window_high.force = Vec3(1, 2, 3);
  c.controllers = {pid, std::monostate(), motion};
  return c;
}

std::filesystem::path written(const test::ScratchFolder& scratch, const std::string& bytes) {
  const std::filesystem::path path = scratch / "a.checkpoint";
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

std::string refusal_of(const test::ScratchFolder& scratch, const std::string& bytes) {
  try {
    load_checkpoint(written(scratch, bytes));
    return "";
  } catch (const InputError& error) { return error.what(); }
}

TEST(Checkpoint, comes_back_with_every_bit) {
  const test::ScratchFolder scratch;
  const std::string bytes = checkpoint_bytes(full_checkpoint());
  const Checkpoint back = load_checkpoint(written(scratch, bytes));
  EXPECT_EQ(checkpoint_bytes(back), bytes);
  EXPECT_EQ(hash_state(back.state), hash_state(full_checkpoint().state));
  EXPECT_EQ(back.state.energy.last_residual, 5.0);
  EXPECT_EQ(back.state.pairs[0].touch[0], Touch::slides);
  EXPECT_EQ(back.state.pairs[0].weakened[0], 0.75F);
  EXPECT_TRUE(std::signbit(back.state.velocity_change.get(2).z()));
  EXPECT_EQ(back.channels.channels[0].in_flight[0].sample.angular, Vec3(4, 5, 6));
  EXPECT_EQ(std::get<AdaptivePidMemory>(back.controllers[0]).refused_feedbacks, 3u);
  EXPECT_EQ(std::get<PrescribedMotionMemory>(back.controllers[2]).window_high.force, Vec3(1, 2, 3));
}

TEST(Checkpoint, a_file_cut_off_anywhere_is_refused) {
  const test::ScratchFolder scratch;
  const std::string bytes = checkpoint_bytes(full_checkpoint());
  for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 7)
    EXPECT_NE(refusal_of(scratch, bytes.substr(0, size)), "") << size;
  EXPECT_THAT(refusal_of(scratch, bytes.substr(0, bytes.size() - 1)), HasSubstr("is cut off"));
  EXPECT_THAT(refusal_of(scratch, bytes + "x"), HasSubstr("1 bytes too many"));
}

TEST(Checkpoint, one_changed_bit_is_noticed_wherever_it_is) {
  const test::ScratchFolder scratch;
  const std::string bytes = checkpoint_bytes(full_checkpoint());
  for (std::size_t at = 0; at < bytes.size(); at += 13) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 4);
    EXPECT_NE(refusal_of(scratch, changed), "") << at;
  }
}

TEST(Checkpoint, another_format_and_another_file_are_named) {
  const test::ScratchFolder scratch;
  std::string bytes = checkpoint_bytes(full_checkpoint());
  bytes[8] = 9;
  EXPECT_THAT(refusal_of(scratch, bytes), HasSubstr("has format 9, this program reads format 4"));
  EXPECT_THAT(refusal_of(scratch, "[scene]\n"), HasSubstr("is no checkpoint of Distal"));
  EXPECT_THROW(load_checkpoint(scratch / "missing"), InputError);
}

TEST(Checkpoint, the_latest_of_a_folder_is_found) {
  const test::ScratchFolder scratch;
  std::filesystem::create_directories(scratch / "checkpoints");
  EXPECT_THROW(find_checkpoint(scratch / ""), InputError);
  for (const char* name : {"period_0000000100", "period_0000000300", "period_0000000200"})
    std::ofstream(scratch / "checkpoints" / (std::string(name) + ".checkpoint")) << "x";
  EXPECT_EQ(find_checkpoint(scratch / "").filename(), "period_0000000300.checkpoint");
}

}  // namespace
}  // namespace distal
