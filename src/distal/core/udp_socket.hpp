// A bound UDP socket.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "distal/core/endpoint.hpp"

namespace distal {

// How messages name what a user gave.
struct UdpWords {
  std::string host = "--host", port = "--port", allow_remote = "--allow-remote";
};

class UdpSocket {
 public:
  // Listens at a numeric or named host; port 0 is any free one. Throws InputError when the host is unknown, when the
  // port is taken, and when others than this machine could reach it without `allow_remote`.
  UdpSocket(const std::string& host, int port, bool allow_remote, const UdpWords& words = {});
  ~UdpSocket();
  UdpSocket(const UdpSocket&) = delete;
  UdpSocket& operator=(const UdpSocket&) = delete;

  const Endpoint& local() const { return local_; }

  // The size of the next datagram, which may exceed the buffer; none when there is none within `longest_wait_s`, or
  // when a signal came. 0 does not wait.
  std::optional<std::size_t> receive(std::span<std::byte> buffer, Endpoint& from, double longest_wait_s);
  // A datagram that cannot be sent is a lost one.
  void send(std::span<const std::byte> datagram, const Endpoint& to);

 private:
  void set_timeout(double seconds);

  int socket_ = -1;
  double timeout_s_ = 0.0;
  Endpoint local_;
};

}  // namespace distal
