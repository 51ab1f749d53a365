// What a viewer costs: a finger with 20,000 surface vertices in real time, without a viewer, with one on a real socket,
// and with one that is stalled. usage: view_rate [SECONDS]
#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>

#include "distal/record/statistics.hpp"
#include "distal/remote/real_time.hpp"
#include "distal/run/run_scene.hpp"
#include "distal/view/watcher.hpp"

namespace {

using namespace distal;

// The least that a page does: takes frames and says that it has got them.
class Page {
 public:
  explicit Page(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
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
      ++frames;
      bytes += size;
      say(fmt::format(R"({{"type": "got", "frame": {}}})", std::atoll(payload.c_str() + at + 8)));
    } catch (const std::runtime_error&) { return false; }
    return true;
  }

  std::uint64_t frames = 0, bytes = 0;

 private:
  // A text of fewer than 126 bytes, masked with zeros.
  void say(const std::string& text) {
    send_all(std::string("\x81") + static_cast<char>(0x80 | text.size()) + std::string(4, '\0') + text);
  }
  void send_all(const std::string& text) {
    if (::send(socket_, text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size()))
      throw std::runtime_error("the live page does not listen");
  }
  std::string read(std::size_t size) {
    std::string text(size, '\0');
    for (std::size_t done = 0; done < size;) {
      const ssize_t got = ::recv(socket_, text.data() + done, size - done, 0);
      if (got <= 0) throw std::runtime_error("closed");
      done += static_cast<std::size_t>(got);
    }
    return text;
  }

  int socket_;
};

// Measures what looking costs and how many periods are late; the watcher inside is optional.
class Meter : public Onlooker {
 public:
  Meter(Watcher* watcher, ViewServer* server) : watcher_(watcher), server_(server) {}

  void begin(const Scene& scene, const Session& session) override {
    particles = session.simulation().model().active_particles();
    vertices = session.simulation().model().soft[0].skin.size();
    if (watcher_) watcher_->begin(scene, session);
    start_s_ = monotonic_s();
  }
  double look(const Session& session) override {
    const double before_s = monotonic_s();
    const bool wanted = server_ && server_->wants_moment();
    if (watcher_) watcher_->look(session);
    const double now_s = monotonic_s();
    if (wanted) frame_cost.update(now_s - before_s);
    ++periods;
    if (now_s - start_s_ > session.simulation().state().time_s) ++late;
    return 0.0;
  }
  void end(const Session& session, RunStatus status, const std::string& message) override {
    if (watcher_) watcher_->end(session, status, message);
  }

  DurationStatistics frame_cost;
  int particles = 0;
  std::size_t vertices = 0;
  std::uint64_t periods = 0, late = 0;

 private:
  Watcher* watcher_;
  ViewServer* server_;
  double start_s_ = 0.0;
};

enum class Audience { nobody, one, stalled };

// A stalled page asks for frames and then reads nothing: its socket fills up.
void look_on(Page& page, Audience audience, const std::atomic<bool>& over) {
  constexpr std::uint64_t kBeforeStalling = 10;
  while (page.take_message())
    while (audience == Audience::stalled && page.frames > kBeforeStalling && !over)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

void print_line(const char* name, const Meter& meter) {
  fmt::print("{:<12}{:6.2f} % of {} periods late", name,
             100.0 * static_cast<double>(meter.late) / static_cast<double>(meter.periods), meter.periods);
  if (meter.frame_cost.count() > 0)
    fmt::print("; a frame costs the simulation {:.0f} us median, {:.0f} us 99 %, {:.0f} us worst",
               1e6 * meter.frame_cost.quantile_s(0.5), 1e6 * meter.frame_cost.quantile_s(0.99),
               1e6 * meter.frame_cost.worst_s());
  fmt::print("\n");
}

void measure(const Scene& scene, Audience audience, const char* name) {
  ViewServer server({"127.0.0.1", 0, false});
  Watcher watcher(server, {"bench", false, 0.0, nullptr});
  Meter meter(audience == Audience::nobody ? nullptr : &watcher, &server);
  RunOptions options;
  options.realtime = true;
  options.onlooker = &meter;
  std::atomic<bool> over{false};
  std::uint64_t frames = 0, bytes = 0;
  std::jthread looker;
  if (audience != Audience::nobody)
    looker = std::jthread([&] {
      Page page(std::atoi(server.url().c_str() + std::strlen("http://127.0.0.1:")));
      look_on(page, audience, over);
      frames = page.frames, bytes = page.bytes;
    });
  const RunResult result = run_scene(scene, options);
  over = true;
  if (looker.joinable()) looker.join();
  print_line(name, meter);
  if (audience != Audience::one) return;
  fmt::print("            {} surface vertices, {} particles: {:.1f} frames/s of {:.1f} kB, {:.2f} MB/s\n",
             meter.vertices, meter.particles, static_cast<double>(frames) / result.wall_s,
             1e-3 * static_cast<double>(bytes) / static_cast<double>(frames),
             1e-6 * static_cast<double>(bytes) / result.wall_s);
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 6.0;
  const std::vector<std::string> overrides = {"body.finger.surface_spacing_cells=0.2",
                                              "body.finger.cell_size_m=0.00146",
                                              fmt::format("run.duration_s={}", seconds / 3.0)};
  const Scene scene = load_scene(std::filesystem::path(DISTAL_SCENARIO_DIR) / "press.toml", overrides);
  measure(scene, Audience::nobody, "nobody");
  measure(scene, Audience::one, "one viewer");
  measure(scene, Audience::stalled, "stalled");
}
