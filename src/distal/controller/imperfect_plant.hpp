// A plant seen through imperfect channels: the controller gets what sensors and wires make of the truth, and the plant
// what they make of the command. It stands before any plant, so in-process and outside controllers see the same.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "distal/controller/channel.hpp"
#include "distal/controller/controller.hpp"

namespace distal {

struct PlantChannel {
  std::string name;  // with the seed it decides what is random
  std::size_t body = 0;
  ChannelDescription description;
};

// All that the channels remember, and what the controller sees now.
struct ImperfectionMemory {
  std::vector<ChannelMemory> channels;
  std::vector<BodyFeedback> seen;
};

class ImperfectPlant : public Plant {
 public:
  // Throws InputError. The plant must outlive it; its present feedback is the first sample of every channel.
  ImperfectPlant(Plant& plant, const std::vector<PlantChannel>& channels, std::uint64_t seed);

  double period_s() const override { return plant_.period_s(); }
  std::span<const BodyFeedback> feedback() const override { return seen_; }
  std::span<const BodyFeedback> exchange(std::span<const BodyCommand> commands) override;

  // What reached the plant in the last exchange.
  std::span<const BodyCommand> acted() const { return acted_; }

  ImperfectionMemory save() const;
  // Of a plant with the same channels.
  void restore(const ImperfectionMemory& memory);

 private:
  void look();

  Plant& plant_;
  std::vector<std::pair<std::size_t, Channel>> channels_;  // with their bodies
  std::vector<BodyFeedback> seen_;
  std::vector<BodyCommand> acted_;
};

}  // namespace distal
