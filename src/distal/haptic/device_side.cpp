#include "distal/haptic/device_side.hpp"

#include <algorithm>
#include <cmath>

namespace distal {
namespace {

constexpr double kFade_s = 0.25;  // a hand that joins is coupled fully after this

// Begins without a jump of the damper's force on a hand that moves.
double join_gain(double since_join_s) {
  const double share = std::min(1.0, since_join_s / kFade_s);
  return share * share * (3.0 - 2.0 * share);
}

Vec3 towards(const Vec3& from, const Vec3& to, double most, double most_change) {
  const Vec3 wanted = to.norm() > most ? Vec3(to * (most / to.norm())) : to;
  const Vec3 change = wanted - from;
  return change.norm() > most_change ? Vec3(from + change * (most_change / change.norm())) : wanted;
}

}  // namespace

// A hand that comes back finds the body where it is: nothing pulls at first, and the offset goes away slowly.
void DeviceSide::join(const GuardedHand& hand, const EchoState& echo) {
  ++memory_.joins;
  memory_.since_join_s = 0.0;
  memory_.linear.started = memory_.angular.started = false;
  memory_.offset_m = Vec3::Zero();
  memory_.turn = Quat::Identity();
  if (coupling_ == nullptr) return;
  memory_.offset_m = echo.body.pose.position - hand.pose.position;
  memory_.turn = (hand.pose.q.conjugate() * echo.body.pose.q).normalized();
}

Wrench DeviceSide::find_felt(const HandState& state, double period_s, const EchoState& echo) {
  if (coupling_ != nullptr) return -coupling_->pull(state.wanted, echo.body, state.gain);
  memory_.since_echo_s += period_s;
  if (echo.number != memory_.echo) {
    memory_.echo_from_n = memory_.shown.force;
    memory_.echo_to_n = echo.on_hand_n;
    memory_.between_echoes_s = memory_.since_echo_s;
    memory_.since_echo_s = 0.0;
    memory_.echo = echo.number;
  }
  const double share = memory_.between_echoes_s > 0.0
                           ? std::min(1.0, (memory_.since_echo_s + period_s) / memory_.between_echoes_s)
                           : 1.0;
  return {state.gain * (memory_.echo_from_n + share * (memory_.echo_to_n - memory_.echo_from_n)), Vec3::Zero()};
}

void DeviceSide::show(const Wrench& wanted, double period_s) {
  const Vec3 before = memory_.shown.force;
  memory_.shown.force =
      towards(before, wanted.force, description_.max_force_n, description_.max_force_rate_n_s * period_s);
  memory_.shown.torque = towards(memory_.shown.torque, wanted.torque, description_.max_torque_n_m,
                                 description_.max_torque_rate_n_m_s * period_s);
  memory_.linear.force = memory_.shown.force;
  memory_.angular.force = memory_.shown.torque;
  memory_.most_force_n = std::max(memory_.most_force_n, memory_.shown.force.norm());
  memory_.most_jump_n = std::max(memory_.most_jump_n, (memory_.shown.force - before).norm());
  device_.write(rotated(description_.q_xyzw.conjugate(), memory_.shown));
}

HandState DeviceSide::advance(double time_s, double period_s, const EchoState& echo) {
  const GuardedHand hand = guard_.check(device_.read(time_s), period_s, memory_.guard);
  HandState state;
  if (!hand.connected) {
    // At once, whatever the limits of change.
    memory_.shown = Wrench{};
    memory_.linear.force = memory_.angular.force = Vec3::Zero();
    memory_.linear.started = memory_.angular.started = false;
    memory_.echo = echo.number;
    memory_.echo_from_n = memory_.echo_to_n = Vec3::Zero();
    device_.write(Wrench{});
    state.joins = memory_.joins;
    state.energy_j = memory_.linear.energy_j + memory_.angular.energy_j;
    return state;
  }
  if (hand.joins) join(hand, echo);
  // Work is that of the device's own way. Turning is counted by the small rotations between samples.
  const Vec3 place = hand.pose.position / description_.scale;
  const Vec3 way = memory_.linear.started ? Vec3(place - memory_.linear.place) : Vec3(Vec3::Zero());
  observe_work(place, memory_.linear);
  observe_work(memory_.angular.place + period_s * hand.twist.angular, memory_.angular);

  memory_.offset_m *= std::exp(-period_s / description_.rejoin_s);
  state.connected = true;
  state.joins = memory_.joins;
  state.gain = join_gain(memory_.since_join_s);
  state.hand = hand.pose;
  state.buttons = hand.buttons;
  state.wanted.pose = {hand.pose.position + memory_.offset_m, (hand.pose.q * memory_.turn).normalized()};
  state.wanted.twist = {hand.twist.linear - memory_.offset_m / description_.rejoin_s, hand.twist.angular};
  memory_.since_join_s += period_s;

  Wrench felt = find_felt(state, period_s, echo);
  if (description_.passivity) {
    felt.force = make_passive(felt.force, way / period_s, period_s, description_.max_damping_n_s_m, memory_.linear);
    felt.torque = make_passive(felt.torque, hand.twist.angular, period_s, description_.max_angular_damping_n_m_s_rad,
                               memory_.angular);
  }
  show(felt, period_s);
  state.shown = memory_.shown;
  state.energy_j = memory_.linear.energy_j + memory_.angular.energy_j;
  return state;
}

}  // namespace distal
