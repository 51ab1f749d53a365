// Who sent a datagram: an address and a port, to compare and to answer to.
#pragma once
#include <array>
#include <cstddef>
#include <string>

namespace distal {

struct Endpoint {
  std::array<std::byte, 28> address{};  // a sockaddr_in or sockaddr_in6, as the system gives it
  unsigned size = 0;                    // of it [bytes]
  bool operator==(const Endpoint&) const = default;
};

std::string text_of(const Endpoint& endpoint);  // 127.0.0.1:17810, [::1]:17810
bool is_loopback(const Endpoint& endpoint);

}  // namespace distal
