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
SkinPoint SkinTouch::find_contact(const Vec3Array& x, const Vec3& hand, const Vec3& last_force_n) {
  const bool as_printed = port_.description().as_printed;
  SkinPoint point;
  if (memory_.triangle >= 0 && !as_printed) {
    point = index_.find_from(x, hand, memory_.triangle);
    if (point.distance_m > 0.0 && last_force_n.isZero(0.0)) point.triangle = -1;
  } else {
    point = as_printed ? index_.find_by_node(x, hand) : index_.find(x, hand);
    const bool inside = point.distance_m <= 0.0;
    memory_.waits = memory_.waits && inside;
    if (!inside || memory_.waits) point.triangle = -1;
  }
  memory_.triangle = point.triangle;
  return point;
}

SkinFound SkinTouch::find(const Vec3Array& x, double travelled_m, const Vec3& last_force_n, const HandState& hand) {
  SkinFound found{hand.joins, {}};
  if (!hand.connected) {
    memory_.triangle = -1;
    return found;
  }
  index_.update(x, travelled_m);
  if (hand.joins != memory_.joins) {
    memory_.joins = hand.joins;
    memory_.triangle = -1;
    memory_.waits = true;
  }
  const Vec3& place = hand.wanted.pose.position;
  found.point = find_contact(x, place, last_force_n);
  if (found.point.triangle < 0) return found;
  if (port_.description().as_printed) {
    found.point = index_.nearest_corner(x, found.point, place);
  } else {
    found.point.normal = index_.mean_normal(x, found.point);
  }
  return found;
}

// The touched point is to be where the hand is: from where it is now, not from where it was when it was found.
TouchCommand SkinTouch::make_command(const Vec3Array& x, const HandState& hand, SkinPoint point,
                                     double period_s) const {
  TouchCommand command;
  const Carriage& wanted = hand.wanted;
  if (port_.description().as_printed) {
    // Along with the hand, and along the normal only inwards.
    if (wanted.twist.linear.dot(point.normal) > 0.0) return command;
    command.velocity_m_s = wanted.twist.linear;
  } else {
    command.velocity_m_s = wanted.twist.linear + (wanted.pose.position - index_.place(x, point)) / period_s;
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

TouchCommand SkinTouch::update(const State& state, double travelled_m, const TouchFeedback& last, double period_s) {
  EchoState echo;
  echo.touching = touching_;
  echo.on_hand_n = -last.force_n;
  const HandState& hand = port_.exchange(state.time_s, period_s, echo);
  const SkinFound found = link_ != nullptr ? exchange(state, travelled_m, last.force_n, hand)
                                           : find(state.x, travelled_m, last.force_n, hand);
  touching_ = hand.connected && found.joins == hand.joins && found.point.triangle >= 0;
  return touching_ ? make_command(state.x, hand, found.point, period_s) : TouchCommand{};
}

const SkinFound& SkinTouch::exchange(const State& state, double travelled_m, const Vec3& last_force_n,
                                     const HandState& hand) {
  SkinMoment& moment = link_->to_touch.back();
  moment.hand = hand;
  moment.x = state.x;
  moment.travelled_m = travelled_m;
  moment.force_n = last_force_n;
  link_->to_touch.publish();
  link_->to_simulation.take();
  return link_->to_simulation.front();
}

void SkinTouch::serve_link() {
  if (!link_->to_touch.take()) return;
  const SkinMoment& moment = link_->to_touch.front();
  link_->to_simulation.back() = find(moment.x, moment.travelled_m, moment.force_n, moment.hand);
  link_->to_simulation.publish();
}

SkinTouchMemory SkinTouch::save() const {
  SkinTouchMemory memory = memory_;
  memory.port = port_.save();
  return memory;
}

void SkinTouch::restore(const SkinTouchMemory& memory) {
  memory_ = memory;
  touching_ = memory.triangle >= 0;
  port_.restore(memory.port);
}

}  // namespace distal
