#include "distal/controller/prescribed_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "distal/core/error.hpp"

namespace distal {
namespace {

constexpr double kRampTime = 0.02;         // [s] from rest to speed and back
constexpr double kExpectedWindows = 10.0;  // until a state is at rest, for the estimate of time only
constexpr double kSmallestForce = 1e-9;    // [N] changes below it are rest, whatever the force
constexpr double kTimeRounding = 1e-9;     // [s] sums of periods end this close to a time

// Distance [0, 1] covered at `time` of a move that takes `total`: smooth start, constant speed, smooth stop.
double covered_share(double time, double total) {
  if (time >= total) return 1.0;
  const double ramp = std::min(kRampTime, 0.5 * total);
  const auto ramped = [ramp](double t) {  // integral of smooth_step(t / ramp)
    const double s = t / ramp;
    return ramp * s * s * s * (1.0 - 0.5 * s);
  };
  const double length = total - ramp;  // of the whole move at unit speed
  if (time < ramp) return ramped(time) / length;
  if (time > total - ramp) return 1.0 - ramped(total - time) / length;
  return (time - 0.5 * ramp) / length;
}

double moving_time(double distance, double speed) {
  if (distance == 0.0) return 0.0;
  return std::abs(distance) / std::min(speed, std::abs(distance) / kRampTime) + kRampTime;
}

}  // namespace

PrescribedMotion::PrescribedMotion(const MotionDescription& description, double gap_m) : description_(description) {
  validate(description);
  if (!std::isfinite(gap_m)) throw InputError("the driven body never touches anything along its direction");
  direction_ = description.direction.normalized();
  const Vec3 across = description.shift_direction - description.shift_direction.dot(direction_) * direction_;
  shift_direction_ = across.norm() > 1e-6 * description.shift_direction.norm() ? across.normalized() : Vec3::Zero();

  for (const double depth : description.depths_m) add_stage("press", {gap_m + depth, 0.0, 0.0}, depth);
  const double depth = description.depths_m.back(), travel = gap_m + depth;
  for (const double twist : description.twist_rad) add_stage("twist", {travel, twist, 0.0}, depth);
  if (description.shift_m.empty()) return;
  if (stages_.back().to.twist_rad != 0.0) add_stage(nullptr, {travel, 0.0, 0.0}, depth);
  for (const double shift : description.shift_m) add_stage("shift", {travel, 0.0, shift}, depth);
}

void PrescribedMotion::add_stage(const char* phase, const Place& to, double depth_m) {
  const Place from = stages_.empty() ? Place{} : stages_.back().to;
  const double time = std::max({moving_time(to.travel_m - from.travel_m, description_.speed_m_s),
                                moving_time(to.twist_rad - from.twist_rad, description_.angular_speed_rad_s),
                                moving_time(to.shift_m - from.shift_m, description_.speed_m_s)});
  stages_.push_back({phase, from, to, depth_m, time});
}

BodyCommand PrescribedMotion::update(const BodyFeedback& feedback, double period_s) {
  BodyCommand command;
  command.mode = CommandMode::twist;
  if (finished() || !is_usable(feedback) || !(period_s > 0.0)) return command;
  if (!memory_.started) {
    memory_.started = true;
    memory_.first_pose = feedback.pose;
  }
  const Stage& stage = stages_[memory_.stage];
  const double settling_s = memory_.stage_time_s - stage.moving_time_s;
  const Wrench contact = rotated(feedback.pose.q, feedback.contact);
  const bool arrived = settling_s >= -kTimeRounding;
  const bool done = arrived && (stage.phase == nullptr || watch_settling(contact, settling_s, period_s));
  if (done) {
    if (stage.phase != nullptr) {
      memory_.row = make_row(stage, feedback, contact);
      memory_.recorded_stage = memory_.stage;
    }
    ++memory_.stage;
    memory_.stage_time_s = memory_.window_time_s = 0.0;
  } else {
    memory_.stage_time_s += period_s;
  }
  // The row's state is held for this period; the next stage starts with the next.
  command.twist = twist_to(place_at(stage, done ? stage.moving_time_s : memory_.stage_time_s), feedback, period_s);
  return command;
}

PrescribedMotion::Place PrescribedMotion::place_at(const Stage& stage, double time_s) const {
  const double share = covered_share(time_s + kTimeRounding, stage.moving_time_s);
  const auto between = [share](double a, double b) { return share == 1.0 ? b : a + share * (b - a); };
  return {between(stage.from.travel_m, stage.to.travel_m), between(stage.from.twist_rad, stage.to.twist_rad),
          between(stage.from.shift_m, stage.to.shift_m)};
}

// From where E is, not from where it should be: rounding of the plant does not add up.
Twist PrescribedMotion::twist_to(const Place& place, const BodyFeedback& feedback, double period_s) const {
  const Vec3 position = memory_.first_pose.position + place.travel_m * direction_ + place.shift_m * shift_direction_;
  const Quat q = memory_.first_pose.q * rotation_from_vector(Vec3(0.0, 0.0, place.twist_rad));
  return {(position - feedback.pose.position) / period_s,
          vector_from_rotation(q * feedback.pose.q.conjugate()) / period_s};
}

// True when the state is to be recorded: at rest over one whole window, or out of time.
bool PrescribedMotion::watch_settling(const Wrench& contact, double settling_s, double period_s) {
  if (memory_.window_time_s == 0.0) memory_.window_low = memory_.window_high = contact;
  Wrench &low = memory_.window_low, &high = memory_.window_high;
  low = {low.force.cwiseMin(contact.force), low.torque.cwiseMin(contact.torque)};
  high = {high.force.cwiseMax(contact.force), high.torque.cwiseMax(contact.torque)};
  if (memory_.window_time_s >= description_.settle_window_s - kTimeRounding) {
    const double force = std::max(contact.force.norm(), kSmallestForce / description_.settle_tolerance);
    // A pure press has no torque to compare with: force times depth is a small one for a contact that deep.
    const double torque = std::max(contact.torque.norm(), force * stages_[memory_.stage].depth_m);
    if ((high.force - low.force).norm() <= description_.settle_tolerance * force &&
        (high.torque - low.torque).norm() <= description_.settle_tolerance * torque) {
      memory_.last_settled = true;
      return true;
    }
    memory_.window_time_s = 0.0;
    low = high = contact;
  }
  if (settling_s >= description_.settle_limit_s - kTimeRounding) {
    memory_.last_settled = false;
    return true;
  }
  memory_.window_time_s += period_s;
  return false;
}

CurveRow PrescribedMotion::make_row(const Stage& stage, const BodyFeedback& feedback, const Wrench& contact) const {
  CurveRow row;
  row.phase = stage.phase;
  row.depth_m = stage.depth_m;
  row.twist_rad = stage.to.twist_rad;
  row.shift_m = stage.to.shift_m;
  row.force_n = -contact.force.dot(direction_);
  row.torque_n_m = -feedback.contact.torque.z();  // resists a positive twist
  row.tangential_force_n = -contact.force.dot(shift_direction_);
  return row;
}

std::optional<CurveRow> PrescribedMotion::take_row() {
  std::optional<CurveRow> row;
  row.swap(memory_.row);
  return row;
}

std::string PrescribedMotion::message() const {
  if (memory_.last_settled) return {};
  const Stage& stage = stages_[memory_.recorded_stage];
  return fmt::format(
      "{} at depth {} m, twist {} rad, shift {} m had not settled to {} within {} s; "
      "raise motion.settle_limit_s or the material's damping",
      stage.phase, stage.depth_m, stage.to.twist_rad, stage.to.shift_m, description_.settle_tolerance,
      description_.settle_limit_s);
}

double PrescribedMotion::expected_stage_s(const Stage& stage) const {
  if (stage.phase == nullptr) return stage.moving_time_s;
  return stage.moving_time_s + std::min(kExpectedWindows * description_.settle_window_s, description_.settle_limit_s);
}

double PrescribedMotion::expected_duration_s() const {
  double total = 0.0;
  for (const Stage& stage : stages_) total += expected_stage_s(stage);
  return total;
}

double PrescribedMotion::longest_duration_s() const {
  double total = 0.0;
  for (const Stage& stage : stages_)
    total += stage.moving_time_s + (stage.phase == nullptr ? 0.0 : description_.settle_limit_s);
  return total;
}

double PrescribedMotion::progress() const {
  if (finished()) return 1.0;
  double done = 0.0;
  for (std::size_t i = 0; i < memory_.stage; ++i) done += expected_stage_s(stages_[i]);
  done += std::min(memory_.stage_time_s, expected_stage_s(stages_[memory_.stage]));
  return std::min(1.0, done / expected_duration_s());
}

}  // namespace distal
