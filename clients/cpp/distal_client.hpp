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
constexpr std::uint32_t kMostBodies = 64, kMostJoints = 64;
// Between two sequences of one controller; days, for numbers that are microseconds.
constexpr std::uint64_t kLongestJump = std::uint64_t{1} << 40;

enum Type : std::uint16_t {
  kHello = 1,
  kStep = 2,
  kReset = 3,
  kStop = 4,
  kDescription = 101,  // answers hello
  kFeedback = 102,     // answers step, reset and stop
};
// Added to any type: the same message, with a record of every joint behind its end; so is the answer.
constexpr std::uint16_t kWithJoints = 16;

enum Mode : std::uint32_t { kWrench = 1, kTwist = 2, kPose = 3 };
enum JointMode : std::uint32_t { kOwn = 1, kJointTorque = 2, kJointPosition = 3 };
enum PlantClock : std::uint32_t { kLockStep = 1, kRealTime = 2 };
enum SafeAction : std::uint32_t { kZero = 1, kHold = 2, kBrake = 3 };

// Bits of Progress::status.
enum Status : std::uint32_t {
  kDone = 1u << 0,        // the run is over: the plant steps no more
  kFailed = 1u << 1,      // the step failed: reset, or stop
  kRefused = 1u << 2,     // this command was not taken; a reason is given by one of the next three
  kNotFinite = 1u << 3,   // a number that is none, or a rotation that is none
  kOverLimit = 1u << 4,   // above one of the limits of the description
  kWrongMode = 1u << 5,   // the body or joint does not take this mode
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

struct JointCommand {         // radians and newton metres, or metres and newtons
  std::uint32_t mode = kOwn;  // own: its own motor and path, as the scene has them
  std::uint32_t reserved = 0;
  double value = 0.0;  // joint_torque: of the motor; joint_position: where to be at the end of the period
  double rate = 0.0;   // joint_position: how fast that target moves
};

struct Counters {               // of requests since the plant started to listen
  std::uint64_t received = 0;   // well-formed
  std::uint64_t lost = 0;       // numbers skipped by a newer sequence
  std::uint64_t late = 0;       // older than the newest: ignored
  std::uint64_t repeated = 0;   // the newest once more: answered as before
  std::uint64_t malformed = 0;  // ignored
  std::uint64_t refused = 0;    // commands not taken, and numbers too far from the newest
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

struct Joint {                // feedback of one joint
  std::uint32_t mode = kOwn;  // of the command in force
  std::uint32_t limited = 0;  // 1: the motor gave all that it can
  double position = 0.0, velocity = 0.0;
  double effort = 0.0;  // of its motor
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
  std::uint32_t joint = 0;  // that moves it, counted from 1; 0: none
};

struct JointDescription {           // one per joint, at the very end
  char name[72] = {};               // padded with zeros
  std::uint32_t kind = 0;           // 1: turns [rad, N m], 2: slides [m, N]
  std::uint32_t modes = 0;          // bit 0: own, bit 1: joint_torque, bit 2: joint_position
  double lower = 0.0, upper = 0.0;  // may be infinite, like the next
  double most_effort = 0.0;         // what its motor can give
  double motor_stiffness = 0.0, motor_damping = 0.0;
  std::uint32_t body = 0;     // that it moves: index
  std::uint32_t follows = 0;  // another joint, counted from 1; 0: none
};

static_assert(sizeof(Header) == 32 && sizeof(Command) == 64 && sizeof(Counters) == 48 && sizeof(Progress) == 80 &&
                  sizeof(Body) == 256 && sizeof(Description) == 72 && sizeof(BodyDescription) == 80 &&
                  sizeof(JointCommand) == 24 && sizeof(Joint) == 32 && sizeof(JointDescription) == 128,
              "the layout has no gaps");

constexpr std::size_t kBodiesAt = sizeof(Header) + sizeof(Progress);
constexpr std::size_t step_size(std::size_t bodies) { return sizeof(Header) + bodies * sizeof(Command); }
constexpr std::size_t feedback_size(std::size_t bodies) { return kBodiesAt + bodies * sizeof(Body); }
constexpr std::size_t description_size(std::size_t bodies) {
  return feedback_size(bodies) + sizeof(Description) + bodies * sizeof(BodyDescription);
}
constexpr std::size_t kLongestMessage =
    description_size(kMostBodies) + kMostJoints * (sizeof(Joint) + sizeof(JointDescription));

inline Command wrench(double fx, double fy, double fz, double tx = 0.0, double ty = 0.0, double tz = 0.0) {
  return {kWrench, 0, {fx, fy, fz, tx, ty, tz, 0.0}};
}
inline Command twist(double vx, double vy, double vz, double wx = 0.0, double wy = 0.0, double wz = 0.0) {
  return {kTwist, 0, {vx, vy, vz, wx, wy, wz, 0.0}};
}
inline Command pose(const double (&position_m)[3], const double (&q_xyzw)[4]) {
  return {kPose, 0, {position_m[0], position_m[1], position_m[2], q_xyzw[0], q_xyzw[1], q_xyzw[2], q_xyzw[3]}};
}

inline JointCommand joint_torque(double n_m) { return {kJointTorque, 0, n_m, 0.0}; }
inline JointCommand joint_position(double rad, double rate_rad_s = 0.0) { return {kJointPosition, 0, rad, rate_rad_s}; }

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
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      read(at + sizeof(Description) + b * sizeof(BodyDescription), body_descriptions_[b]);
      if (body_descriptions_[b].joint > 0) with_joints_ = kWithJoints;
    }
    if (with_joints_ == 0) return;
    ask(kHello);
    joint_descriptions_.resize(joints_.size());
    const std::size_t joints_end = description_size(bodies_.size()) + joints_.size() * sizeof(Joint);
    for (std::size_t j = 0; j < joints_.size(); ++j)
      read(joints_end + j * sizeof(JointDescription), joint_descriptions_[j]);
  }
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  const Description& description() const { return description_; }
  const std::vector<BodyDescription>& body_descriptions() const { return body_descriptions_; }
  const std::vector<Body>& bodies() const { return bodies_; }  // newest feedback
  const std::vector<JointDescription>& joint_descriptions() const { return joint_descriptions_; }
  const std::vector<Joint>& joints() const { return joints_; }  // newest feedback
  const Progress& progress() const { return progress_; }
  bool has(std::uint32_t status) const { return (progress_.status & status) != 0; }
  double round_trip_s() const { return round_trip_s_; }  // of the last exchange, retries included

  // One command per body, held for one control period. Look at progress().status afterwards.
  const std::vector<Body>& step(const Command* commands, std::size_t count) {
    if (count != bodies_.size())
      throw Error("step: " + std::to_string(count) + " commands for " + std::to_string(bodies_.size()) + " bodies");
    joint_commands_.assign(joints_.size(), JointCommand{});
    ask(kStep, commands, count);
    return bodies_;
  }
  // The same with one command per joint: a whole hand in one message.
  const std::vector<Body>& step(const std::vector<Command>& commands, const std::vector<JointCommand>& joints) {
    if (commands.size() != bodies_.size() || joints.size() != joints_.size())
      throw Error("step: " + std::to_string(commands.size()) + " and " + std::to_string(joints.size()) +
                  " commands for " + std::to_string(bodies_.size()) + " bodies and " + std::to_string(joints_.size()) +
                  " joints");
    joint_commands_ = joints;
    ask(kStep, commands.data(), commands.size());
    return bodies_;
  }
  // Joints alone; every body is left to what moves it.
  const std::vector<Body>& step_joints(const std::vector<JointCommand>& joints) {
    return step(std::vector<Command>(bodies_.size()), joints);
  }

  // By name; throws Error with the names that there are.
  std::size_t body_index(const std::string& name) const { return find(body_descriptions_, "body", name); }
  std::size_t joint_index(const std::string& name) const { return find(joint_descriptions_, "joint", name); }

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

  template <typename Record>
  static std::size_t find(const std::vector<Record>& records, const char* what, const std::string& name) {
    std::string known;
    for (std::size_t i = 0; i < records.size(); ++i) {
      const std::string other(records[i].name, strnlen(records[i].name, sizeof records[i].name));
      if (other == name) return i;
      known += (known.empty() ? "" : ", ") + other;
    }
    throw Error(std::string("the plant has no ") + what + " '" + name + "'; there are: " + known);
  }

  void ask(Type type, const Command* commands = nullptr, std::size_t count = 0) {
    const std::size_t joints = type == kStep ? joint_commands_.size() : 0;
    Header header;
    header.type = static_cast<std::uint16_t>(type + with_joints_);
    header.sequence = ++sequence_;
    header.time_sent_s = now_s();
    header.body_count = static_cast<std::uint32_t>(count);
    header.size = static_cast<std::uint32_t>(step_size(count) + joints * sizeof(JointCommand));
    message_.resize(header.size);
    std::memcpy(message_.data(), &header, sizeof header);
    if (count > 0) std::memcpy(message_.data() + sizeof header, commands, count * sizeof(Command));
    if (joints > 0)
      std::memcpy(message_.data() + step_size(count), joint_commands_.data(), joints * sizeof(JointCommand));
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
    return std::memcmp(header.magic, expected.magic, 4) == 0 && header.version == kVersion &&
           header.type == type + with_joints_ && header.sequence == sequence_ && header.size == size &&
           header.body_count <= kMostBodies && has_whole_joints(type, header.body_count, size);
  }

  // Joints are what is left behind the plain message; a plant that has none leaves nothing.
  bool has_whole_joints(Type type, std::size_t bodies, std::size_t size) const {
    const std::size_t plain = plain_size(type, bodies), each = joint_size(type);
    if (with_joints_ == 0) return size == plain;
    return size >= plain && (size - plain) % each == 0 && (size - plain) / each <= kMostJoints;
  }
  static std::size_t plain_size(Type type, std::size_t bodies) {
    return type == kDescription ? description_size(bodies) : feedback_size(bodies);
  }
  static std::size_t joint_size(Type type) {
    return sizeof(Joint) + (type == kDescription ? sizeof(JointDescription) : 0);
  }

  void take_answer() {
    Header header;
    read(0, header);
    read(sizeof header, progress_);
    bodies_.resize(header.body_count);
    for (std::size_t b = 0; b < bodies_.size(); ++b) read(kBodiesAt + b * sizeof(Body), bodies_[b]);
    const auto type = static_cast<Type>(header.type - with_joints_);
    const std::size_t joints_at = plain_size(type, bodies_.size());
    joints_.resize((header.size - joints_at) / joint_size(type));
    for (std::size_t j = 0; j < joints_.size(); ++j) read(joints_at + j * sizeof(Joint), joints_[j]);
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
  std::vector<JointDescription> joint_descriptions_;
  std::vector<Joint> joints_;
  std::vector<JointCommand> joint_commands_;
  std::uint16_t with_joints_ = 0;
  Progress progress_;
};

}  // namespace distal_client

#endif
