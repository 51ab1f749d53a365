// A hand that touches a skin with one point (paper 4, 4.2 and 4.3): finds the touched point, and asks for it to move
// with the hand. Works on any soft body.
#pragma once
#include "distal/haptic/hand_port.hpp"
#include "distal/haptic/touch_link.hpp"

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

  // Real time: the touched point is found in the touch loop, which owns the link and calls serve_link(). Null: within
  // update() again.
  void set_link(TouchLink* link) { link_ = link; }
  // One period of the touch loop: the newest body, and the hand on it.
  void serve_link();

  HandPort& port() { return port_; }
  const HandPort& port() const { return port_; }
  const SkinIndex& index() const { return index_; }
  bool touching() const { return touching_; }

  SkinTouchMemory save() const;
  void restore(const SkinTouchMemory& memory);

 private:
  // What the hand touches; keeps what is touched while it lasts.
  SkinFound find(const Vec3Array& x, double travelled_m, const Vec3& last_force_n, const HandState& hand);
  SkinPoint find_contact(const Vec3Array& x, const Vec3& hand, const Vec3& last_force_n);
  const SkinFound& exchange(const State& state, double travelled_m, const Vec3& last_force_n, const HandState& hand);
  TouchCommand make_command(const Vec3Array& x, const HandState& hand, SkinPoint point, double period_s) const;

  HandPort port_;
  std::int32_t soft_;
  double spacing_m_;
  SkinIndex index_;
  SkinTouchMemory memory_;  // all but the port is the touch loop's while there is one
  bool touching_ = false;
  TouchLink* link_ = nullptr;
};

}  // namespace distal
