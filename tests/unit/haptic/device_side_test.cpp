#include "distal/haptic/device_side.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "distal/core/error.hpp"
#include "distal/haptic/devices.hpp"
#include "distal/haptic/held_body.hpp"
#include "distal/simulation/simulation.hpp"
#include "support/haptic_devices.hpp"
#include "support/rigid_scenes.hpp"

namespace distal {
namespace {

using test::StubDevice;

constexpr double kPeriod_s = 1e-3;

ModelDescription ball_on_table() {
  ModelDescription scene = test::rigid_scene();
  scene.bodies.emplace_back("ball", test::sphere(0.005, Vec3(0.0, 0.0, 0.006), 0.05));
  scene.bodies.emplace_back("table", PlaneDescription{});
  return scene;
}

DeviceDescription holds_ball() {
  DeviceDescription device;
  device.body = "ball";
  device.stiffness_n_m = 1000.0;
  return device;
}

// A ball in a hand that is pressed 3 mm into the table.
struct Press {
  Simulation simulation{ball_on_table()};
  HeldBody held;
  StubDevice* device = nullptr;

  explicit Press(DeviceDescription description = holds_ball())
      : held("hand", description, simulation.model(), simulation.rigid_index(0), kPeriod_s) {
    auto stub = std::make_unique<StubDevice>();
    device = stub.get();
    held.port().plug_in(std::move(stub));
    device->sample.pose.position = Vec3(0.0, 0.0, 0.006);
    for (int n = 0; n < 400; ++n) {
      device->sample.pose.position.z() = std::max(0.002, 0.006 - 2e-5 * n);
      device->sample.twist.linear.z() = n < 200 ? -0.02 : 0.0;
      advance();
    }
  }
  void advance() {
    const BodyCommand command = held.update(simulation.measure()[0].feedback, kPeriod_s);
    ASSERT_EQ(simulation.advance({&command, 1}).status, StepStatus::good);
  }
  const GuardMemory& guard() const { return held.port().side().memory().guard; }
};

TEST(HeldBody, TheHandFeelsTheSpringOfTheCoupling) {
  const Press press;
  // The ball rests on the table at 5 mm, the hand at 2 mm.
  EXPECT_NEAR(press.simulation.measure()[0].feedback.pose.position.z(), 0.005, 1e-5);
  EXPECT_NEAR(press.device->felt.force.z(), 3.0, 0.02);
  EXPECT_NEAR(press.simulation.measure()[0].feedback.contact.force.z(), 3.0, 0.02);
}

TEST(HeldBody, ASampleThatIsNoneIsHeldAndCounted) {
  Press press;
  press.device->sample.pose.position.z() = std::numeric_limits<double>::quiet_NaN();
  for (int n = 0; n < 20; ++n) {
    press.advance();
    EXPECT_NEAR(press.device->felt.force.z(), 3.0, 0.05);
  }
  EXPECT_EQ(press.guard().not_numbers, 20U);
  // After the watchdog's time the device counts as unplugged.
  for (int n = 0; n < 40; ++n) press.advance();
  EXPECT_EQ(press.device->felt.force, Vec3::Zero());
  EXPECT_EQ(press.guard().unplugged, 1U);
}

TEST(HeldBody, AJumpOfAMetreIsRefused) {
  Press press;
  press.device->sample.pose.position.x() = 1.0;
  for (int n = 0; n < 20; ++n) {
    press.advance();
    EXPECT_NEAR(press.device->felt.force.z(), 3.0, 0.05);
    EXPECT_LT(std::abs(press.device->felt.force.x()), 0.01);
  }
  EXPECT_EQ(press.guard().jumps, 20U);
  press.device->sample.pose.position.x() = 0.0;
  for (int n = 0; n < 20; ++n) press.advance();
  EXPECT_EQ(press.guard().jumps, 20U);
  EXPECT_NEAR(press.device->felt.force.z(), 3.0, 0.05);
  EXPECT_EQ(press.guard().unplugged, 0U);
}

TEST(HeldBody, AHandThatStaysWhereItJumpedToIsFollowedWithoutAKick) {
  Press press;
  press.device->sample.pose.position = Vec3(0.02, 0.0, 0.010);
  Vec3 before = press.device->felt.force;
  for (int n = 0; n < 60; ++n) press.advance();
  double most = 0.0, change = 0.0;
  for (int n = 0; n < 2500; ++n) {
    before = press.device->felt.force;
    press.advance();
    most = std::max(most, press.device->felt.force.norm());
    if (n > 0) change = std::max(change, (press.device->felt.force - before).norm());
  }
  EXPECT_LT(most, 4.0);
  EXPECT_LT(change, 0.15);
  EXPECT_LT((press.simulation.measure()[0].feedback.pose.position - Vec3(0.02, 0.0, 0.010)).norm(), 1e-3);
}

TEST(HeldBody, UnpluggedInContactTheForceGoesAtOnceAndComesBackWithoutAKick) {
  Press press;
  ASSERT_GT(press.device->felt.force.z(), 2.9);
  press.device->sample.connected = false;
  press.advance();
  EXPECT_EQ(press.device->felt.force, Vec3::Zero());
  EXPECT_EQ(press.device->felt.torque, Vec3::Zero());
  for (int n = 0; n < 200; ++n) {
    press.advance();
    EXPECT_EQ(press.device->felt.force, Vec3::Zero());
  }
  EXPECT_LT(press.simulation.measure()[0].feedback.twist.linear.norm(), 1e-3) << "the ball stays where it was left";
  // It comes back deep in the table, and moving.
  press.device->sample.connected = true;
  press.device->sample.pose.position = Vec3(0.0, 0.0, -0.010);
  press.device->sample.twist.linear = Vec3(0.0, 0.0, -0.5);
  Vec3 before = Vec3::Zero();
  for (int n = 0; n < 2000; ++n) {
    press.advance();
    if (n == 0) { EXPECT_LT(press.device->felt.force.norm(), 0.01); }
    EXPECT_LT((press.device->felt.force - before).norm(), 0.3);
    before = press.device->felt.force;
    press.device->sample.twist.linear.setZero();
  }
  EXPECT_GT(press.device->felt.force.z(), 7.0) << "in the end it is where it says";
}

TEST(HeldBody, ForceAndItsChangeStayWithinTheLimits) {
  DeviceDescription description = holds_ball();
  description.max_force_n = 2.0;
  description.max_force_rate_n_s = 50.0;
  Press press(description);
  EXPECT_NEAR(press.device->felt.force.norm(), 2.0, 1e-9);
  EXPECT_LE(press.held.port().side().memory().most_jump_n, 0.05 + 1e-12);
}

TEST(HeldBody, ASpringTooStiffForTheBodyIsRefused) {
  DeviceDescription description = holds_ball();
  description.stiffness_n_m = 1e5;
  const Simulation simulation(ball_on_table());
  try {
    HeldBody held("hand", description, simulation.model(), simulation.rigid_index(0), kPeriod_s);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("device.hand.stiffness_n_m"), std::string::npos) << error.what();
  }
}

TEST(HeldBody, GoesOnFromItsMemoryWithEqualBits) {
  DeviceDescription description = holds_ball();
  description.kind = DeviceKind::arm;
  description.delay_s = 0.003;
  description.path.points_m = {Vec3(0.0, 0.0, 0.006), Vec3(0.0, 0.0, 0.002)};
  Simulation simulation(ball_on_table());
  HeldBody one("hand", description, simulation.model(), simulation.rigid_index(0), kPeriod_s);
  const auto advance = [&](HeldBody& held) {
    const BodyCommand command = held.update(simulation.measure()[0].feedback, kPeriod_s);
    simulation.advance({&command, 1});
  };
  for (int n = 0; n < 700; ++n) advance(one);
  const State state = simulation.state();
  const HeldBodyMemory memory = one.save();
  for (int n = 0; n < 300; ++n) advance(one);
  const std::uint64_t hash = hash_state(simulation.state());
  simulation.resume(state);
  HeldBody two("hand", description, simulation.model(), simulation.rigid_index(0), kPeriod_s);
  two.restore(memory);
  for (int n = 0; n < 300; ++n) advance(two);
  EXPECT_EQ(hash_state(simulation.state()), hash);
}

TEST(Passivity, GivesNoMoreThanWasPutIn) {
  PassivityMemory memory;
  observe_work(Vec3::Zero(), memory);
  memory.force = Vec3(2.0, 0.0, 0.0);
  observe_work(Vec3(-0.001, 0.0, 0.0), memory);  // pushed against the force: 2 mJ in
  EXPECT_NEAR(memory.energy_j, 0.002, 1e-15);
  // 1 m/s along 5 N would give 5 mJ in a period: 2 of them are left.
  const Vec3 force = make_passive(Vec3(5.0, 0.0, 0.0), Vec3(1.0, 0.0, 0.0), 1e-3, 50.0, memory);
  EXPECT_NEAR(force.x(), 2.0, 1e-12);
  // Nothing is taken where the hand pushes in.
  EXPECT_EQ(make_passive(Vec3(5.0, 0.0, 0.0), Vec3(-1.0, 0.0, 0.0), 1e-3, 50.0, memory), Vec3(5.0, 0.0, 0.0));
}

TEST(ArmDevice, IsAMassOnASpring) {
  HandPathDescription path;
  ArmDescription arm;
  arm.damping_n_s_m = 0.0;
  ArmDevice device(path, arm);
  device.write({Vec3(3.0, 0.0, 0.0), Vec3::Zero()});
  // A step of force: x = F/k (1 - cos w t).
  for (const double t : {0.01, 0.05, 0.2, 0.5}) {
    const double w = std::sqrt(arm.stiffness_n_m / arm.mass_kg);
    EXPECT_NEAR(device.read(t).pose.position.x(), 0.01 * (1.0 - std::cos(w * t)), 3e-5);
  }
}

}  // namespace
}  // namespace distal
