// The plant protocol of Distal, and a client for it: this one header, C++17, POSIX sockets, nothing else. Copy it.
// docs/reference/plant_protocol.md describes the bytes, docs/guide/connect_your_controller.md the first ten minutes.
#ifndef DISTAL_CLIENT_HPP
#define DISTAL_CLIENT_HPP
#include <netdb.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace distal_client {

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the protocol is little-endian: swap the bytes of every field here"
#endif

constexpr std::uint16_t kVersion = 1;
constexpr std::uint32_t kMostBodies = 64;

enum Type : std::uint16_t {
  kHello = 1,
  kStep = 2,
  kReset = 3,
  kStop = 4,
  kDescription = 101,  // answers hello
  kFeedback = 102,     // answers step, reset and stop
};

enum Mode : std::uint32_t { kWrench = 1, kTwist = 2, kPose = 3 };
enum PlantClock : std::uint32_t { kLockStep = 1, kRealTime = 2 };
enum SafeAction : std::uint32_t { kZero = 1, kHold = 2, kBrake = 3 };

// Bits of Progress::status.
enum Status : std::uint32_t {
  kDone = 1u << 0,        // the run is over: the plant steps no more
  kFailed = 1u << 1,      // the step failed: reset, or stop
  kRefused = 1u << 2,     // this command was not taken; a reason is given by one of the next three
  kNotFinite = 1u << 3,   // a number that is none, or a rotation that is none
  kOverLimit = 1u << 4,   // above one of the limits of the description
  kWrongMode = 1u << 5,   // the body does not take this mode
  kBusy = 1u << 6,        // another controller is served: nothing was done
  kSayHello = 1u << 7,    // no hello came from this address: nothing was done
  kSafeAction = 1u << 8,  // real time: no command for too long, the safe action is in force
  kLagging = 1u << 9,     // real time: simulated time is a period or more behind the clock
  kStopped = 1u << 10,    // the answer to stop
};

struct Header {  // of every message
  char magic[4] = {'D', 'S', 'T', 'L'};
  std::uint16_t version = kVersion;
  std::uint16_t type = 0;
  std::uint64_t sequence = 0;
  double time_sent_s = 0.0;  // of the sender's clock; comes back unchanged
  std::uint32_t body_count = 0;
  std::uint32_t size = 0;  // of the whole message [bytes]
};

struct Command {  // of one body, in a step after the header
  std::uint32_t mode = kWrench;
  std::uint32_t reserved = 0;
  // wrench: force [N], torque [N m], on the body at E, along E's axes; twist: of E in the world [m/s], [rad/s];
  // pose: of E in the world, position [m], q_xyzw. The seventh number belongs to a pose alone.
  double values[7] = {};
};

struct Counters {               // of requests since the plant started to listen
  std::uint64_t received = 0;   // well-formed
  std::uint64_t lost = 0;       // numbers skipped by a newer sequence
  std::uint64_t late = 0;       // older than the newest: ignored
  std::uint64_t repeated = 0;   // the newest once more: answered as before
  std::uint64_t malformed = 0;  // ignored
  std::uint64_t refused = 0;    // commands not taken
};

struct Progress {            // of the plant, in every answer after the header
  std::uint64_t period = 0;  // control periods done since the start or the last reset
  double simulated_s = 0.0;
  double lag_s = 0.0;  // real time: how far simulated time is behind the clock
  std::uint32_t status = 0;
  std::uint32_t episode = 0;  // resets so far
  Counters counters;
};

struct Body {              // feedback of one body
  std::uint32_t mode = 0;  // of the command in force
  std::uint32_t reserved = 0;
  double position_m[3] = {}, q_xyzw[4] = {0.0, 0.0, 0.0, 1.0};  // of E in the world
  double linear_m_s[3] = {}, angular_rad_s[3] = {};             // of E in the world
  // Force [N] and torque [N m] on the body, at E, along E's axes.
  double contact[6] = {}, tip[6] = {}, sensor[6] = {};
};

struct Description {  // of the plant, in the answer to hello after the bodies
  double period_s = 0.0;
  double watchdog_s = 0.0;
  double max_force_n = 0.0, max_torque_n_m = 0.0, max_speed_m_s = 0.0, max_angular_speed_rad_s = 0.0;
  double duration_s = 0.0;  // 0: until told to stop
  std::uint64_t scene_hash = 0;
  std::uint32_t clock = kLockStep;
  std::uint32_t safe_action = kZero;
};

