#include "distal/haptic/network_device.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <limits>
#include <thread>

#include "distal/core/error.hpp"

namespace distal {
namespace {

std::vector<std::byte> bytes_of(const auto& message) {
  const auto view = std::as_bytes(std::span(&message, 1));
  return {view.begin(), view.end()};
}

device_wire::Hand make_hand(std::uint64_t sequence, double x) {
  device_wire::Hand hand;
  hand.header.type = device_wire::kHand;
  hand.header.sequence = sequence;
  hand.position_m = {x, 0.0, 0.0};
  return hand;
}

Endpoint someone(int number) {
  Endpoint endpoint;
  endpoint.size = 16;
  endpoint.address[2] = static_cast<std::byte>(number);
  return endpoint;
}

TEST(DeviceConversation, TheNewestHandCountsAndLateOnesDoNot) {
  DeviceConversation talk(0.05);
  EXPECT_FALSE(talk.sample(0.0).connected);
  EXPECT_TRUE(talk.hear(bytes_of(make_hand(5, 0.1)), someone(1), 0.0));
  EXPECT_FALSE(talk.hear(bytes_of(make_hand(4, 0.2)), someone(1), 0.001));
  EXPECT_FALSE(talk.hear(bytes_of(make_hand(5, 0.2)), someone(1), 0.001));
  EXPECT_FALSE(talk.hear(bytes_of(make_hand(9, 0.3)), someone(2), 0.001)) << "a stranger";
  EXPECT_EQ(talk.refused(), 3U);
  EXPECT_TRUE(talk.sample(0.01).connected);
  EXPECT_EQ(talk.sample(0.01).pose.position.x(), 0.1);
}

TEST(DeviceConversation, SilenceAndFarewellUnplugAndAnotherMayComeThen) {
  DeviceConversation talk(0.05);
  talk.hear(bytes_of(make_hand(5, 0.1)), someone(1), 0.0);
  EXPECT_FALSE(talk.sample(0.051).connected);
  EXPECT_TRUE(talk.hear(bytes_of(make_hand(1, 0.3)), someone(2), 0.06));
  EXPECT_TRUE(talk.sample(0.06).connected);
  device_wire::Header bye;
  bye.type = device_wire::kBye;
  bye.sequence = 2;
  EXPECT_TRUE(talk.hear(bytes_of(bye), someone(2), 0.061));
  EXPECT_FALSE(talk.sample(0.061).connected);
  EXPECT_FALSE(talk.partner().has_value());
}

TEST(DeviceConversation, SurvivesAnyBytes) {
  DeviceConversation talk(0.05);
  std::uint64_t bits = 3;
  const std::vector<std::byte> good = bytes_of(make_hand(1, 0.1));
  std::uint64_t heard = 0;
  for (int n = 0; n < 20000; ++n) {
    const auto next = [&] { return bits = bits * 6364136223846793005ULL + 1442695040888963407ULL; };
    std::vector<std::byte> datagram = good;
    datagram.resize((next() >> 33) % 200);
    for (int k = 0; k < 5 && !datagram.empty(); ++k)
      datagram[(next() >> 33) % datagram.size()] = static_cast<std::byte>(next() >> 40);
    heard += talk.hear(datagram, someone(1), 1e-3 * n) ? 1 : 0;
    talk.sample(1e-3 * n);
  }
  EXPECT_EQ(talk.refused() + heard, 20000U);
}

TEST(DeviceConversation, AnswersWithWhatWasHeard) {
  DeviceConversation talk(0.05);
  device_wire::Hand hand = make_hand(42, 0.1);
  hand.time_s = 7.5;
  talk.hear(bytes_of(hand), someone(1), 0.0);
  const device_wire::Force force = talk.answer({Vec3(1.0, 2.0, 3.0), Vec3(4.0, 5.0, 6.0)});
  EXPECT_EQ(force.header.type, device_wire::kForce);
  EXPECT_EQ(force.header.sequence, 42U);
  EXPECT_EQ(force.time_s, 7.5);
  EXPECT_EQ(force.force_n[2], 3.0);
  EXPECT_EQ(force.torque_n_m[0], 4.0);
}

TEST(NetworkDevice, HearsAndAnswersOverASocket) {
  DeviceDescription description;
  description.port = 0;
  description.watchdog_s = 10.0;
  NetworkDevice device("device.hand", description);
  EXPECT_FALSE(device.read(0.0).connected);
  UdpSocket far("127.0.0.1", 0, false);
  const std::string address = device.address();
  const int port = std::stoi(address.substr(address.find(':') + 1));
  const Endpoint to = [&] {
    // Its address, with the port of the device.
    Endpoint endpoint = far.local();
    endpoint.address[2] = static_cast<std::byte>(port >> 8);
    endpoint.address[3] = static_cast<std::byte>(port & 255);
    return endpoint;
  }();
  far.send(bytes_of(make_hand(1, 0.25)), to);
  HandSample sample;
  sample.connected = false;
  for (int n = 0; n < 1000 && !sample.connected; ++n) {
    sample = device.read(0.0);
    if (!sample.connected) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(sample.pose.position.x(), 0.25);
  device.write({Vec3(0.0, 0.0, 1.5), Vec3::Zero()});
  device_wire::Force force;
  Endpoint from;
  const auto size = far.receive(std::as_writable_bytes(std::span(&force, 1)), from, 5.0);
  ASSERT_TRUE(size.has_value());
  EXPECT_EQ(*size, sizeof force);
  EXPECT_EQ(force.force_n[2], 1.5);
}

TEST(NetworkDevice, ListensToOthersOnlyWhenAllowed) {
  DeviceDescription description;
  description.host = "0.0.0.0";
  description.port = 0;
  try {
    NetworkDevice device("device.hand", description);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("device.hand.allow_remote"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace distal
