// The controllers of a scene, one place per commanded body.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "distal/controller/controller.hpp"
#include "distal/controller/description.hpp"
#include "distal/controller/prescribed_motion.hpp"
#include "distal/haptic/held_body.hpp"
#include "distal/haptic/skin_touch.hpp"
#include "distal/record/checkpoint.hpp"
#include "distal/scenario/scene.hpp"
#include "distal/simulation/simulation.hpp"

namespace distal {

using NamedControllers = std::vector<std::pair<std::string, AdaptivePidDescription>>;
using NamedSqueezes = std::vector<std::pair<std::string, SqueezeDescription>>;

// A body without a controller gets no wrench and no motion, unless a command is held for it.
class ControlRoom {
 public:
  // `body_names` are those of the plant, in its order. Throws InputError for a controller whose body is not there.
  ControlRoom(const NamedControllers& controllers, const NamedSqueezes& squeezes, std::vector<std::string> body_names);
  ControlRoom(const Scene& scene, std::vector<std::string> body_names);

  // A prescribed motion for one body of the simulation, from where it is now.
  void follow(const MotionDescription& motion, const Simulation& simulation);
  // The devices of a scene: hands that hold bodies or touch skins. Reads their files, opens their sockets.
  void connect(const Scene& scene, const Simulation& simulation);
  void hold(std::size_t body, const BodyCommand& command) { commands_[body] = command; }
  // Somebody else has the body: its controller is not asked and remembers where it was.
  void rest(std::size_t body, bool rests) { rests_[body] = rests; }

  // It has a controller, or a hand holds it.
  bool commands(std::size_t body) const { return controllers_[body] != nullptr; }

  std::span<const BodyCommand> update(std::span<const BodyFeedback> feedback, double period_s);

  // Of the hands on skins, from the simulation's present state; one per device that touches.
  std::span<const TouchCommand> update_touches(const Simulation& simulation);
  std::span<HandPort* const> ports() const { return ports_; }
  std::span<const std::unique_ptr<SkinTouch>> touches() const { return touches_; }

  // What the controllers remember, one per body, and behind them the hands on skins. Throws InputError for memories of
  // other controllers.
  std::vector<ControllerMemory> save() const;
  void restore(std::span<const ControllerMemory> memories);

  PrescribedMotion* motion() { return motion_; }  // null without one
  std::size_t moved_body() const { return moved_; }

 private:
  std::size_t index_of(const std::string& who, const std::string& body) const;

  std::vector<std::string> names_;
  std::vector<std::unique_ptr<Controller>> controllers_;
  std::vector<BodyCommand> commands_;
  std::vector<bool> rests_;
  std::vector<std::unique_ptr<SkinTouch>> touches_;
  std::vector<TouchCommand> touch_commands_;
  std::vector<HandPort*> ports_;  // of all devices
  PrescribedMotion* motion_ = nullptr;
  std::size_t moved_ = 0;
};

// In the order of commands and feedback.
std::vector<std::string> body_names(const Simulation& simulation);

}  // namespace distal
