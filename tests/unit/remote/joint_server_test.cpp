// Joints over the plant protocol: messages with 16 added to their type.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "distal/core/error.hpp"
#include "unit/remote/jointed_plant.hpp"
#include "unit/remote/server_line.hpp"

namespace distal {
namespace {

using ::testing::HasSubstr;

const wire::JointCommand kLeft;  // to its own motor

class JointServer : public testing::Test {
 protected:
  Reply step(const std::vector<wire::JointCommand>& joints) {
    return line_.send_joints(wire::kStep, ++sequence_, joints);
  }
  JointedPlant plant_;
  ServeDescription description_;
  PlantServer server_{plant_, description_, PlantClock::lock_step};
  Line line_{server_, 1};
  std::uint64_t sequence_ = 10;
};

// Offsets as docs/reference/plant_protocol.md has them, without the structs.
TEST_F(JointServer, TheDescriptionHasTheDocumentedBytes) {
  plant_.joint_feedback_[1] = {1.0, 2.0, 3.0, true};
  const Reply plain = line_.hello(1);
  const Reply reply = line_.send_joints(wire::kHello, 2);
  constexpr std::size_t kPlain = 184 + 336 * 3;
  ASSERT_EQ(plain.bytes.size(), kPlain) << "who does not ask for joints gets none";
  ASSERT_EQ(reply.bytes.size(), kPlain + 3 * 160);
  EXPECT_EQ(reply.header.type, 117);
  const auto number = [&](std::size_t at) { return read_record<double>(reply.bytes, at); };
  const auto word = [&](std::size_t at) { return read_record<std::uint32_t>(reply.bytes, at); };
  const std::size_t d = 112 + 256 * 3;
  EXPECT_EQ(word(d + 148), 3u) << "joint of the first body, counted from 1";
  EXPECT_EQ(word(d + 148 + 160), 1u);
  EXPECT_EQ(read_record<std::uint32_t>(plain.bytes, d + 148 + 160), 1u) << "also where no joints are asked for";
  EXPECT_EQ(word(kPlain + 32), 1u) << "mode: own";
  EXPECT_EQ(word(kPlain + 36), 1u) << "limited";
  EXPECT_EQ(number(kPlain + 40), 1.0);
  EXPECT_EQ(number(kPlain + 48), 2.0);
  EXPECT_EQ(number(kPlain + 56), 3.0);
  const std::size_t j = kPlain + 3 * 32;
  EXPECT_EQ(std::memcmp(reply.bytes.data() + j, "hand/knuckle\0", 13), 0);
  EXPECT_EQ(word(j + 72), 1u);
  EXPECT_EQ(word(j + 76), 7u);
  EXPECT_EQ(number(j + 80), -0.5);
  EXPECT_EQ(number(j + 88), 1.5);
  EXPECT_EQ(number(j + 96), 0.5);
  EXPECT_EQ(number(j + 104), 2.0);
  EXPECT_EQ(number(j + 112), 0.05);
  EXPECT_EQ(word(j + 120), 2u) << "the body that it moves";
  EXPECT_EQ(word(j + 124), 0u);
  EXPECT_EQ(word(j + 128 + 76), 1u) << "one that follows is left alone";
  EXPECT_EQ(word(j + 128 + 124), 1u) << "follows the first";
  EXPECT_EQ(word(j + 256 + 72), 2u) << "slides";
  EXPECT_EQ(word(j + 256 + 76), 3u) << "without a motor no position";
}

TEST_F(JointServer, AStepCommandsAllJointsAndIsAnsweredWithThem) {
  line_.hello(1);
  plant_.joint_feedback_[2] = {0.1, 0.2, 0.3, false};
  const Reply reply = step({wire::joint_position(0.4, 0.6), kLeft, wire::joint_torque(-7.0)});
  EXPECT_EQ(reply.header.type, 118);
  EXPECT_EQ(reply.progress.period, 1u);
  ASSERT_EQ(reply.bytes.size(), 112u + 3 * 256 + 3 * 32);
  EXPECT_EQ(plant_.last_joints_[0].mode, JointMode::position);
  EXPECT_EQ(plant_.last_joints_[0].value, 0.4);
  EXPECT_EQ(plant_.last_joints_[0].rate, 0.6);
  EXPECT_EQ(plant_.last_joints_[1].mode, JointMode::own);
  EXPECT_EQ(plant_.last_joints_[2].mode, JointMode::torque);
  EXPECT_EQ(plant_.last_joints_[2].value, -7.0);
  const auto joint = read_record<wire::Joint>(reply.bytes, 112 + 3 * 256 + 2 * 32);
  EXPECT_EQ(joint.mode, wire::kJointTorque);
  EXPECT_EQ(joint.effort, 0.3);
}

TEST_F(JointServer, AStepOfTheOldKindLeavesJointsToTheirMotors) {
  line_.hello(1);
  step({wire::joint_torque(0.1), kLeft, kLeft});
  const Reply reply = line_.send(wire::kStep, ++sequence_, std::vector<wire::Command>(3));
  EXPECT_EQ(reply.header.type, wire::kFeedback);
  EXPECT_EQ(reply.bytes.size(), 112u + 3 * 256);
  EXPECT_EQ(plant_.last_joints_[0].mode, JointMode::own);
}

TEST_F(JointServer, ResetAndStopAreAnsweredInTheirKind) {
  line_.hello(1);
  step({wire::joint_torque(0.1), kLeft, kLeft});
  const Reply reply = line_.send_joints(wire::kReset, ++sequence_);
  EXPECT_EQ(reply.header.type, 118);
  EXPECT_EQ(read_record<wire::Joint>(reply.bytes, 112 + 3 * 256).mode, wire::kOwn) << "commands are forgotten";
  EXPECT_TRUE(line_.send_joints(wire::kStop, ++sequence_).has(wire::kStopped));
}

TEST_F(JointServer, EveryRefusalIsToldAndNothingMoves) {
  line_.hello(1);
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN(), kFar = std::numeric_limits<double>::infinity();
  struct Case {
    std::size_t joint;
    wire::JointCommand command;
    std::uint32_t bit;
    const char* words;
  };
  const Case cases[] = {
      {0, wire::joint_torque(kNone), wire::kNotFinite, "hand/knuckle: a joint_torque with a number that is none"},
      {0, wire::joint_position(kFar), wire::kNotFinite, "hand/knuckle: a joint_position with a number that is none"},
      {0, wire::joint_position(0.1, kNone), wire::kNotFinite, "with a number that is none"},
      {0, wire::joint_torque(-10.1), wire::kOverLimit,
       "joint_torque of 10.1, allowed: at most serve.max_torque_n_m = 10"},
      {2, wire::joint_torque(100.1), wire::kOverLimit,
       "hand/slide: a joint_torque of 100.1, allowed: at most serve.max_force_n"},
      {0, wire::joint_position(1.51), wire::kOverLimit, "at most the joint's upper end = 1.5"},
      {0, wire::joint_position(-0.51), wire::kOverLimit, "at least the joint's lower end = -0.5"},
      {0, wire::joint_position(0.1, -20.1), wire::kOverLimit,
       "with a rate of 20.1, allowed: at most serve.max_angular_speed"},
      {1, wire::joint_torque(0.1), wire::kWrongMode,
       "hand/middle: a joint_torque, allowed: none, since it follows hand/knuckle"},
      {1, wire::joint_position(0.1), wire::kWrongMode, "since it follows hand/knuckle"},
      {2, wire::joint_position(0.1), wire::kWrongMode, "hand/slide: a joint_position, allowed: joint_torque"},
  };
  for (const Case& one : cases) {
    std::vector<wire::JointCommand> joints(3);
    joints[one.joint] = one.command;
    EXPECT_EQ(step(joints).progress.status, wire::kRefused | one.bit) << one.words;
    EXPECT_THAT(server_.take_refusal(), HasSubstr(one.words));
  }
  EXPECT_EQ(plant_.period(), 0u);
  EXPECT_EQ(step({wire::joint_position(1.5), kLeft, wire::joint_torque(100.0)}).progress.status, 0u) << "at the limit";
}

TEST_F(JointServer, MalformedIsCountedAndNotAnswered) {
  line_.hello(1);
  wire::JointCommand bad = kLeft;
  EXPECT_FALSE(step({kLeft, kLeft}).any) << "one too few";
  EXPECT_FALSE(step({kLeft, kLeft, kLeft, kLeft}).any);
  for (const std::uint32_t mode : {0u, 4u}) {
    bad.mode = mode;
    EXPECT_FALSE(step({kLeft, kLeft, bad}).any) << mode;
  }
  bad = kLeft, bad.reserved = 1;
  EXPECT_FALSE(step({bad, kLeft, kLeft}).any);
  EXPECT_FALSE(line_.send_joints(static_cast<wire::Type>(0), ++sequence_).any);
  EXPECT_FALSE(line_.send_joints(static_cast<wire::Type>(5), ++sequence_).any);
  EXPECT_FALSE(line_.send_joints(static_cast<wire::Type>(16 + wire::kHello), ++sequence_).any) << "twice 16";
  EXPECT_FALSE(line_.send_joints(wire::kHello, ++sequence_, {kLeft}).any);
  EXPECT_EQ(server_.counters().malformed, 9u);
  EXPECT_EQ(plant_.period(), 0u);
}

TEST_F(JointServer, FuzzedDatagramsOfOthersMoveNothing) {
  line_.hello(1);
  std::mt19937_64 random(12);
  wire::Header header;
  header.body_count = 3;
  std::vector<std::byte> good(wire::step_size(3) + 3 * sizeof(wire::JointCommand));
  header.size = static_cast<std::uint32_t>(good.size());
  for (std::size_t b = 0; b < 3; ++b) write_record(good, wire::step_size(b), wire::Command{});
  for (std::size_t j = 0; j < 3; ++j) write_record(good, wire::step_size(3) + 24 * j, wire::joint_torque(0.1));
  for (int i = 0; i < 50000; ++i) {
    header.type = static_cast<std::uint16_t>(17 + random() % 4);
    header.sequence = random() % 8;
    write_record(good, 0, header);
    std::vector<std::byte> bad = good;
    for (std::uint64_t n = random() % 4; n > 0; --n) bad[random() % bad.size()] = static_cast<std::byte>(random());
    if (random() % 3 == 0) bad.resize(random() % (bad.size() + 1));
    const Bytes answer = server_.handle(bad, endpoint(2 + static_cast<int>(random() % 3)), 0.01);
    ASSERT_TRUE(answer.empty() || Line::parse(answer).has(wire::kBusy));
  }
  EXPECT_EQ(plant_.period(), 0u);
  EXPECT_GT(server_.counters().received, 1000u);
  EXPECT_EQ(server_.counters().received + server_.counters().malformed, 50001u);
}

TEST(JointServerLimits, TooManyJointsAndNamesTooLongAreRefused) {
  JointedPlant many, named;
  many.joints_.resize(65), many.joint_feedback_.resize(65);
  EXPECT_THROW(PlantServer(many, {}, PlantClock::lock_step), InputError);
  named.joints_[0].name = std::string(72, 'x');
  EXPECT_THROW(PlantServer(named, {}, PlantClock::lock_step), InputError);
  named.joints_[0].name = std::string(71, 'x');
  PlantServer(named, {}, PlantClock::lock_step);
}

// Commanded at 1 s, silent since.
std::vector<JointCommand> after_silence(SafeAction action, const std::vector<wire::JointCommand>& commands) {
  JointedPlant plant;
  ServeDescription description;
  description.safe_action = action;
  PlantServer server(plant, description, PlantClock::real_time);
  Line line(server, 1);
  line.hello(1);
  line.send_joints(wire::kStep, 2, commands, 1.0);
  server.advance(1.001);
  EXPECT_EQ(plant.last_joints_[0].value, commands[0].value) << "in force until then";
  plant.joint_feedback_[0].position = 0.7;
  plant.joint_feedback_[2].position = 0.2;
  server.advance(2.0);
  plant.joint_feedback_[0].position = 0.9;  // moves on
  server.advance(2.1);
  EXPECT_EQ(server.safe_actions(), 1u);
  return plant.last_joints_;
}

TEST(JointSafety, ZeroIsNoTorqueForWhatWasCommanded) {
  const auto joints = after_silence(SafeAction::zero, {wire::joint_position(0.4, 0.6), kLeft, kLeft});
  EXPECT_EQ(joints[0].mode, JointMode::torque);
  EXPECT_EQ(joints[0].value, 0.0);
  EXPECT_EQ(joints[2].mode, JointMode::own) << "was left alone";
  EXPECT_EQ(after_silence(SafeAction::zero, {wire::joint_torque(0.4), kLeft, kLeft})[0].value, 0.0);
}

TEST(JointSafety, HoldKeepsTheLastCommandAndItsTargetStandsStill) {
  const auto joints = after_silence(SafeAction::hold, {wire::joint_position(0.4, 0.6), kLeft, wire::joint_torque(3.0)});
  EXPECT_EQ(joints[0].mode, JointMode::position);
  EXPECT_EQ(joints[0].value, 0.4);
  EXPECT_EQ(joints[0].rate, 0.0);
  EXPECT_EQ(joints[2].mode, JointMode::torque);
  EXPECT_EQ(joints[2].value, 3.0);
}

TEST(JointSafety, BrakeHoldsThePlaceWhereTheSilenceBegan) {
  const auto joints = after_silence(SafeAction::brake, {wire::joint_torque(0.4), kLeft, wire::joint_torque(3.0)});
  EXPECT_EQ(joints[0].mode, JointMode::position);
  EXPECT_EQ(joints[0].value, 0.7);
  EXPECT_EQ(joints[0].rate, 0.0);
  EXPECT_EQ(joints[2].mode, JointMode::torque) << "without a motor it goes limp";
  EXPECT_EQ(joints[2].value, 0.0);
}

}  // namespace
}  // namespace distal
