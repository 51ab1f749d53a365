#include "distal/remote/remote_plant.hpp"

#include "distal/remote/protocol.hpp"

namespace distal {
namespace {

const char* reason(std::uint32_t status) {
  if (status & wire::kNotFinite) return "a number is none";
  if (status & wire::kOverLimit) return "it is above a limit of the plant";
  return "the body does not take this mode";
}

}  // namespace

RemotePlant::RemotePlant(const std::string& host, int port) : client_(host, port) { read(); }

std::span<const BodyFeedback> RemotePlant::exchange(std::span<const BodyCommand> commands) {
  commands_.clear();
  for (const BodyCommand& command : commands) commands_.push_back(to_wire(command));
  client_.step(commands_);
  if (client_.has(wire::kRefused))
    throw wire::Error(std::string("the plant refuses the command: ") + reason(progress().status));
  if (client_.has(wire::kFailed)) throw wire::Error("the plant's step failed; its own message says why");
  read();
  return feedback_;
}

void RemotePlant::reset() {
  client_.reset();
  read();
}

std::vector<std::string> RemotePlant::body_names() const {
  std::vector<std::string> names;
  for (const wire::BodyDescription& body : client_.body_descriptions())
    names.emplace_back(body.name, strnlen(body.name, sizeof body.name));
  return names;
}

void RemotePlant::read() {
  feedback_.clear();
  for (const wire::Body& body : client_.bodies()) feedback_.push_back(from_wire(body, progress().simulated_s));
}

}  // namespace distal
