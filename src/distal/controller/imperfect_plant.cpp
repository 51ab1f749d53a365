#include "distal/controller/imperfect_plant.hpp"

#include <fmt/format.h>

#include "distal/core/error.hpp"

namespace distal {
namespace {

Sample sample_of(const BodyCommand& command) {
  switch (command.mode) {
    case CommandMode::wrench:
      return {command.mode, command.wrench.force, command.wrench.torque, Quat::Identity()};
    case CommandMode::twist:
      return {command.mode, command.twist.linear, command.twist.angular, Quat::Identity()};
    case CommandMode::pose:
      return {command.mode, command.pose.position, Vec3::Zero(), command.pose.q};
  }
  return {};
}

BodyCommand command_of(const Sample& sample) {
  BodyCommand command;
  command.mode = sample.mode;
  if (sample.mode == CommandMode::wrench) command.wrench = {sample.linear, sample.angular};
  if (sample.mode == CommandMode::twist) command.twist = {sample.linear, sample.angular};
  if (sample.mode == CommandMode::pose) command.pose = {sample.linear, sample.q};
  return command;
}

void pass_wrench(Channel& channel, Wrench& wrench) {
  const Sample seen = channel.pass({CommandMode::wrench, wrench.force, wrench.torque, Quat::Identity()});
  wrench = {seen.linear, seen.angular};
}

void pass_feedback(Channel& channel, BodyFeedback& feedback) {
  switch (channel.description().signal) {
    case Signal::pose: {
      const Sample seen = channel.pass({CommandMode::pose, feedback.pose.position, Vec3::Zero(), feedback.pose.q});
      feedback.pose = {seen.linear, seen.q};
      return;
    }
    case Signal::twist: {
      const Sample seen =
          channel.pass({CommandMode::twist, feedback.twist.linear, feedback.twist.angular, Quat::Identity()});
      feedback.twist = {seen.linear, seen.angular};
      return;
    }
    case Signal::contact:
      return pass_wrench(channel, feedback.contact);
    case Signal::tip:
      return pass_wrench(channel, feedback.tip);
    case Signal::sensor:
      return pass_wrench(channel, feedback.sensor);
    case Signal::command:
      return;
  }
}

}  // namespace

ImperfectPlant::ImperfectPlant(Plant& plant, const std::vector<PlantChannel>& channels, std::uint64_t seed)
    : plant_(plant), acted_(plant.feedback().size()) {
  for (const PlantChannel& channel : channels) {
    if (channel.body >= acted_.size())
      throw InputError(
          fmt::format("channel '{}' is of body {}, allowed: below {}", channel.name, channel.body, acted_.size()));
    channels_.emplace_back(channel.body, Channel(channel.description, channel.name, seed, plant.period_s()));
  }
  look();
}

std::span<const BodyFeedback> ImperfectPlant::exchange(std::span<const BodyCommand> commands) {
  DISTAL_ASSERT(commands.size() == acted_.size());
  acted_.assign(commands.begin(), commands.end());
  for (auto& [body, channel] : channels_)
    if (channel.description().signal == Signal::command)
      acted_[body] = command_of(channel.pass(sample_of(commands[body])));
  plant_.exchange(acted_);
  look();
  return seen_;
}

void ImperfectPlant::look() {
  const auto truth = plant_.feedback();
  seen_.assign(truth.begin(), truth.end());
  for (auto& [body, channel] : channels_) pass_feedback(channel, seen_[body]);
}

ImperfectionMemory ImperfectPlant::save() const {
  ImperfectionMemory memory;
  for (const auto& [body, channel] : channels_) memory.channels.push_back(channel.save());
  memory.seen = seen_;
  return memory;
}

void ImperfectPlant::restore(const ImperfectionMemory& memory) {
  DISTAL_ASSERT(memory.channels.size() == channels_.size() && memory.seen.size() == seen_.size());
  for (std::size_t i = 0; i < channels_.size(); ++i) channels_[i].second.restore(memory.channels[i]);
  seen_ = memory.seen;
}

}  // namespace distal
