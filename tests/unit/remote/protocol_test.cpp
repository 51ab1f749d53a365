#include "distal/remote/protocol.hpp"

#include <gtest/gtest.h>

#include <random>

namespace distal {
namespace {

using Message = std::vector<std::byte>;

Message make_message(const wire::Header& header, const std::vector<wire::Command>& commands = {}) {
  Message message(wire::step_size(commands.size()));
  write_record(message, 0, header);
  for (std::size_t b = 0; b < commands.size(); ++b) write_record(message, wire::step_size(b), commands[b]);
  return message;
}

Message make_step(std::vector<wire::Command> commands) {
  wire::Header header;
  header.type = wire::kStep;
  header.body_count = static_cast<std::uint32_t>(commands.size());
  header.size = static_cast<std::uint32_t>(wire::step_size(commands.size()));
  return make_message(header, commands);
}

// Byte for byte as docs/reference/plant_protocol.md says, without the structs.
TEST(Protocol, StepHasTheDocumentedBytes) {
  wire::Header header;
  header.type = wire::kStep;
  header.sequence = 0x0102030405060708;
  header.time_sent_s = 1.0;
  header.body_count = 1;
  header.size = 96;
  const Message message = make_message(header, {wire::twist(1.0, 0.0, 0.0, 0.0, 0.0, -2.0)});
  const unsigned char expected[] = {'D', 'S', 'T',  'L',  1, 0, 2, 0, 8,  7, 6, 5, 4, 3, 2, 1, 0, 0, 0, 0,
                                    0,   0,   0xf0, 0x3f, 1, 0, 0, 0, 96, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0};
  ASSERT_EQ(message.size(), 96u);
  EXPECT_EQ(std::memcmp(message.data(), expected, sizeof expected), 0);
  const auto number_at = [&](std::size_t at) { return read_record<double>(message, at); };
  EXPECT_EQ(number_at(40), 1.0);
  EXPECT_EQ(number_at(80), -2.0);
  EXPECT_TRUE(read_request(message, 1));
}

TEST(Protocol, CommandsComeThroughWithTheSameBits) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> number;
  const auto vector = [&] { return Vec3(number(random), number(random), number(random)); };
  for (const CommandMode mode : {CommandMode::wrench, CommandMode::twist, CommandMode::pose}) {
    BodyCommand command;
    command.mode = mode;
    command.wrench = {vector(), vector()};
    command.twist = {vector(), vector()};
    command.pose = {vector(), Quat(number(random), number(random), number(random), number(random)).normalized()};
    const BodyCommand back = read_command(make_step({to_wire(command)}), 0);
    ASSERT_EQ(back.mode, mode);
    if (mode == CommandMode::wrench) {
      EXPECT_EQ(back.wrench.force, command.wrench.force);
      EXPECT_EQ(back.wrench.torque, command.wrench.torque);
    } else if (mode == CommandMode::twist) {
      EXPECT_EQ(back.twist.linear, command.twist.linear);
      EXPECT_EQ(back.twist.angular, command.twist.angular);
    } else {
      EXPECT_EQ(back.pose.position, command.pose.position);
      EXPECT_EQ(back.pose.q.coeffs(), command.pose.q.coeffs());
    }
  }
}

TEST(Protocol, FeedbackComesThroughWithTheSameBits) {
  BodyFeedback feedback;
  feedback.time_s = 0.25;
  feedback.pose = {Vec3(1, 2, 3), Quat(0.5, -0.5, 0.5, 0.5)};
  feedback.twist = {Vec3(4, 5, 6), Vec3(7, 8, 9)};
  feedback.contact = {Vec3(10, 11, 12), Vec3(13, 14, 15)};
  feedback.tip = {Vec3(16, 17, 18), Vec3(19, 20, 21)};
  feedback.sensor = {Vec3(22, 23, 24), Vec3(25, 26, 27)};
  const wire::Body body = to_wire(feedback, CommandMode::pose);
  EXPECT_EQ(body.mode, wire::kPose);
  EXPECT_EQ(body.q_xyzw[3], 0.5);
  EXPECT_EQ(body.q_xyzw[0], -0.5);
  const BodyFeedback back = from_wire(body, 0.25);
  EXPECT_EQ(back.time_s, feedback.time_s);
  EXPECT_EQ(back.pose.position, feedback.pose.position);
  EXPECT_EQ(back.pose.q.coeffs(), feedback.pose.q.coeffs());
  EXPECT_EQ(back.twist.angular, feedback.twist.angular);
  EXPECT_EQ(back.contact.torque, feedback.contact.torque);
  EXPECT_EQ(back.tip.force, feedback.tip.force);
  EXPECT_EQ(back.sensor.torque, feedback.sensor.torque);
}

TEST(Protocol, EveryWrongByteOfTheFixedFieldsIsMalformed) {
  const Message good = make_step({wire::wrench(0, 0, 1), wire::wrench(0, 0, 2)});
  ASSERT_TRUE(read_request(good, 2));
  // Magic, version, type, body count and size of the header; mode and reserved of both commands.
  for (const std::size_t at : {0, 1, 2, 3, 4, 5, 6, 7, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 36, 39, 96, 97, 100}) {
    Message bad = good;
    bad[at] ^= std::byte{0x40};
    EXPECT_FALSE(read_request(bad, 2)) << at;
  }
  for (std::size_t size = 0; size < good.size(); ++size) EXPECT_FALSE(read_request({good.data(), size}, 2)) << size;
  Message longer = good;
  longer.push_back(std::byte{0});
  EXPECT_FALSE(read_request(longer, 2));
  EXPECT_FALSE(read_request(good, 1));
  EXPECT_FALSE(read_request(good, 3));
}

}  // namespace
}  // namespace distal
