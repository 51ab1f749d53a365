#include "distal/haptic/hand_port.hpp"

#include <cmath>

#include "distal/haptic/devices.hpp"

namespace distal {

HandPort::HandPort(std::string name, const DeviceDescription& description, std::optional<Coupling> coupling,
                   double period_s)
    : name_(std::move(name)),
      description_(description),
      coupling_(std::move(coupling)),
      delay_(static_cast<std::size_t>(std::lround(description.delay_s / period_s))) {
  plug_in(make_device("device." + name_, description_));
}

void HandPort::plug_in(std::unique_ptr<Device> device) {
  device_ = std::move(device);
  side_ = std::make_unique<DeviceSide>(description_, *device_, coupling_ ? &*coupling_ : nullptr);
}

const HandState& HandPort::exchange(double time_s, double period_s, EchoState echo) {
  echo.number = ++memory_.exchanges;
  if (link_ != nullptr) {
    link_->to_hand.back() = echo;
    link_->to_hand.publish();
    if (link_->to_simulation.take()) memory_.hand = link_->to_simulation.front();
    return memory_.hand;
  }
  memory_.to_hand.push_back(echo);
  // What was on its way before the first period is what there was then.
  const EchoState heard = memory_.to_hand.front();
  if (memory_.to_hand.size() > delay_) memory_.to_hand.erase(memory_.to_hand.begin());
  memory_.to_simulation.push_back(side_->advance(time_s, period_s, heard));
  if (memory_.to_simulation.size() > delay_) {
    memory_.hand = memory_.to_simulation.front();
    memory_.to_simulation.erase(memory_.to_simulation.begin());
  }
  return memory_.hand;
}

PortMemory HandPort::save() const {
  PortMemory memory = memory_;
  memory.device = side_->memory();
  memory.own = device_->save();
  return memory;
}

void HandPort::restore(const PortMemory& memory) {
  memory_ = memory;
  side_->restore(memory.device);
  device_->restore(memory.own);
}

}  // namespace distal
