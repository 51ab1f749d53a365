#include "distal/haptic/skin_touch.hpp"

#include <fmt/format.h>

#include "distal/core/error.hpp"

namespace distal {
namespace {

// Of the spacing, which is about the way from a surface node to the next one inside: a point that moved further in one
// period would leave its neighbours no time. A longer way of the hand is split over periods.
constexpr double kMostOfSpacing = 0.5;

std::int32_t find_soft(const std::string& name, const std::string& body, const Model& model) {
  for (std::size_t s = 0; s < model.soft.size(); ++s)
    if (model.soft[s].name == body) return static_cast<std::int32_t>(s);
  throw InputError(fmt::format("device.{}.touches: '{}' is not a soft body", name, body));
}

}  // namespace

SkinTouch::SkinTouch(const std::string& name, const DeviceDescription& description, const Model& model, double period_s)
    : port_(name, description, std::nullopt, period_s),
      soft_(find_soft(name, description.touches, model)),
      spacing_m_(model.soft[static_cast<std::size_t>(soft_)].spacing_m()),
      index_(model.soft[static_cast<std::size_t>(soft_)]) {}

// A touch lasts until the skin no longer pushes and the hand is outside. While it lasts the point is looked for around
// the old one.
SkinPoint SkinTouch::find_contact(const State& state, const Vec3& hand, const TouchFeedback& last) {
  const bool as_printed = port_.description().as_printed;
  SkinPoint point;
  if (memory_.triangle >= 0 && !as_printed) {
    point = index_.find_from(state, hand, memory_.triangle);
    if (point.distance_m > 0.0 && last.force_n.isZero(0.0)) point.triangle = -1;
  } else {
    point = as_printed ? index_.find_by_node(state, hand) : index_.find(state, hand);
    const bool inside = point.distance_m <= 0.0;
    memory_.waits = memory_.waits && inside;
    if (!inside || memory_.waits) point.triangle = -1;
  }
  memory_.triangle = point.triangle;
  return point;
}

TouchCommand SkinTouch::update(const State& state, double travelled_m, const TouchFeedback& last, double period_s) {
  EchoState echo;
  echo.touching = memory_.triangle >= 0;
  echo.on_hand_n = -last.force_n;
  const HandState& hand = port_.exchange(state.time_s, period_s, echo);
  TouchCommand command;
  if (!hand.connected) {
    memory_.triangle = -1;
    return command;
  }
  index_.update(state, travelled_m);
  if (hand.joins != memory_.joins) {
    memory_.joins = hand.joins;
    memory_.triangle = -1;
    memory_.waits = true;
  }
  const Carriage& wanted = hand.wanted;
  SkinPoint point = find_contact(state, wanted.pose.position, last);
  if (point.triangle < 0) return command;
  const bool as_printed = port_.description().as_printed;
  if (as_printed) {
    point = index_.nearest_corner(state, point, wanted.pose.position);
    // Along with the hand, and along the normal only inwards.
    if (wanted.twist.linear.dot(point.normal) > 0.0) return command;
    command.velocity_m_s = wanted.twist.linear;
  } else {
    point.normal = index_.smooth_normal(state, point);
    command.velocity_m_s = wanted.twist.linear + (wanted.pose.position - point.place) / period_s;
  }
  if (const double way = command.velocity_m_s.norm() * period_s, most = kMostOfSpacing * spacing_m_; way > most)
    command.velocity_m_s *= most / way;
  command.soft = soft_;
  command.triangle = point.triangle;
  command.weight = point.weight;
  command.normal = point.normal;
  command.friction = port_.description().friction;
  return command;
}

SkinTouchMemory SkinTouch::save() const {
  SkinTouchMemory memory = memory_;
  memory.port = port_.save();
  return memory;
}

void SkinTouch::restore(const SkinTouchMemory& memory) {
  memory_ = memory;
  port_.restore(memory.port);
}

}  // namespace distal
