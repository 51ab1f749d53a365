// One signal between a plant and its controller, as real wires and sensors carry it: filtered, biased, noisy, cut off,
// quantised, late, and now and then lost. Equations and limits: docs/models/imperfect_reality.md.
#pragma once
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "distal/controller/description.hpp"
#include "distal/state/exchange.hpp"

namespace distal {

// What a channel carries. A pose uses `linear` and `q`, everything else `linear` and `angular`.
struct Sample {
  CommandMode mode = CommandMode::wrench;  // commands only
  Vec3 linear = Vec3::Zero();
  Vec3 angular = Vec3::Zero();
  Quat q = Quat::Identity();
};

// All that a channel remembers. Copy it, and both copies go on with equal bits; randomness needs the count alone.
struct ChannelMemory {
  struct InFlight {
    std::int64_t sent = 0, due = 0;  // counts of periods
    Sample sample;
  };
  std::int64_t count = 0;                                       // samples sent
  Quat first_q = Quat::Identity();                              // poses: orientations count from here
  std::array<Vec3, 2> filtered = {Vec3::Zero(), Vec3::Zero()};  // linear, angular
  std::array<Vec3, 2> acting = {Vec3::Zero(), Vec3::Zero()};    // commands: what left the actuator
  std::int64_t newest = -1;                                     // count of the newest sample that has arrived
  Sample shown;                                                 // and that sample
  std::vector<InFlight> in_flight;
};

inline constexpr double kMostPeriodsInFlight = 10000.0;

class Channel {
 public:
  // Throws InputError.
  Channel(const ChannelDescription& description, std::string_view name, std::uint64_t seed, double period_s);

  // One period on: sends `truth`, returns what the other end has by now. Until something arrives a feedback channel
  // shows its first sample, a command channel none: no wrench and no motion.
  Sample pass(const Sample& truth);

  const ChannelDescription& description() const { return description_; }
  const ChannelMemory& save() const { return memory_; }
  void restore(const ChannelMemory& memory) { memory_ = memory; }

 private:
  Sample through_sensor(Sample sample);
  Sample through_line(const Sample& sample);
  Sample through_actuator(Sample sample);
  // `part`: 0 linear, 1 angular
  const Imperfection& imperfection(int part) const { return part == 0 ? description_.linear : description_.angular; }
  void measure(int part, Vec3& value);
  void actuate(int part, Vec3& value);
  void filter(int part, Vec3& value);
  void add_bias_and_noise(int part, Vec3& value) const;

  ChannelDescription description_;
  std::uint64_t key_;
  double period_s_;
  ChannelMemory memory_;
};

}  // namespace distal
