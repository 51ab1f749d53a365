#include "distal/haptic/network_device.hpp"

#include <algorithm>
#include <cstring>

namespace distal {
namespace {

constexpr int kMostPerRead = 64;  // datagrams: a flood must not stop the loop

Vec3 vector_of(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }

}  // namespace

// A device that begins again may count from anywhere once the old one is silent.
bool DeviceConversation::take(const device_wire::Header& header, const Endpoint& from, double now_s) {
  const bool fresh = is_silent(now_s);
  if (!fresh && (from != *partner_ || header.sequence <= newest_.header.sequence)) return false;
  partner_ = from;
  heard_s_ = now_s;
  return true;
}

bool DeviceConversation::hear(std::span<const std::byte> datagram, const Endpoint& from, double now_s) {
  device_wire::Hand hand;
  const bool complete = datagram.size() >= sizeof hand.header;
  if (complete) std::memcpy(&hand.header, datagram.data(), sizeof hand.header);
  const bool known =
      complete && hand.header.magic == device_wire::kMagic && hand.header.version == device_wire::kVersion;
  if (known && hand.header.type == device_wire::kBye && datagram.size() == sizeof hand.header && !is_silent(now_s) &&
      from == *partner_ && hand.header.sequence > newest_.header.sequence) {
    partner_.reset();
    return true;
  }
  if (!known || hand.header.type != device_wire::kHand || datagram.size() != sizeof hand ||
      !take(hand.header, from, now_s)) {
    ++refused_;
    return false;
  }
  std::memcpy(&hand, datagram.data(), sizeof hand);
  newest_ = hand;
  return true;
}

HandSample DeviceConversation::sample(double now_s) const {
  HandSample sample;
  sample.connected = !is_silent(now_s);
  sample.pose.position = vector_of(newest_.position_m);
  sample.pose.q = Quat(newest_.q_xyzw[3], newest_.q_xyzw[0], newest_.q_xyzw[1], newest_.q_xyzw[2]);
  sample.twist = {vector_of(newest_.velocity_m_s), vector_of(newest_.angular_velocity_rad_s)};
  sample.buttons = newest_.buttons;
  return sample;
}

device_wire::Force DeviceConversation::answer(const Wrench& on_hand) const {
  device_wire::Force force;
  force.header.type = device_wire::kForce;
  force.header.sequence = newest_.header.sequence;
  force.time_s = newest_.time_s;
  for (std::size_t a = 0; a < 3; ++a) {
    force.force_n[a] = on_hand.force[static_cast<Eigen::Index>(a)];
    force.torque_n_m[a] = on_hand.torque[static_cast<Eigen::Index>(a)];
  }
  force.refused = refused_;
  return force;
}

NetworkDevice::NetworkDevice(const std::string& where, const DeviceDescription& description)
    : socket_(description.host, description.port, description.allow_remote,
              {where + ".host =", where + ".port", where + ".allow_remote = true"}),
      conversation_(description.watchdog_s) {}

double NetworkDevice::now_s() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

HandSample NetworkDevice::read(double) {
  std::array<std::byte, sizeof(device_wire::Hand) + 1> buffer;
  for (int n = 0; n < kMostPerRead; ++n) {
    Endpoint from;
    const auto size = socket_.receive(buffer, from, 0.0);
    if (!size) break;
    conversation_.hear(std::span(buffer).first(std::min(*size, buffer.size())), from, now_s());
  }
  return conversation_.sample(now_s());
}

void NetworkDevice::write(const Wrench& on_hand) {
  if (!conversation_.partner()) return;
  const device_wire::Force force = conversation_.answer(on_hand);
  socket_.send(std::as_bytes(std::span(&force, 1)), *conversation_.partner());
}

}  // namespace distal
