#include "distal/run/control_room.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "distal/controller/adaptive_pid.hpp"
#include "distal/controller/squeeze.hpp"
#include "distal/core/error.hpp"
#include "distal/sensor/measure.hpp"

namespace distal {

std::vector<std::string> body_names(const Simulation& simulation) {
  std::vector<std::string> names;
  for (std::size_t b = 0; b < simulation.body_count(); ++b) names.push_back(simulation.body_name(b));
  return names;
}

ControlRoom::ControlRoom(const NamedControllers& controllers, const NamedSqueezes& squeezes,
                         std::vector<std::string> body_names)
    : names_(std::move(body_names)),
      controllers_(names_.size()),
      commands_(names_.size()),
      rests_(names_.size(), false) {
  for (const auto& [name, description] : controllers)
    controllers_[index_of("controller." + name, description.body)] = std::make_unique<AdaptivePid>(description);
  for (const auto& [name, description] : squeezes)
    controllers_[index_of("controller." + name, description.body)] = std::make_unique<Squeeze>(description);
}

ControlRoom::ControlRoom(const Scene& scene, std::vector<std::string> body_names)
    : ControlRoom(scene.controllers, scene.squeezes, std::move(body_names)) {}

std::size_t ControlRoom::index_of(const std::string& who, const std::string& body) const {
  const auto found = std::find(names_.begin(), names_.end(), body);
  if (found == names_.end())
    throw InputError(fmt::format("{}.body: '{}' does not move or does not exist; the plant has: {}", who, body,
                                 fmt::join(names_, ", ")));
  return static_cast<std::size_t>(found - names_.begin());
}

void ControlRoom::follow(const MotionDescription& motion, const Simulation& simulation) {
  moved_ = index_of("motion", motion.body);
  const int soft = soft_on_rod(simulation.model(), simulation.rigid_index(moved_));
  double gap = 0.0;
  const Vec3 direction = motion.direction.normalized();
  if (soft >= 0) {
    gap = find_gap(simulation.model(), static_cast<std::size_t>(soft), simulation.state(), direction);
  } else if (!motion.forces_n.empty()) {
    gap = find_rigid_gap(simulation.model(), simulation.rigid_index(moved_), simulation.state(), direction);
  }
  if (!std::isfinite(gap))
    throw InputError(fmt::format("motion: '{}' meets nothing along direction ({}, {}, {})", motion.body, direction.x(),
                                 direction.y(), direction.z()));
  auto path = std::make_unique<PrescribedMotion>(motion, gap);
  motion_ = path.get();
  controllers_[moved_] = std::move(path);
}

void ControlRoom::connect(const Scene& scene, const Simulation& simulation) {
  const Model& model = simulation.model();
  for (const auto& [name, device] : scene.devices) {
    if (!device.holds_body()) {
      touches_.push_back(std::make_unique<SkinTouch>(name, device, model, model.control_period_s));
      ports_.push_back(&touches_.back()->port());
      continue;
    }
    const std::size_t body = index_of("device." + name, device.body);
    auto held = std::make_unique<HeldBody>(name, device, model, simulation.rigid_index(body), model.control_period_s);
    ports_.push_back(&held->port());
    controllers_[body] = std::move(held);
  }
}

std::span<const TouchCommand> ControlRoom::update_touches(const Simulation& simulation) {
  touch_commands_.resize(touches_.size());
  const std::vector<TouchFeedback> last = simulation.measure_touches();
  for (std::size_t t = 0; t < touches_.size(); ++t)
    touch_commands_[t] =
        touches_[t]->update(simulation.state(), simulation.workspace().travelled_m,
                            t < last.size() ? last[t] : TouchFeedback{}, simulation.model().control_period_s);
  return touch_commands_;
}

std::vector<ControllerMemory> ControlRoom::save() const {
  std::vector<ControllerMemory> memories(controllers_.size());
  for (std::size_t b = 0; b < controllers_.size(); ++b) {
    if (const auto* pid = dynamic_cast<const AdaptivePid*>(controllers_[b].get())) memories[b] = pid->save();
    if (const auto* path = dynamic_cast<const PrescribedMotion*>(controllers_[b].get())) memories[b] = path->save();
    if (const auto* squeeze = dynamic_cast<const Squeeze*>(controllers_[b].get())) memories[b] = squeeze->save();
    if (const auto* held = dynamic_cast<const HeldBody*>(controllers_[b].get())) memories[b] = held->save();
  }
  for (const auto& touch : touches_) memories.emplace_back(touch->save());
  return memories;
}

void ControlRoom::restore(std::span<const ControllerMemory> memories) {
  const std::vector<ControllerMemory> mine = save();
  for (std::size_t b = 0; b < mine.size(); ++b) {
    const bool on_skin = b >= controllers_.size();
    if (memories.size() != mine.size() || memories[b].index() != mine[b].index())
      throw InputError(fmt::format("the checkpoint holds no memory of the controller of '{}'",
                                   on_skin ? touches_[b - controllers_.size()]->port().name() : names_[b]));
    if (on_skin) {
      touches_[b - controllers_.size()]->restore(std::get<SkinTouchMemory>(memories[b]));
      continue;
    }
    if (auto* pid = dynamic_cast<AdaptivePid*>(controllers_[b].get()))
      pid->restore(std::get<AdaptivePidMemory>(memories[b]));
    if (auto* path = dynamic_cast<PrescribedMotion*>(controllers_[b].get()))
      path->restore(std::get<PrescribedMotionMemory>(memories[b]));
    if (auto* squeeze = dynamic_cast<Squeeze*>(controllers_[b].get()))
      squeeze->restore(std::get<SqueezeMemory>(memories[b]));
    if (auto* held = dynamic_cast<HeldBody*>(controllers_[b].get()))
      held->restore(std::get<HeldBodyMemory>(memories[b]));
  }
}

std::span<const BodyCommand> ControlRoom::update(std::span<const BodyFeedback> feedback, double period_s) {
  for (std::size_t b = 0; b < controllers_.size(); ++b)
    if (controllers_[b] && !rests_[b]) commands_[b] = controllers_[b]->update(feedback[b], period_s);
  return commands_;
}

}  // namespace distal
