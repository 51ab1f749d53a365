// A device in another program: hands come as datagrams, forces go back. Any bytes may come.
#pragma once
#include <chrono>
#include <optional>
#include <span>
#include <string>

#include "distal/core/udp_socket.hpp"
#include "distal/haptic/description.hpp"
#include "distal/haptic/device.hpp"
#include "distal/haptic/device_wire.hpp"

namespace distal {

// The protocol without socket and clock.
class DeviceConversation {
 public:
  explicit DeviceConversation(double silence_s) : silence_s_(silence_s) {}

  // False where the datagram is no good: of another size, kind or version, late or repeated, or from a stranger while
  // a device is there. `now_s` is of any clock that does not fall.
  bool hear(std::span<const std::byte> datagram, const Endpoint& from, double now_s);
  HandSample sample(double now_s) const;  // unplugged after silence or a farewell
  device_wire::Force answer(const Wrench& on_hand) const;
  const std::optional<Endpoint>& partner() const { return partner_; }
  std::uint64_t refused() const { return refused_; }

 private:
  bool is_silent(double now_s) const { return !partner_ || now_s - heard_s_ > silence_s_; }
  bool take(const device_wire::Header& header, const Endpoint& from, double now_s);

  double silence_s_, heard_s_ = 0.0;
  std::optional<Endpoint> partner_;
  device_wire::Hand newest_;
  std::uint64_t refused_ = 0;
};

class NetworkDevice : public Device {
 public:
  NetworkDevice(const std::string& where, const DeviceDescription& description);  // throws InputError

  HandSample read(double time_s) override;
  void write(const Wrench& on_hand) override;

  std::string address() const { return text_of(socket_.local()); }
  std::uint64_t refused() const { return conversation_.refused(); }

 private:
  double now_s() const;

  UdpSocket socket_;
  DeviceConversation conversation_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace distal
