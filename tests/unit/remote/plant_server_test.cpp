#include "distal/remote/plant_server.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "unit/remote/counting_plant.hpp"
#include "unit/remote/server_line.hpp"

namespace distal {
namespace {

class LockStepServer : public testing::Test {
 protected:
  CountingPlant plant_;
  ServeDescription description_;
  PlantServer server_{plant_, description_, PlantClock::lock_step};
  Line line_{server_, 1}, other_{server_, 2};
};

TEST_F(LockStepServer, HelloDescribesThePlantAndDoesNotStep) {
  const Reply reply = line_.hello(5);
  ASSERT_EQ(reply.header.type, wire::kDescription);
  EXPECT_EQ(reply.header.sequence, 5u);
  EXPECT_EQ(reply.header.time_sent_s, 12.5);
  ASSERT_EQ(reply.bytes.size(), wire::description_size(1));
  const auto description = read_record<wire::Description>(reply.bytes, wire::feedback_size(1));
  EXPECT_EQ(description.period_s, 0.001);
  EXPECT_EQ(description.max_force_n, description_.max_force_n);
  EXPECT_EQ(description.scene_hash, 77u);
  EXPECT_EQ(description.clock, wire::kLockStep);
  EXPECT_EQ(description.safe_action, wire::kZero);
  const auto body = read_record<wire::BodyDescription>(reply.bytes, wire::feedback_size(1) + sizeof(wire::Description));
  EXPECT_STREQ(body.name, "finger");
  EXPECT_EQ(body.modes, 1u);
  EXPECT_EQ(plant_.period(), 0u);
}

// Offsets as docs/reference/plant_protocol.md has them, without the structs.
TEST_F(LockStepServer, AnswersHaveTheDocumentedBytes) {
  plant_.feedback_[0].pose = {Vec3(1, 2, 3), Quat(0.5, -0.5, 0.5, 0.5)};
  plant_.feedback_[0].twist.angular.z() = 4.0;
  plant_.feedback_[0].contact.force.x() = 5.0;
  plant_.feedback_[0].tip.torque.z() = 6.0;
  plant_.feedback_[0].sensor.torque.z() = 7.0;
  const std::vector<std::byte> bytes = line_.hello(9).bytes;
  const auto number = [&](std::size_t at) { return read_record<double>(bytes, at); };
  const auto word = [&](std::size_t at) { return read_record<std::uint32_t>(bytes, at); };
  ASSERT_EQ(bytes.size(), 184u + 336u);
  EXPECT_EQ(read_record<std::uint16_t>(bytes, 6), 101);
  EXPECT_EQ(word(24), 1u);
  EXPECT_EQ(word(28), bytes.size());
  EXPECT_EQ(read_record<std::uint64_t>(bytes, 64), 1u) << "received";
  EXPECT_EQ(number(112 + 24), 3.0);
  EXPECT_EQ(number(112 + 32), -0.5);
  EXPECT_EQ(number(112 + 56), 0.5);
  EXPECT_EQ(number(112 + 104), 4.0);
  EXPECT_EQ(number(112 + 112), 5.0);
  EXPECT_EQ(number(112 + 200), 6.0);
  EXPECT_EQ(number(112 + 248), 7.0);
  const std::size_t d = 112 + 256;
  EXPECT_EQ(number(d), 0.001);
  EXPECT_EQ(number(d + 8), description_.watchdog_s);
  EXPECT_EQ(number(d + 40), description_.max_angular_speed_rad_s);
  EXPECT_EQ(read_record<std::uint64_t>(bytes, d + 56), 77u);
  EXPECT_EQ(word(d + 64), 1u);
  EXPECT_EQ(std::memcmp(bytes.data() + d + 72, "finger\0\0", 8), 0);
  EXPECT_EQ(word(d + 144), 1u);
}

TEST_F(LockStepServer, EachCommandIsOnePeriod) {
  line_.hello(1);
  const Reply reply = line_.push(2, 3.0);
  EXPECT_EQ(reply.header.type, wire::kFeedback);
  EXPECT_EQ(reply.progress.period, 1u);
  EXPECT_EQ(reply.progress.simulated_s, 0.001);
  EXPECT_EQ(reply.progress.status, 0u);
  EXPECT_EQ(read_record<wire::Body>(reply.bytes, wire::kBodiesAt).position_m[2], 3.0);
  EXPECT_EQ(line_.push(3, 1.0).progress.period, 2u);
}

TEST_F(LockStepServer, ARepeatedSequenceGetsTheOldAnswerAndNeverASecondStep) {
  line_.hello(1);
  const Reply first = line_.push(2, 3.0);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(line_.push(2, 99.0).bytes, first.bytes);
  EXPECT_EQ(plant_.period(), 1u);
  EXPECT_EQ(server_.counters().repeated, 5u);
}

TEST_F(LockStepServer, OldSequencesAreIgnoredAndGapsCounted) {
  line_.hello(1);
  line_.push(2, 1.0);
  line_.push(6, 1.0);
  EXPECT_FALSE(line_.push(4, 1.0).any);
  EXPECT_FALSE(line_.send(wire::kReset, 5).any);
  EXPECT_EQ(plant_.period(), 2u);
  EXPECT_EQ(server_.counters().lost, 3u);
  EXPECT_EQ(server_.counters().late, 2u);
}

TEST_F(LockStepServer, AnOldHelloDoesNotOpenTheDoorForOldSteps) {
  line_.hello(1);
  line_.push(2, 1.0);
  line_.push(3, 1.0);
  EXPECT_EQ(line_.hello(1).header.type, wire::kDescription);
  EXPECT_FALSE(line_.push(2, 1.0).any);
  EXPECT_EQ(plant_.period(), 2u);
}

TEST_F(LockStepServer, AWildSequenceDoesNotLockItsControllerOut) {
  const std::uint64_t wild = std::uint64_t{1} << 62, start = wire::kLongestJump + 10;
  line_.hello(start);
  EXPECT_TRUE(line_.push(wild, 1.0).has(wire::kBusy));
  EXPECT_TRUE(line_.hello(wild).has(wire::kBusy));
  EXPECT_TRUE(line_.send(wire::kReset, 1).has(wire::kBusy));
  EXPECT_TRUE(line_.send(wire::kStop, ~std::uint64_t{0}).has(wire::kBusy));
  EXPECT_EQ(server_.counters().refused, 4u);
  EXPECT_EQ(server_.counters().lost, 0u);
  EXPECT_EQ(line_.push(start + 1, 1.0).progress.period, 1u);
  // The longest jump that is one of a controller.
  EXPECT_TRUE(line_.push(start + 2 + wire::kLongestJump, 1.0).has(wire::kBusy));
  EXPECT_EQ(line_.push(start + 1 + wire::kLongestJump, 1.0).progress.period, 2u);
}

TEST_F(LockStepServer, AControllerThatBeginsAgainComesInAfterTheWatchdogTime) {
  for (const std::uint64_t start : {std::uint64_t{500}, std::uint64_t{1}, std::uint64_t{1} << 62, std::uint64_t{2}}) {
    const double now = 10.0 * static_cast<double>(plant_.period() + 1), late = now + 0.9 * description_.watchdog_s;
    line_.hello(start, now);
    line_.push(start + 1, 1.0, now);
    // What it tries meanwhile does not prolong the wait.
    line_.hello(start == 1 ? 0 : 1, late);
    line_.push(start == 1 ? 0 : 2, 1.0, late);
    line_.hello(7, late + 0.2 * description_.watchdog_s);
    EXPECT_TRUE(line_.push(8, 1.0, late + 0.2 * description_.watchdog_s).any) << start;
  }
  EXPECT_EQ(plant_.period(), 8u);
}

TEST_F(LockStepServer, RefusesWhatIsNotFiniteOrOverALimit) {
  line_.hello(1);
  std::uint64_t sequence = 1;
  for (const double force : {std::nan(""), std::numeric_limits<double>::infinity(), 1e300, 100.1, -100.1}) {
    const Reply reply = line_.push(++sequence, force);
    EXPECT_TRUE(reply.has(wire::kRefused)) << force;
    EXPECT_EQ(reply.has(wire::kNotFinite), !std::isfinite(force)) << force;
    EXPECT_EQ(reply.has(wire::kOverLimit), std::isfinite(force)) << force;
    EXPECT_EQ(reply.progress.counters.refused, sequence - 1);
  }
  EXPECT_TRUE(line_.send(wire::kStep, ++sequence, {wire::wrench(0, 0, 0, 10.1, 0, 0)}).has(wire::kOverLimit));
  EXPECT_TRUE(line_.send(wire::kStep, ++sequence, {wire::twist(0, 0, 0.01)}).has(wire::kWrongMode));
  EXPECT_EQ(plant_.period(), 0u);
  EXPECT_NE(server_.take_refusal().find("finger: a twist, allowed: wrench"), std::string::npos);
  EXPECT_EQ(line_.push(++sequence, 100.0).progress.period, 1u);
}

TEST_F(LockStepServer, MalformedIsCountedAndNotAnswered) {
  line_.hello(1);
  EXPECT_FALSE(line_.send(wire::kStep, 2, {}).any);
  EXPECT_FALSE(line_.send(wire::kStep, 3, {wire::wrench(0, 0, 1), wire::wrench(0, 0, 1)}).any);
  EXPECT_FALSE(line_.send(wire::kFeedback, 4).any);
  EXPECT_EQ(server_.counters().malformed, 3u);
  EXPECT_EQ(server_.counters().received, 1u);
  EXPECT_EQ(plant_.period(), 0u);
}

TEST_F(LockStepServer, OneControllerAtATime) {
  EXPECT_TRUE(other_.push(1, 1.0).has(wire::kSayHello));
  line_.hello(1, 10.0);
  EXPECT_TRUE(other_.hello(1, 10.01).has(wire::kBusy));
  EXPECT_TRUE(other_.push(2, 1.0, 10.01).has(wire::kBusy));
  line_.push(2, 1.0, 10.04);
  EXPECT_TRUE(other_.hello(3, 10.06).has(wire::kBusy));
  // Silent for longer than the watchdog time: its place is free, but only a hello takes it.
  EXPECT_TRUE(other_.push(4, 1.0, 10.1).has(wire::kSayHello));
  EXPECT_FALSE(other_.hello(5, 10.1).has(wire::kBusy));
  EXPECT_TRUE(line_.push(3, 1.0, 10.11).has(wire::kBusy));
  EXPECT_EQ(other_.push(6, 1.0, 10.12).progress.period, 2u);
}

TEST_F(LockStepServer, StopFreesThePlaceAtOnce) {
  line_.hello(1);
  EXPECT_TRUE(line_.send(wire::kStop, 2).has(wire::kStopped));
  EXPECT_TRUE(server_.stopped());
  EXPECT_TRUE(line_.send(wire::kStop, 2).has(wire::kStopped));
  EXPECT_TRUE(line_.push(3, 1.0).has(wire::kSayHello));
  EXPECT_FALSE(other_.hello(1).has(wire::kBusy));
  EXPECT_FALSE(server_.stopped());
}

TEST_F(LockStepServer, ResetStartsAnEpisode) {
  line_.hello(1);
  line_.push(2, 1.0);
  plant_.fails_ = true;
  EXPECT_TRUE(line_.push(3, 1.0).has(wire::kFailed));
  EXPECT_TRUE(line_.push(4, 1.0).has(wire::kFailed));
  EXPECT_EQ(plant_.period(), 2u);
  plant_.fails_ = false;
  const Reply reply = line_.send(wire::kReset, 5);
  EXPECT_EQ(reply.progress.status, 0u);
  EXPECT_EQ(reply.progress.period, 0u);
  EXPECT_EQ(reply.progress.episode, 1u);
  EXPECT_EQ(line_.push(6, 1.0).progress.period, 1u);
}

TEST_F(LockStepServer, APlantAtItsEndStepsNoMore) {
  line_.hello(1);
  line_.push(2, 1.0);
  plant_.ended_ = true;
  EXPECT_TRUE(line_.push(3, 1.0).has(wire::kDone));
  EXPECT_EQ(plant_.period(), 1u);
}

TEST(DrivenServer, TakesTwistsAndPosesWithinItsSpeed) {
  CountingPlant plant({true});
  PlantServer server(plant, {}, PlantClock::lock_step);
  Line line(server, 1);
  line.hello(1);
  const double unit[4] = {0, 0, 0, 1}, turned[4] = {0, 0, std::sin(0.02), std::cos(0.02)}, long_q[4] = {0, 0, 0, 1.01};
  EXPECT_EQ(line.send(wire::kStep, 2, {wire::twist(0, 0, 1.0)}).progress.status, 0u);
  EXPECT_TRUE(line.send(wire::kStep, 3, {wire::twist(0, 0, 1.1)}).has(wire::kOverLimit));
  EXPECT_TRUE(line.send(wire::kStep, 4, {wire::twist(0, 0, 0, 0, 0, 21)}).has(wire::kOverLimit));
  // From the origin, in one period of a millisecond.
  EXPECT_EQ(line.send(wire::kStep, 5, {wire::pose({0, 0, 0.0009}, unit)}).progress.status, 0u);
  EXPECT_TRUE(line.send(wire::kStep, 6, {wire::pose({0, 0, 0.0011}, unit)}).has(wire::kOverLimit));
  EXPECT_TRUE(line.send(wire::kStep, 7, {wire::pose({0, 0, 0}, turned)}).has(wire::kOverLimit));
  EXPECT_TRUE(line.send(wire::kStep, 8, {wire::pose({0, 0, 0}, long_q)}).has(wire::kNotFinite));
  EXPECT_TRUE(line.push(9, 0.1).has(wire::kWrongMode));
  EXPECT_EQ(line.push(10, 0.0).progress.status, 0u) << "no wrench is no command";
  EXPECT_EQ(plant.period(), 3u);
}

TEST(TwoBodyServer, RefusesTheWholeStepForOneBadCommand) {
  CountingPlant plant({false, true});
  PlantServer server(plant, {}, PlantClock::lock_step);
  Line line(server, 1);
  line.hello(1);
  EXPECT_TRUE(line.send(wire::kStep, 2, {wire::wrench(0, 0, 1), wire::twist(0, 0, 5)}).has(wire::kRefused));
  EXPECT_EQ(plant.period(), 0u);
  EXPECT_EQ(line.send(wire::kStep, 3, {wire::wrench(0, 0, 1), wire::twist(0, 0, 0.5)}).progress.period, 1u);
  EXPECT_EQ(plant.last_[1].twist.linear.z(), 0.5);
}

// Whatever comes from others while a controller is served, the plant does not move.
TEST_F(LockStepServer, FuzzedDatagramsOfOthersMoveNothing) {
  line_.hello(1);
  std::mt19937_64 random(11);
  std::vector<std::byte> good(wire::step_size(1));
  wire::Header header;
  header.body_count = 1;
  header.size = 96;
  write_record(good, sizeof header, wire::wrench(0, 0, 1));
  for (int i = 0; i < 100000; ++i) {
    header.type = static_cast<std::uint16_t>(1 + random() % 4);
    header.sequence = random() % 8;
    write_record(good, 0, header);
    std::vector<std::byte> bad = good;
    for (std::uint64_t n = random() % 4; n > 0; --n) bad[random() % bad.size()] = static_cast<std::byte>(random());
    bad.resize(random() % 3 == 0 ? random() % 97 : bad.size());
    const Bytes answer = server_.handle(bad, endpoint(2 + static_cast<int>(random() % 3)), 0.01);
    ASSERT_TRUE(answer.empty() || Line::parse(answer).has(wire::kBusy));
  }
  EXPECT_EQ(plant_.period(), 0u);
  EXPECT_EQ(server_.counters().received + server_.counters().malformed, 100001u);
  EXPECT_EQ(line_.push(2, 1.0, 0.01).progress.period, 1u);
}

}  // namespace
}  // namespace distal
