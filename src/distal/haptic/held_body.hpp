// A rigid body in a hand: the device drives it through a virtual coupling. A controller like any other, so that runs
// with it are recorded, replayed and continued like any other.
#pragma once
#include "distal/controller/controller.hpp"
#include "distal/haptic/hand_port.hpp"

namespace distal {

struct HeldBodyMemory {
  PortMemory port;
  bool left_alone = true;  // nobody holds it: it stays where it was left
  bool placed = false;
  Pose left;
  BodyCommand command;
};

class HeldBody : public Controller {
 public:
  // Throws InputError.
  HeldBody(const std::string& name, const DeviceDescription& description, const Model& model, std::size_t rigid_index,
           double period_s);

  BodyCommand update(const BodyFeedback& feedback, double period_s) override;

  HandPort& port() { return port_; }
  const HandPort& port() const { return port_; }

  HeldBodyMemory save() const;
  void restore(const HeldBodyMemory& memory);

 private:
  HandPort port_;
  HeldBodyMemory memory_;
};

}  // namespace distal
