// Where device and simulation meet: in lock-step within one call, with a delay if one is asked for; in real time
// through a link to the force loop, in which the newest whole states lie and nobody waits.
#pragma once
#include <memory>
#include <string>

#include "distal/core/newest.hpp"
#include "distal/haptic/device_side.hpp"

namespace distal {

struct ForceLink {
  Newest<HandState> to_simulation;
  Newest<EchoState> to_hand;
};

// What a device and its port remember in lock-step; copy it and both copies go on with equal bits.
struct PortMemory {
  DeviceMemory device;
  std::vector<double> own;               // the device's
  std::vector<HandState> to_simulation;  // on their way, the oldest first
  std::vector<EchoState> to_hand;
  HandState hand;  // that acts now
  std::int64_t exchanges = 0;
};

class HandPort {
 public:
  // Throws InputError; `period_s` is the control period.
  HandPort(std::string name, const DeviceDescription& description, std::optional<Coupling> coupling, double period_s);

  // One period: the hand that acts now.
  const HandState& exchange(double time_s, double period_s, EchoState echo);

  const std::string& name() const { return name_; }
  const DeviceDescription& description() const { return description_; }
  const Coupling& coupling() const { return *coupling_; }
  const HandState& hand() const { return memory_.hand; }
  Device& device() { return *device_; }
  DeviceSide& side() { return *side_; }
  const DeviceSide& side() const { return *side_; }
  // In place of the device of the description, before the first period.
  void plug_in(std::unique_ptr<Device> device);

  PortMemory save() const;
  void restore(const PortMemory& memory);

  // Real time: the device's side runs in the force loop, which owns the link. Null: in lock-step again.
  void set_link(ForceLink* link) { link_ = link; }

 private:
  std::string name_;
  DeviceDescription description_;
  std::optional<Coupling> coupling_;
  std::size_t delay_;  // periods
  std::unique_ptr<Device> device_;
  std::unique_ptr<DeviceSide> side_;
  PortMemory memory_;
  ForceLink* link_ = nullptr;
};

}  // namespace distal
