// Each imperfection against its closed form, one at a time.
#include "distal/controller/channel.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "distal/core/error.hpp"

namespace distal {
namespace {

constexpr double kChannelPeriod = 0.001;
constexpr int kManySamples = 20000;

ChannelDescription carrying(Signal signal) {
  ChannelDescription d;
  d.signal = signal;
  return d;
}

Channel channel_of(const ChannelDescription& d, const char* name = "line", std::uint64_t seed = 1) {
  return Channel(d, name, seed, kChannelPeriod);
}

Sample wrench(const Vec3& force, const Vec3& torque = Vec3::Zero()) {
  return {CommandMode::wrench, force, torque, Quat::Identity()};
}

Sample number(double value) { return wrench(Vec3::Constant(value), Vec3::Constant(-value)); }

TEST(Channel, without_imperfections_passes_every_bit) {
  for (const Signal signal : {Signal::pose, Signal::contact, Signal::command}) {
    Channel channel = channel_of(carrying(signal));
    for (int n = 0; n < 10; ++n) {
      const Sample truth{CommandMode::pose, Vec3(0.1 * n, 1.0 / 3.0, -7.0), Vec3(1.0, -n / 7.0, 2.0),
                         rotation_from_vector(Vec3(0.1, 0.2 * n, 0.3))};
      const Sample seen = channel.pass(truth);
      EXPECT_EQ(seen.linear, truth.linear);
      EXPECT_EQ(seen.angular, truth.angular);
      EXPECT_EQ(seen.q.coeffs(), truth.q.coeffs());
      EXPECT_EQ(seen.mode, truth.mode);
    }
  }
}

TEST(Channel, latency_is_a_whole_number_of_periods_rounded_up) {
  for (const auto& [latency_s, periods] : {std::pair(0.0, 0), {0.003, 3}, {0.0031, 4}, {0.0001, 1}, {0.1, 100}}) {
    ChannelDescription d = carrying(Signal::sensor);
    d.latency_s = latency_s;
    Channel channel = channel_of(d);
    for (int n = 0; n < 250; ++n)
      ASSERT_EQ(channel.pass(number(1.0 + n)).linear.x(), 1.0 + std::max(0, n - periods)) << latency_s << " " << n;
  }
}

TEST(Channel, a_late_command_acts_as_none_until_it_arrives) {
  ChannelDescription d = carrying(Signal::command);
  d.latency_s = 0.002;
  Channel channel = channel_of(d);
  EXPECT_EQ(channel.pass(number(1.0)).linear, Vec3::Zero());
  EXPECT_EQ(channel.pass(number(2.0)).linear, Vec3::Zero());
  EXPECT_EQ(channel.pass(number(3.0)).linear, Vec3::Constant(1.0));
}

TEST(Channel, jitter_spreads_arrival_evenly_and_never_shows_an_older_sample_again) {
  ChannelDescription d = carrying(Signal::contact);
  d.latency_s = 0.002;
  d.jitter_s = 0.004;
  Channel channel = channel_of(d);
  double last = 0.0;
  std::array<int, 10> age = {};
  for (int n = 0; n < kManySamples; ++n) {
    const double shown = channel.pass(number(n)).linear.x();
    ASSERT_GE(shown, last);
    last = shown;
    if (n > 10) ++age.at(static_cast<std::size_t>(n - shown));
  }
  // A sample takes 3, 4, 5 or 6 periods, each with probability 1/4. Its age is 3 + k where k younger ones are not there
  // yet: 1/4, 3/4 * 2/4, 3/4 * 2/4 * 3/4, and the rest.
  const std::array<double, 4> share = {0.25, 0.375, 0.28125, 0.09375};
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_NEAR(age[3 + k], share[k] * kManySamples, 0.03 * kManySamples) << "age " << 3 + k;
  EXPECT_EQ(age[0] + age[1] + age[2] + age[7] + age[8] + age[9], 0);
}

TEST(Channel, lost_samples_hold_the_last_one) {
  ChannelDescription d = carrying(Signal::tip);
  d.drop_out_share = 0.3;
  Channel channel = channel_of(d);
  int lost = 0;
  double last = 0.0;
  for (int n = 0; n < kManySamples; ++n) {
    const double shown = channel.pass(number(n)).linear.x();
    ASSERT_TRUE(shown == n || shown == last) << n;
    lost += shown != n;
    last = shown;
  }
  EXPECT_NEAR(lost, 0.3 * kManySamples, 5.0 * std::sqrt(0.21 * kManySamples));
}

TEST(Channel, noise_has_its_standard_deviation_on_every_axis_and_bias_its_mean) {
  ChannelDescription d = carrying(Signal::contact);
  d.linear = {.noise = 0.02, .bias = Vec3(0.1, -0.2, 0.3)};
  d.angular = {.noise = 0.005, .bias = Vec3(0.0, 0.01, 0.0)};
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    Channel channel = channel_of(d, "line", seed);
    Vec3 sum = Vec3::Zero(), squares = Vec3::Zero(), angular_sum = Vec3::Zero(), angular_squares = Vec3::Zero();
    for (int n = 0; n < kManySamples; ++n) {
      const Sample seen = channel.pass(number(5.0));
      const Vec3 error = seen.linear - Vec3::Constant(5.0), turn = seen.angular + Vec3::Constant(5.0);
      sum += error, squares += (error - d.linear.bias).cwiseAbs2();
      angular_sum += turn, angular_squares += (turn - d.angular.bias).cwiseAbs2();
    }
    const double deviations = 5.0 / std::sqrt(kManySamples);
    EXPECT_LT((sum / kManySamples - d.linear.bias).cwiseAbs().maxCoeff(), deviations * 0.02);
    EXPECT_LT((angular_sum / kManySamples - d.angular.bias).cwiseAbs().maxCoeff(), deviations * 0.005);
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(std::sqrt(squares[axis] / kManySamples), 0.02, deviations * 0.02);
      EXPECT_NEAR(std::sqrt(angular_squares[axis] / kManySamples), 0.005, deviations * 0.005);
    }
  }
}

