#include "distal/haptic/held_body.hpp"

namespace distal {

HeldBody::HeldBody(const std::string& name, const DeviceDescription& description, const Model& model,
                   std::size_t rigid_index, double period_s)
    : port_(name, description, Coupling("device." + name, description, model, rigid_index, period_s), period_s) {}

BodyCommand HeldBody::update(const BodyFeedback& feedback, double period_s) {
  if (!is_usable(feedback)) return memory_.command;
  EchoState echo;
  echo.body = {feedback.pose, feedback.twist};
  const HandState& hand = port_.exchange(feedback.time_s, period_s, echo);
  if (!hand.connected) {
    if (!memory_.left_alone || !memory_.placed) memory_.left = feedback.pose;
    memory_.left_alone = memory_.placed = true;
    return memory_.command =
               port_.coupling().command(port_.coupling().pull({memory_.left, {}}, echo.body), feedback.pose);
  }
  memory_.left_alone = false;
  const Wrench pull = port_.coupling().pull(hand.wanted, echo.body, hand.gain);
  return memory_.command = port_.coupling().command(pull, feedback.pose);
}

HeldBodyMemory HeldBody::save() const {
  HeldBodyMemory memory = memory_;
  memory.port = port_.save();
  return memory;
}

void HeldBody::restore(const HeldBodyMemory& memory) {
  memory_ = memory;
  port_.restore(memory.port);
}

}  // namespace distal
