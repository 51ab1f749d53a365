#include "distal/controller/prescribed_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "distal/core/error.hpp"

namespace distal {
namespace {

constexpr double kRampTime = 0.02;         // [s] from rest to speed and back
constexpr double kLoadTime = 0.1;          // [s] from one dead force to the next
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

PrescribedMotion::PrescribedMotion(const MotionDescription& description, double gap_m)
    : description_(description), gap_m_(gap_m) {
  validate(description);
  if (!std::isfinite(gap_m)) throw InputError("the driven body never touches anything along its direction");
  direction_ = description.direction.normalized();
  const Vec3 across = description.shift_direction - description.shift_direction.dot(direction_) * direction_;
  shift_direction_ = across.norm() > 1e-6 * description.shift_direction.norm() ? across.normalized() : Vec3::Zero();

  for (const double force : description.forces_n) {
    const double before = stages_.empty() ? 0.0 : stages_.back().to_n;
    stages_.push_back({"load", {}, {}, 0.0, kLoadTime, before, force});
  }
  if (pushes()) return;
  add_stages(gap_m);
  refuse_endless();
}

void PrescribedMotion::add_stages(double gap_m) {
  const MotionDescription& description = description_;
  for (const double depth : description.depths_m) add_stage("press", {gap_m + depth, 0.0, 0.0}, depth);
  const double depth = description.depths_m.back(), travel = gap_m + depth;
  for (const double twist : description.twist_rad) add_stage("twist", {travel, twist, 0.0}, depth);
  if (!description.shift_m.empty() && stages_.back().to.twist_rad != 0.0) add_stage(nullptr, {travel, 0.0, 0.0}, depth);
  for (const double shift : description.shift_m) add_stage("shift", {travel, 0.0, shift}, depth);
  for (std::size_t n = 0; n < description.slide_m.size(); ++n) {
    Place to = stages_.back().to;
    to.twist_rad += description.slide_twist_rad[n], to.shift_m += description.slide_m[n];
    add_stage("slide", to, depth);
  }
}

// A run without end would wait for it.
void PrescribedMotion::refuse_endless() const {
  double total_s = 0.0;
  for (const Stage& stage : stages_) total_s += stage.moving_time_s;
  if (total_s <= kLongestRun_s) return;
  const auto longest = std::max_element(
      stages_.begin(), stages_.end(), [](const Stage& a, const Stage& b) { return a.moving_time_s < b.moving_time_s; });
  const double turning_s =
      moving_time(longest->to.twist_rad - longest->from.twist_rad, description_.angular_speed_rad_s);
  const bool turns = turning_s >= longest->moving_time_s;
  throw InputError(
      fmt::format("motion.{}: found {}, with which the motion takes {:.3g} s; allowed: speeds that end it within "
                  "{:.0e} s",
                  turns ? "angular_speed_rad_s" : "speed_m_s",
                  turns ? description_.angular_speed_rad_s : description_.speed_m_s, total_s, kLongestRun_s));
}

void PrescribedMotion::add_stage(const char* phase, const Place& to, double depth_m) {
  const Place from = stages_.empty() ? Place{} : stages_.back().to;
  const double time = std::max({moving_time(to.travel_m - from.travel_m, description_.speed_m_s),
                                moving_time(to.twist_rad - from.twist_rad, description_.angular_speed_rad_s),
                                moving_time(to.shift_m - from.shift_m, description_.speed_m_s)});
  stages_.push_back({phase, from, to, depth_m, time});
}

BodyCommand PrescribedMotion::update(const BodyFeedback& feedback, double period_s) {
  if (finished() || !is_usable(feedback) || !(period_s > 0.0)) return rest();
  if (!memory_.started) {
    memory_.started = true;
    memory_.first_pose = feedback.pose;
  }
  const Stage& stage = stages_[memory_.stage];
  const double settling_s = memory_.stage_time_s - stage.moving_time_s;
  const Wrench contact = rotated(feedback.pose.q, feedback.contact);
  const bool arrived = settling_s >= -kTimeRounding;
  const bool done = arrived && (stage.phase == nullptr || watch_settling(feedback, contact, settling_s, period_s));
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
  const double time_s = done ? stage.moving_time_s : memory_.stage_time_s;
  if (pushes()) return push(stage, time_s);
  BodyCommand command;
  command.mode = CommandMode::twist;
  command.twist = twist_to(place_at(stage, time_s), feedback, period_s);
  return command;
}

// A guided body does not turn: its first orientation is its orientation.
BodyCommand PrescribedMotion::push(const Stage& stage, double time_s) const {
  const double share = covered_share(time_s + kTimeRounding, stage.moving_time_s);
  BodyCommand command;
  command.mode = CommandMode::wrench;
  command.wrench.force =
      memory_.first_pose.q.conjugate() * ((stage.from_n + share * (stage.to_n - stage.from_n)) * direction_);
  return command;
}

BodyCommand PrescribedMotion::rest() const {
  if (pushes() && memory_.started) {
    return finished() ? push(stages_.back(), kLoadTime) : push(stages_[memory_.stage], memory_.stage_time_s);
  }
  BodyCommand command;
  command.mode = pushes() ? CommandMode::wrench : CommandMode::twist;
  return command;
}

double PrescribedMotion::travel_of(const BodyFeedback& feedback) const {
  return (feedback.pose.position - memory_.first_pose.position).dot(direction_);
}

double PrescribedMotion::depth_at(const Stage& stage, const BodyFeedback& feedback) const {
  return pushes() ? travel_of(feedback) - gap_m_ : stage.depth_m;
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
bool PrescribedMotion::watch_settling(const BodyFeedback& feedback, const Wrench& contact, double settling_s,
                                      double period_s) {
  const double travel = travel_of(feedback);
  const auto restart = [&] {
    memory_.window_low = memory_.window_high = contact;
    memory_.window_least_m = memory_.window_most_m = travel;
  };
  if (memory_.window_time_s == 0.0) restart();
  Wrench &low = memory_.window_low, &high = memory_.window_high;
  low = {low.force.cwiseMin(contact.force), low.torque.cwiseMin(contact.torque)};
  high = {high.force.cwiseMax(contact.force), high.torque.cwiseMax(contact.torque)};
  memory_.window_least_m = std::min(memory_.window_least_m, travel);
  memory_.window_most_m = std::max(memory_.window_most_m, travel);
  if (memory_.window_time_s >= description_.settle_window_s - kTimeRounding) {
    if (is_window_at_rest(feedback, contact)) {
      memory_.last_settled = true;
      return true;
    }
    memory_.window_time_s = 0.0;
    restart();
  }
  if (settling_s >= description_.settle_limit_s - kTimeRounding) {
    memory_.last_settled = false;
    return true;
  }
  memory_.window_time_s += period_s;
  return false;
}

bool PrescribedMotion::is_window_at_rest(const BodyFeedback& feedback, const Wrench& contact) const {
  const double tolerance = description_.settle_tolerance;
  const Wrench &low = memory_.window_low, &high = memory_.window_high;
  const double force = std::max(contact.force.norm(), kSmallestForce / tolerance);
  const double depth = depth_at(stages_[memory_.stage], feedback);
  if ((high.force - low.force).norm() > tolerance * force) return false;
  // A body that is pushed rests when it stands still in contact; guided, it does not feel torques.
  if (pushes())
    return contact.force.norm() > 0.0 && memory_.window_most_m - memory_.window_least_m <= tolerance * depth;
  // A pure press has no torque to compare with: force times depth is a small one for a contact that deep.
  return (high.torque - low.torque).norm() <= tolerance * std::max(contact.torque.norm(), force * depth);
}

CurveRow PrescribedMotion::make_row(const Stage& stage, const BodyFeedback& feedback, const Wrench& contact) const {
  CurveRow row;
  row.phase = stage.phase;
  row.depth_m = depth_at(stage, feedback);
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
  if (pushes())
    return fmt::format("the load of {} N had not settled to {} within {} s; raise motion.settle_limit_s", stage.to_n,
                       description_.settle_tolerance, description_.settle_limit_s);
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