struct BodyDescription {    // one per body, after the Description
  char name[72] = {};       // padded with zeros
  std::uint32_t modes = 0;  // bit 0: wrench, bit 1: twist, bit 2: pose
  std::uint32_t reserved = 0;
};

static_assert(sizeof(Header) == 32 && sizeof(Command) == 64 && sizeof(Counters) == 48 && sizeof(Progress) == 80 &&
                  sizeof(Body) == 256 && sizeof(Description) == 72 && sizeof(BodyDescription) == 80,
              "the layout has no gaps");

constexpr std::size_t kBodiesAt = sizeof(Header) + sizeof(Progress);
constexpr std::size_t step_size(std::size_t bodies) { return sizeof(Header) + bodies * sizeof(Command); }
constexpr std::size_t feedback_size(std::size_t bodies) { return kBodiesAt + bodies * sizeof(Body); }
constexpr std::size_t description_size(std::size_t bodies) {
  return feedback_size(bodies) + sizeof(Description) + bodies * sizeof(BodyDescription);
}
constexpr std::size_t kLongestMessage = description_size(kMostBodies);

inline Command wrench(double fx, double fy, double fz, double tx = 0.0, double ty = 0.0, double tz = 0.0) {
  return {kWrench, 0, {fx, fy, fz, tx, ty, tz, 0.0}};
}
inline Command twist(double vx, double vy, double vz, double wx = 0.0, double wy = 0.0, double wz = 0.0) {
  return {kTwist, 0, {vx, vy, vz, wx, wy, wz, 0.0}};
}
inline Command pose(const double (&position_m)[3], const double (&q_xyzw)[4]) {
  return {kPose, 0, {position_m[0], position_m[1], position_m[2], q_xyzw[0], q_xyzw[1], q_xyzw[2], q_xyzw[3]}};
}

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// One controller's line to one plant. A message without an answer is sent again, with the same sequence: the plant
// never steps twice for it. Throws Error when there is no answer for `patience_s`, and when the plant is busy.
class Client {
 public:
  explicit Client(const std::string& host, int port, double patience_s = 10.0) : patience_s_(patience_s) {
    connect_to(host, std::to_string(port));
    // Grows over restarts, so that a controller which comes back from the same port is not taken for an old one.
    const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
    sequence_ = static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(since_1970).count());
    ask(kHello);
    const std::size_t at = feedback_size(bodies_.size());
    read(at, description_);
    body_descriptions_.resize(bodies_.size());
    for (std::size_t b = 0; b < bodies_.size(); ++b)
      read(at + sizeof(Description) + b * sizeof(BodyDescription), body_descriptions_[b]);
  }
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  const Description& description() const { return description_; }
  const std::vector<BodyDescription>& body_descriptions() const { return body_descriptions_; }
  const std::vector<Body>& bodies() const { return bodies_; }  // newest feedback
  const Progress& progress() const { return progress_; }
  bool has(std::uint32_t status) const { return (progress_.status & status) != 0; }
  double round_trip_s() const { return round_trip_s_; }  // of the last exchange, retries included

  // One command per body, held for one control period. Look at progress().status afterwards.
  const std::vector<Body>& step(const Command* commands, std::size_t count) {
    if (count != bodies_.size())
      throw Error("step: " + std::to_string(count) + " commands for " + std::to_string(bodies_.size()) + " bodies");
    ask(kStep, commands, count);
    return bodies_;
  }
  const std::vector<Body>& step(const std::vector<Command>& commands) { return step(commands.data(), commands.size()); }
  const std::vector<Body>& step(const Command& command) { return step(&command, 1); }

  const std::vector<Body>& reset() {
    ask(kReset);
    return bodies_;
  }
  // Gives the plant back. No answer is no fault: it may have gone after the first of our messages.
  void stop() {
    patience_s_ = 0.2;
    try {
      ask(kStop);
    } catch (const Error&) {}
  }

 private:
  static double now_s() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

  void connect_to(const std::string& host, const std::string& port) {
    addrinfo hints{}, *found = nullptr;
    hints.ai_socktype = SOCK_DGRAM;
    if (const int error = getaddrinfo(host.c_str(), port.c_str(), &hints, &found))
      throw Error(host + ":" + port + ": " + gai_strerror(error));
    for (const addrinfo* a = found; a && socket_ < 0; a = a->ai_next) {
      socket_ = ::socket(a->ai_family, a->ai_socktype, a->ai_protocol);
      if (socket_ < 0 || ::connect(socket_, a->ai_addr, a->ai_addrlen) == 0) continue;
      ::close(socket_);
      socket_ = -1;
    }
    freeaddrinfo(found);
    if (socket_ < 0) throw Error(host + ":" + port + ": " + std::strerror(errno));
  }

  void ask(Type type, const Command* commands = nullptr, std::size_t count = 0) {
    Header header;
    header.type = type;
    header.sequence = ++sequence_;
    header.time_sent_s = now_s();
    header.body_count = static_cast<std::uint32_t>(count);
    header.size = static_cast<std::uint32_t>(step_size(count));
    message_.resize(header.size);
    std::memcpy(message_.data(), &header, sizeof header);
    if (count > 0) std::memcpy(message_.data() + sizeof header, commands, count * sizeof(Command));
    // A lost message costs 20 ms; a plant that computes for long is not flooded.
    double wait_s = 0.02;
    do {
      ::send(socket_, message_.data(), message_.size(), 0);  // a failure is a loss
      if (wait_for(type == kHello ? kDescription : kFeedback, wait_s)) {
        round_trip_s_ = now_s() - header.time_sent_s;
        return take_answer();
      }
      wait_s = wait_s < 0.3 ? 2.0 * wait_s : wait_s;
    } while (now_s() - header.time_sent_s < patience_s_);
    throw Error("the plant does not answer; is `distal serve` running at this address?");
  }

  // True when the answer to our newest message is in answer_.
  bool wait_for(Type type, double wait_s) {
    const double until_s = now_s() + wait_s;
    for (double left_s = wait_s; left_s > 0.0; left_s = until_s - now_s()) {
      set_timeout(left_s > 1e-4 ? left_s : 1e-4);
      const ssize_t size = ::recv(socket_, answer_.data(), answer_.size(), 0);
      if (size < 0 && errno == ECONNREFUSED) ::usleep(10000);  // nobody listens there yet
      if (size < static_cast<ssize_t>(kBodiesAt)) continue;
      if (is_answer(type, static_cast<std::size_t>(size))) return true;
    }
    return false;
  }

  void set_timeout(double seconds) {
    if (seconds == timeout_s_) return;  // the common case costs no call
    timeout_s_ = seconds;
    timeval time{};
    time.tv_sec = static_cast<time_t>(seconds);
    time.tv_usec = static_cast<suseconds_t>(1e6 * (seconds - static_cast<double>(time.tv_sec)));
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
  }

  bool is_answer(Type type, std::size_t size) const {
    const Header expected;
    Header header;
    read(0, header);
    const std::size_t bodies = header.body_count;
    return std::memcmp(header.magic, expected.magic, 4) == 0 && header.version == kVersion && header.type == type &&
           header.sequence == sequence_ && header.size == size && bodies <= kMostBodies &&
           size == (type == kDescription ? description_size(bodies) : feedback_size(bodies));
  }

  void take_answer() {
    Header header;
    read(0, header);
    read(sizeof header, progress_);
    bodies_.resize(header.body_count);
    for (std::size_t b = 0; b < bodies_.size(); ++b) read(kBodiesAt + b * sizeof(Body), bodies_[b]);
    if (has(kBusy)) throw Error("the plant is busy with another controller");
    if (has(kSayHello)) throw Error("the plant has given our place away, or was restarted: connect again");
  }

  template <typename Record>
  void read(std::size_t at, Record& record) const {
    std::memcpy(&record, answer_.data() + at, sizeof record);
  }

  int socket_ = -1;
  double patience_s_, timeout_s_ = 0.0, round_trip_s_ = 0.0;
  std::uint64_t sequence_ = 0;
  std::vector<char> message_, answer_ = std::vector<char>(kLongestMessage + 1);
  Description description_;
  std::vector<BodyDescription> body_descriptions_;
  std::vector<Body> bodies_;
  Progress progress_;
};

}  // namespace distal_client

#endif
