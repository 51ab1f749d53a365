#include "distal/controller/channel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "distal/core/error.hpp"
#include "distal/math/counter_random.hpp"

namespace distal {
namespace {

// Draws of one sample: a normal number for each of six axes, then these.
constexpr std::uint64_t kJitterDraw = 12, kDropOutDraw = 13;
constexpr double kPeriodRounding = 1e-9;  // a latency of whole periods is that many, whatever the last bits say

void quantise(double step, Vec3& value) {
  if (step > 0.0) value = (value / step).array().round().matrix() * step;
}

void shorten(double limit, Vec3& value) {
  const double length = value.norm();
  if (length > limit) value *= limit / length;
}

bool is_perfect(const Imperfection& i) {
  return i.noise == 0.0 && i.bias.isZero(0.0) && i.quantisation == 0.0 && std::isinf(i.limit);
}

}  // namespace

Channel::Channel(const ChannelDescription& description, std::string_view name, std::uint64_t seed, double period_s)
    : description_(description), key_(random_key(seed, name)), period_s_(period_s) {
  validate(description);
  const double periods = (description.latency_s + description.jitter_s) / period_s;
  if (!(periods <= kMostPeriodsInFlight))
    throw InputError(fmt::format("latency_s + jitter_s = {} s is {:.0f} control periods, allowed: at most {:.0f}",
                                 description.latency_s + description.jitter_s, periods, kMostPeriodsInFlight));
  memory_.in_flight.reserve(static_cast<std::size_t>(periods) + 3);
}

Sample Channel::pass(const Sample& truth) {
  const bool is_command = description_.signal == Signal::command;
  const Sample sent = is_command ? truth : through_sensor(truth);
  if (memory_.count == 0 && !is_command) memory_.shown = sent;
  Sample arrived = through_line(sent);
  if (is_command) arrived = through_actuator(arrived);
  ++memory_.count;
  return arrived;
}

Sample Channel::through_sensor(Sample sample) {
  const bool turns = description_.signal == Signal::pose;
  if (memory_.count == 0) {
    memory_.first_q = sample.q;
    memory_.filtered = {sample.linear, turns ? Vec3::Zero() : sample.angular};
  }
  measure(0, sample.linear);
  if (!turns) {
    measure(1, sample.angular);
  } else if (!is_perfect(description_.angular) || std::isfinite(description_.filter_hz)) {
    Vec3 turned = vector_from_rotation(sample.q * memory_.first_q.conjugate());
    measure(1, turned);
    sample.q = (rotation_from_vector(turned) * memory_.first_q).normalized();
  }
  return sample;
}

// Forces of a command pass the actuator; an imposed motion is what it is.
Sample Channel::through_actuator(Sample sample) {
  if (sample.mode != CommandMode::wrench) return sample;
  actuate(0, sample.linear);
  actuate(1, sample.angular);
  return sample;
}

// A sample that overtakes an older one makes it worthless.
Sample Channel::through_line(const Sample& sample) {
  ChannelMemory& m = memory_;
  const auto count = static_cast<std::uint64_t>(m.count);
  const bool lost = random_share(key_, count, kDropOutDraw) < description_.drop_out_share;
  if (!lost) {
    const double late_s = description_.latency_s + description_.jitter_s * random_share(key_, count, kJitterDraw);
    const auto periods = static_cast<std::int64_t>(std::ceil(late_s / period_s_ - kPeriodRounding));
    m.in_flight.push_back({m.count, m.count + std::max<std::int64_t>(periods, 0), sample});
  }
  for (const ChannelMemory::InFlight& one : m.in_flight) {
    if (one.due > m.count || one.sent < m.newest) continue;
    m.newest = one.sent;
    m.shown = one.sample;
  }
  std::erase_if(m.in_flight, [&](const auto& one) { return one.sent <= m.newest; });
  return m.shown;
}

void Channel::measure(int part, Vec3& value) {
  const Imperfection& i = imperfection(part);
  filter(part, value);
  add_bias_and_noise(part, value);
  quantise(i.quantisation, value);
  value = value.cwiseMax(-i.limit).cwiseMin(i.limit);
}

void Channel::actuate(int part, Vec3& value) {
  const Imperfection& i = imperfection(part);
  Vec3& acting = memory_.acting[static_cast<std::size_t>(part)];
  quantise(i.quantisation, value);
  add_bias_and_noise(part, value);
  filter(part, value);
  if (std::isfinite(i.rate)) {
    Vec3 change = value - acting;
    shorten(i.rate * period_s_, change);
    value = acting + change;
  }
  shorten(i.limit, value);
  acting = value;
}

// Exact for a value that is held over the period.
void Channel::filter(int part, Vec3& value) {
  if (std::isinf(description_.filter_hz)) return;
  Vec3& filtered = memory_.filtered[static_cast<std::size_t>(part)];
  filtered += -std::expm1(-2.0 * std::numbers::pi * description_.filter_hz * period_s_) * (value - filtered);
  value = filtered;
}

void Channel::add_bias_and_noise(int part, Vec3& value) const {
  const Imperfection& i = imperfection(part);
  value += i.bias;
  if (i.noise == 0.0) return;
  for (int axis = 0; axis < 3; ++axis)
    value[axis] += i.noise * random_normal(key_, static_cast<std::uint64_t>(memory_.count),
                                           static_cast<std::uint64_t>(3 * part + axis));
}

}  // namespace distal
