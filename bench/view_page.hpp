// The least that a live page does, on a real socket: takes frames and says that it has got them.
#pragma once
#include <arpa/inet.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

namespace distal::bench {

enum class Manner { prompt, slow, stalled };

class Page {
 public:
  Page(int port, Manner manner) : socket_(::socket(AF_INET, SOCK_STREAM, 0)), manner_(manner) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error("no connection to the live page");
    send_all(
        fmt::format("GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
                    "Sec-WebSocket-Protocol: distal.view.1\r\n\r\n",
                    port));
    std::string head;
    while (!head.ends_with("\r\n\r\n")) head += read(1);
    if (!head.starts_with("HTTP/1.1 101")) throw std::runtime_error(head);
    // Positions and one colour.
    say(R"({"type": "show", "roles": ["surface", "rod"], "colour": "pressure_pa", "contacts": false})");
  }
  ~Page() { ::close(socket_); }
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  // Until the program closes the connection, or `over` for one that is stalled.
  void look_on(const std::atomic<bool>& over) {
    const sched_param ordinary{};
    sched_setscheduler(0, SCHED_OTHER, &ordinary);  // whatever the thread that began it has
    constexpr std::uint64_t kBeforeStalling = 10;
    while (take_message()) {
      if (manner_ != Manner::stalled || frames < kBeforeStalling) continue;
      while (!over) std::this_thread::sleep_for(std::chrono::milliseconds(10));
      return;
    }
  }

  std::uint64_t frames = 0, bytes = 0;  // of frames behind the first
  double seconds = 0.0;                 // from the first frame to the last

 private:
  // False when the program has ended.
  bool take_message() {
    try {
      const std::string head = read(2);
      std::uint64_t size = static_cast<unsigned char>(head[1]) & 127u;
      const int more = size == 126 ? 2 : size == 127 ? 8 : 0;
      if (more > 0) size = 0;
      for (const char byte : read(static_cast<std::size_t>(more))) size = size << 8 | static_cast<unsigned char>(byte);
      const std::string payload = read(size);
      const std::size_t at = payload.find("\"frame\":");
      if ((head[0] & 15) != 2 || payload[0] != 2 || at == std::string::npos) return true;
      const Clock::time_point now = Clock::now();
      if (first_ == Clock::time_point()) {
        first_ = now;
      } else {
        ++frames;
        bytes += size;
        seconds = std::chrono::duration<double>(now - first_).count();
      }
      say(fmt::format(R"({{"type": "got", "frame": {}}})", std::atoll(payload.c_str() + at + 8)));
    } catch (const std::runtime_error&) { return false; }
    return true;
  }

  // A text of fewer than 126 bytes, masked with zeros.
  void say(const std::string& text) {
    send_all(std::string("\x81") + static_cast<char>(0x80 | text.size()) + std::string(4, '\0') + text);
  }
  void send_all(const std::string& text) {
    if (::send(socket_, text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size()))
      throw std::runtime_error("the live page does not listen");
  }
  std::string read(std::size_t size) {
    constexpr std::size_t kSlowPiece = 20000;
    std::string text(size, '\0');
    for (std::size_t done = 0; done < size;) {
      const std::size_t most = manner_ == Manner::slow ? std::min(size - done, kSlowPiece) : size - done;
      const ssize_t got = ::recv(socket_, text.data() + done, most, 0);
      if (got <= 0) throw std::runtime_error("closed");
      done += static_cast<std::size_t>(got);
      if (most == kSlowPiece) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return text;
  }

  using Clock = std::chrono::steady_clock;
  int socket_;
  Manner manner_;
  Clock::time_point first_{};
};

}  // namespace distal::bench