TEST(Channel, quantised_values_lie_on_the_grid_nearest_to_the_truth) {
  ChannelDescription d = carrying(Signal::sensor);
  d.linear.quantisation = 0.25;
  Channel channel = channel_of(d);
  for (double truth = -2.0; truth < 2.0; truth += 0.013) {
    const double seen = channel.pass(number(truth)).linear.y();
    EXPECT_EQ(std::fmod(seen, 0.25), 0.0) << truth;
    EXPECT_LE(std::abs(seen - truth), 0.125 + 1e-12);
  }
}

TEST(Channel, a_saturated_sensor_cuts_each_axis_and_an_actuator_the_length) {
  ChannelDescription d = carrying(Signal::sensor);
  d.linear.limit = 2.0;
  EXPECT_EQ(channel_of(d).pass(wrench(Vec3(3.0, -5.0, 1.0))).linear, Vec3(2.0, -2.0, 1.0));
  d.signal = Signal::command;
  const Vec3 acted = channel_of(d).pass(wrench(Vec3(3.0, -4.0, 0.0))).linear;
  EXPECT_LT((acted - Vec3(1.2, -1.6, 0.0)).norm(), 1e-15);
}

TEST(Channel, the_filter_answers_a_step_as_one_minus_exp) {
  for (const Signal signal : {Signal::contact, Signal::command}) {
    ChannelDescription d = carrying(signal);
    d.filter_hz = 40.0;
    Channel channel = channel_of(d);
    if (signal == Signal::contact) channel.pass(number(0.0));
    for (int n = 1; n < 50; ++n) {
      const double expected = 1.0 - std::exp(-2.0 * std::numbers::pi * 40.0 * n * kChannelPeriod);
      ASSERT_NEAR(channel.pass(number(1.0)).linear.z(), expected, 1e-12) << n;
    }
  }
}

