// The plant protocol as a machine: a datagram in, a datagram out. It has neither socket nor clock: who sent a datagram
// and when are passed in.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "distal/core/endpoint.hpp"
#include "distal/remote/command_check.hpp"
#include "distal/remote/protocol.hpp"
#include "distal/remote/served_plant.hpp"
#include "distal/scenario/scene.hpp"

namespace distal {

enum class PlantClock { lock_step, real_time };

// One controller at a time. Another is told that the plant is busy, until the first has stopped or was silent for the
// watchdog time. In real time the same silence, counted from the last command, leads to the safe action.
class PlantServer {
 public:
  // Throws InputError for more bodies or joints than a datagram holds, or names that are too long for it.
  PlantServer(ServedPlant& plant, const ServeDescription& description, PlantClock clock);

  // The answer, which is valid until the next call; empty for none. In lock-step a step happens here.
  Bytes handle(Bytes datagram, const Endpoint& from, double now_s);

  // Real time: one period with the command in force, once a first command has come (`running`).
  void advance(double now_s);
  // Real time, after advance: the answer to the newest command of controller(); empty when it has been answered.
  Bytes take_answer(double lag_s);

  const std::optional<Endpoint>& controller() const { return controller_; }
  bool running() const { return running_ && !failed_ && !plant_.ended(); }
  bool stopped() const { return stopped_; }  // the last controller has said stop
  bool failed() const { return failed_; }
  const wire::Counters& counters() const { return counters_; }
  std::uint64_t safe_actions() const { return safe_actions_; }  // how often it came to that
  // Why a command was refused, since the last call; empty when none was.
  std::string take_refusal();

 private:
  Bytes handle_hello(const wire::Header& request, const Endpoint& from, double now_s);
  Bytes handle_step(const wire::Header& request, Bytes datagram, double now_s);
  Bytes handle_reset(const wire::Header& request);
  Bytes handle_stop(const wire::Header& request);
  bool is_controller(const wire::Header& request, const Endpoint& from) const;
  bool is_silent(double now_s) const;
  std::uint32_t read_commands(Bytes datagram);
  std::uint32_t read_joint_commands(const wire::Header& request, Bytes datagram);
  void make_safe();
  bool advance_plant();
  Bytes answer(std::vector<std::byte>& buffer, wire::Type type, const wire::Header& request, std::uint32_t status = 0);
  void write_description(std::span<std::byte> buffer, std::size_t at) const;
  void write_joints(std::span<std::byte> buffer, std::size_t at, bool describes) const;

  ServedPlant& plant_;
  ServeDescription description_;
  PlantClock clock_;
  std::vector<BodyCommand> commands_, wanted_;  // in force; of the datagram being read
  std::vector<JointCommand> joint_commands_, joint_wanted_;
  std::optional<Endpoint> controller_;
  bool present_ = false;                    // it has neither stopped nor lost its place
  double heard_s_ = 0.0;                    // when anything came from it that was not old
  double commanded_s_ = 0.0;                // when its last command was taken
  std::uint64_t newest_ = 0;                // of its sequences
  std::optional<wire::Header> unanswered_;  // real time: its newest command
  std::vector<std::byte> answer_, aside_;   // to the newest sequence; to all else
  wire::Counters counters_;
  CommandFault refusal_;     // the last that was not told
  std::size_t refused_ = 0;  // of the bodies, then of the joints
  bool running_ = false, failed_ = false, stopped_ = false, safe_ = false;
  std::uint64_t safe_actions_ = 0;
  std::uint32_t episode_ = 0;
  double lag_s_ = 0.0;
};

}  // namespace distal
