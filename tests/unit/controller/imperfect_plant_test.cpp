#include "distal/controller/imperfect_plant.hpp"

#include <gtest/gtest.h>

#include "distal/core/error.hpp"

namespace distal {
namespace {

// A plant that answers a force with itself: what was felt is what acted.
class Mirror : public Plant {
 public:
  Mirror() : feedback_(2) {}
  double period_s() const override { return 0.001; }
  std::span<const BodyFeedback> feedback() const override { return feedback_; }
  std::span<const BodyFeedback> exchange(std::span<const BodyCommand> commands) override {
    for (std::size_t b = 0; b < commands.size(); ++b) {
      feedback_[b].time_s += period_s();
      feedback_[b].contact = feedback_[b].tip = feedback_[b].sensor = commands[b].wrench;
      feedback_[b].twist.linear = commands[b].wrench.force;
      feedback_[b].pose.position += commands[b].wrench.force;
    }
    return feedback_;
  }

 private:
  std::vector<BodyFeedback> feedback_;
};

PlantChannel late(const char* name, std::size_t body, Signal signal, double latency_s) {
  PlantChannel channel{name, body, {}};
  channel.description.signal = signal;
  channel.description.latency_s = latency_s;
  return channel;
}

std::vector<BodyCommand> push(double force) {
  std::vector<BodyCommand> commands(2);
  for (BodyCommand& command : commands) command.wrench.force = Vec3(0.0, 0.0, force);
  return commands;
}

TEST(ImperfectPlant, each_channel_changes_its_signal_of_its_body_alone) {
  for (const Signal signal : {Signal::pose, Signal::twist, Signal::contact, Signal::tip, Signal::sensor}) {
    Mirror mirror;
    ImperfectPlant plant(mirror, {late("a", 1, signal, 0.001)}, 1);
    plant.exchange(push(1.0));
    const auto truth = mirror.feedback()[1];
    const auto seen = plant.exchange(push(2.0))[1];
    const auto truth_now = mirror.feedback()[1];
    const auto expect = [&](Signal one, const Vec3& value, const Vec3& before, const Vec3& now) {
      EXPECT_EQ(value, one == signal ? before : now) << static_cast<int>(signal) << " " << static_cast<int>(one);
    };
    expect(Signal::pose, seen.pose.position, truth.pose.position, truth_now.pose.position);
    expect(Signal::twist, seen.twist.linear, truth.twist.linear, truth_now.twist.linear);
    expect(Signal::contact, seen.contact.force, truth.contact.force, truth_now.contact.force);
    expect(Signal::tip, seen.tip.force, truth.tip.force, truth_now.tip.force);
    expect(Signal::sensor, seen.sensor.force, truth.sensor.force, truth_now.sensor.force);
    EXPECT_EQ(seen.time_s, truth_now.time_s);
    EXPECT_EQ(plant.feedback()[0].contact.force, mirror.feedback()[0].contact.force);
  }
}

TEST(ImperfectPlant, a_command_reaches_the_plant_late_and_is_what_acted) {
  Mirror mirror;
  ImperfectPlant plant(mirror, {late("a", 0, Signal::command, 0.002)}, 1);
  for (const double force : {1.0, 2.0, 3.0, 4.0}) plant.exchange(push(force));
  EXPECT_EQ(plant.acted()[0].wrench.force.z(), 2.0);
  EXPECT_EQ(plant.acted()[1].wrench.force.z(), 4.0);
  EXPECT_EQ(mirror.feedback()[0].contact.force.z(), 2.0);
}

TEST(ImperfectPlant, commands_of_every_mode_pass_whole) {
  Mirror mirror;
  ImperfectPlant plant(mirror, {late("a", 0, Signal::command, 0.0)}, 1);
  std::vector<BodyCommand> commands(2);
  commands[0].mode = CommandMode::pose;
  commands[0].pose = {Vec3(1.0, 2.0, 3.0), rotation_from_vector(Vec3(0.1, 0.2, 0.3))};
  plant.exchange(commands);
  EXPECT_EQ(plant.acted()[0].mode, CommandMode::pose);
  EXPECT_EQ(plant.acted()[0].pose.position, commands[0].pose.position);
  EXPECT_EQ(plant.acted()[0].pose.q.coeffs(), commands[0].pose.q.coeffs());
  commands[0].mode = CommandMode::twist;
  commands[0].twist = {Vec3(4.0, 5.0, 6.0), Vec3(7.0, 8.0, 9.0)};
  plant.exchange(commands);
  EXPECT_EQ(plant.acted()[0].twist.angular, commands[0].twist.angular);
}

TEST(ImperfectPlant, a_copied_memory_goes_on_with_equal_bits) {
  PlantChannel noisy = late("a", 0, Signal::contact, 0.002);
  noisy.description.linear.noise = 0.1;
  noisy.description.jitter_s = 0.003;
  Mirror mirror, again;
  ImperfectPlant plant(mirror, {noisy}, 1), copy(again, {noisy}, 1);
  for (int n = 0; n < 20; ++n) plant.exchange(push(n));
  copy.restore(plant.save());
  EXPECT_EQ(copy.feedback()[0].contact.force, plant.feedback()[0].contact.force);
  for (int n = 20; n < 40; ++n) {
    plant.exchange(push(n)), copy.exchange(push(n));
    ASSERT_EQ(copy.feedback()[0].contact.force, plant.feedback()[0].contact.force) << n;
  }
}

TEST(ImperfectPlant, a_body_that_is_not_there_is_refused) {
  Mirror mirror;
  EXPECT_THROW(ImperfectPlant(mirror, {late("a", 2, Signal::pose, 0.0)}, 1), InputError);
}

}  // namespace
}  // namespace distal
