// A hand that touches a skin with one point (paper 4, 4.2 and 4.3): finds the touched point, and asks for it to move
// with the hand. Works on any soft body.
#pragma once
#include "distal/haptic/hand_port.hpp"
#include "distal/haptic/skin_index.hpp"

namespace distal {

struct SkinTouchMemory {
  PortMemory port;
  std::int64_t joins = 0;
  bool waits = false;          // it came inside the body: nothing is felt until it was outside
  std::int32_t triangle = -1;  // that it touches; -1: none
};

class SkinTouch {
 public:
  // The model must outlive it. Throws InputError.
  SkinTouch(const std::string& name, const DeviceDescription& description, const Model& model, double period_s);

  // For the next control period; `last` is what came of the last one.
  TouchCommand update(const State& state, double travelled_m, const TouchFeedback& last, double period_s);

  HandPort& port() { return port_; }
  const HandPort& port() const { return port_; }
  const SkinIndex& index() const { return index_; }
  bool touching() const { return memory_.triangle >= 0; }

  SkinTouchMemory save() const;
  void restore(const SkinTouchMemory& memory);

 private:
  SkinPoint find_contact(const State& state, const Vec3& hand, const TouchFeedback& last);

  HandPort port_;
  std::int32_t soft_;
  double spacing_m_;
  SkinIndex index_;
  SkinTouchMemory memory_;
};

}  // namespace distal