TEST(Channel, an_actuator_changes_no_faster_than_its_rate) {
  ChannelDescription d = carrying(Signal::command);
  d.linear.rate = 100.0;  // 0.1 N a period
  d.linear.limit = 0.45;
  Channel channel = channel_of(d);
  for (const double expected : {0.1, 0.2, 0.3, 0.4, 0.45, 0.45})
    EXPECT_NEAR(channel.pass(wrench(Vec3(0.0, 0.0, 7.0))).linear.z(), expected, 1e-12);
  // No wind-up: it turns round at once.
  EXPECT_NEAR(channel.pass(wrench(Vec3(0.0, 0.0, -7.0))).linear.z(), 0.35, 1e-12);
}

TEST(Channel, orientations_err_by_rotation_vectors_from_the_first_seen) {
  ChannelDescription d = carrying(Signal::pose);
  d.angular.bias = Vec3(0.0, 0.01, 0.0);
  d.angular.quantisation = 0.005;
  Channel channel = channel_of(d);
  const Quat first = rotation_from_vector(Vec3(0.0, std::numbers::pi, 0.0));
  channel.pass({CommandMode::pose, Vec3::Zero(), Vec3::Zero(), first});
  const Quat turned = rotation_from_vector(Vec3(0.0121, 0.0, 0.0)) * first;
  const Sample seen = channel.pass({CommandMode::pose, Vec3::Zero(), Vec3::Zero(), turned});
  EXPECT_LT((vector_from_rotation(seen.q * first.conjugate()) - Vec3(0.010, 0.010, 0.0)).norm(), 1e-12);
  EXPECT_NEAR(seen.q.norm(), 1.0, 1e-15);
}

ChannelDescription everything() {
  ChannelDescription d = carrying(Signal::command);
  d.latency_s = 0.003, d.jitter_s = 0.005, d.drop_out_share = 0.2, d.filter_hz = 100.0;
  d.linear = {.noise = 0.1, .bias = Vec3(0.1, 0.2, 0.3), .quantisation = 0.01, .limit = 3.0, .rate = 50.0};
  d.angular = d.linear;
  return d;
}

TEST(Channel, seed_and_name_decide_and_a_copied_memory_goes_on_with_equal_bits) {
  Channel one = channel_of(everything()), same = channel_of(everything());
  Channel other_seed = channel_of(everything(), "line", 2), other_name = channel_of(everything(), "wire");
  bool seed_differs = false, name_differs = false;
  for (int n = 0; n < 200; ++n) {
    const Vec3 seen = one.pass(number(std::sin(0.1 * n))).linear;
    ASSERT_EQ(same.pass(number(std::sin(0.1 * n))).linear, seen);
    seed_differs |= other_seed.pass(number(std::sin(0.1 * n))).linear != seen;
    name_differs |= other_name.pass(number(std::sin(0.1 * n))).linear != seen;
  }
  EXPECT_TRUE(seed_differs && name_differs);
  Channel later = channel_of(everything());
  later.restore(one.save());
  for (int n = 0; n < 100; ++n) {
    const Sample a = one.pass(number(n)), b = later.pass(number(n));
    ASSERT_EQ(a.linear, b.linear);
    ASSERT_EQ(a.angular, b.angular);
  }
}

TEST(Channel, bad_descriptions_are_refused) {
  ChannelDescription d = carrying(Signal::pose);
  d.drop_out_share = 1.0;
  EXPECT_THROW(channel_of(d), InputError);
  d = carrying(Signal::pose);
  d.linear.noise = NAN;
  EXPECT_THROW(channel_of(d), InputError);
  d = carrying(Signal::pose);
  d.latency_s = 9.0, d.jitter_s = 2.0;  // 11000 periods
  EXPECT_THROW(channel_of(d), InputError);
}

}  // namespace
}  // namespace distal
