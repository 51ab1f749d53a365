#include "distal/core/udp_socket.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "distal/core/error.hpp"

namespace distal {
namespace {

static_assert(sizeof(sockaddr_in6) == sizeof(Endpoint::address));

const sockaddr* as_sockaddr(const Endpoint& endpoint) {
  return reinterpret_cast<const sockaddr*>(endpoint.address.data());
}

template <typename Address>
Address address_of(const Endpoint& endpoint) {
  Address address{};
  std::memcpy(&address, endpoint.address.data(), sizeof address);
  return address;
}

Endpoint find_host(const std::string& host, int port, const UdpWords& words) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_DGRAM;
  if (const int error = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found))
    throw InputError(fmt::format("{} {}: {}; allowed: a name or an address of this machine, such as 127.0.0.1",
                                 words.host, host, gai_strerror(error)));
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(found, freeaddrinfo);
  Endpoint endpoint;
  endpoint.size = found->ai_addrlen;
  DISTAL_ASSERT(endpoint.size <= endpoint.address.size());
  std::memcpy(endpoint.address.data(), found->ai_addr, endpoint.size);
  return endpoint;
}

}  // namespace

std::string text_of(const Endpoint& endpoint) {
  char text[INET6_ADDRSTRLEN] = "";
  if (as_sockaddr(endpoint)->sa_family == AF_INET6) {
    const auto address = address_of<sockaddr_in6>(endpoint);
    inet_ntop(AF_INET6, &address.sin6_addr, text, sizeof text);
    return fmt::format("[{}]:{}", text, ntohs(address.sin6_port));
  }
  const auto address = address_of<sockaddr_in>(endpoint);
  inet_ntop(AF_INET, &address.sin_addr, text, sizeof text);
  return fmt::format("{}:{}", text, ntohs(address.sin_port));
}

bool is_loopback(const Endpoint& endpoint) {
  if (as_sockaddr(endpoint)->sa_family == AF_INET6) {
    const auto address = address_of<sockaddr_in6>(endpoint);
    return IN6_IS_ADDR_LOOPBACK(&address.sin6_addr);
  }
  return (ntohl(address_of<sockaddr_in>(endpoint).sin_addr.s_addr) >> 24) == 127;
}

UdpSocket::UdpSocket(const std::string& host, int port, bool allow_remote, const UdpWords& words) {
  local_ = find_host(host, port, words);
  if (!allow_remote && !is_loopback(local_))
    throw InputError(
        fmt::format("{} {}: other machines could command the plant there, and the protocol knows no passwords; "
                    "add {} if you want that, or take 127.0.0.1 or ::1",
                    words.host, host, words.allow_remote));
  socket_ = ::socket(as_sockaddr(local_)->sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket_ < 0 || ::bind(socket_, as_sockaddr(local_), local_.size) != 0) {
    const int error = errno;
    if (socket_ >= 0) ::close(socket_);
    const std::string remedy =
        error == EADDRINUSE
            ? fmt::format("; another program listens there, take another {} or 0 for any free one", words.port)
            : "";
    throw InputError(fmt::format("cannot listen at {}: {}{}", text_of(local_), std::strerror(error), remedy));
  }
  socklen_t size = sizeof local_.address;
  ::getsockname(socket_, reinterpret_cast<sockaddr*>(local_.address.data()), &size);
}

UdpSocket::~UdpSocket() { ::close(socket_); }

// Waiting by the socket's own timeout costs one call a datagram where poll would cost two.
void UdpSocket::set_timeout(double seconds) {
  if (seconds == timeout_s_) return;
  timeout_s_ = seconds;
  timeval time{};
  time.tv_sec = static_cast<time_t>(seconds);
  time.tv_usec = static_cast<suseconds_t>(1e6 * (seconds - static_cast<double>(time.tv_sec)));
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
}

std::optional<std::size_t> UdpSocket::receive(std::span<std::byte> buffer, Endpoint& from, double longest_wait_s) {
  if (longest_wait_s > 0.0) set_timeout(longest_wait_s);
  from = Endpoint{};
  socklen_t size = sizeof from.address;
  const int flags = MSG_TRUNC | (longest_wait_s > 0.0 ? 0 : MSG_DONTWAIT);
  const ssize_t got =
      ::recvfrom(socket_, buffer.data(), buffer.size(), flags, reinterpret_cast<sockaddr*>(from.address.data()), &size);
  if (got < 0) return std::nullopt;
  from.size = size;
  return static_cast<std::size_t>(got);
}

void UdpSocket::send(std::span<const std::byte> datagram, const Endpoint& to) {
  ::sendto(socket_, datagram.data(), datagram.size(), MSG_DONTWAIT, as_sockaddr(to), to.size);
}

}  // namespace distal
