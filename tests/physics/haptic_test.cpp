// A hand on soft and stiff things: passivity with a simulated arm, forces without jumps, touch as in paper 4.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <string>

#include "distal/haptic/devices.hpp"
#include "distal/haptic/held_body.hpp"
#include "distal/haptic/skin_touch.hpp"
#include "distal/run/run_scene.hpp"
#include "distal/simulation/simulation.hpp"
#include "support/haptic_devices.hpp"
#include "support/rigid_scenes.hpp"
#include "support/tet_scenes.hpp"
#include "unit/record/scratch_folder.hpp"

namespace distal {
namespace {

constexpr double kPeriod_s = 1e-3;

struct ArmOnWall {
  double most_given_j, early_speed_m_s, late_speed_m_s, damped_j;
};

// An arm with little damping of its own drives a ball into a hard wall, or stops before it, and holds.
ArmOnWall press_wall(double stiffness_n_m, double delay_s, bool passivity, double end_m, double damping_ratio) {
  ModelDescription scene = test::rigid_scene();
  scene.gravity_m_s2.setZero();
  scene.bodies.emplace_back("ball", test::sphere(0.005, Vec3(0.0, 0.0, 0.015), 0.05));
  scene.bodies.emplace_back("table", PlaneDescription{});
  Simulation simulation(scene);
  DeviceDescription device;
  device.kind = DeviceKind::arm;
  device.body = "ball";
  device.stiffness_n_m = stiffness_n_m;
  device.delay_s = delay_s;
  device.passivity = passivity;
  device.damping_ratio = damping_ratio;
  device.max_force_n = 20.0;
  device.arm = {0.2, 300.0, 0.5};
  device.path.points_m = {Vec3(0.0, 0.0, 0.015), Vec3(0.0, 0.0, end_m)};
  device.path.times_s = {0.1, 0.2};
  HeldBody held("hand", device, simulation.model(), simulation.rigid_index(0), kPeriod_s);
  auto metered = std::make_unique<test::MeteredDevice>(make_device("device.hand", device));
  const test::MeteredDevice& meter = *metered;
  held.port().plug_in(std::move(metered));
  for (int n = 0; n < 3000; ++n) {
    const BodyCommand command = held.update(simulation.measure()[0].feedback, kPeriod_s);
    EXPECT_EQ(simulation.advance({&command, 1}).status, StepStatus::good);
  }
  const auto fastest = [&](std::size_t from, std::size_t to) {
    return *std::max_element(meter.speeds.begin() + static_cast<std::ptrdiff_t>(from),
                             meter.speeds.begin() + static_cast<std::ptrdiff_t>(to));
  };
  return {meter.most_given_j, fastest(300, 800), fastest(2500, 3000), held.port().side().memory().linear.damped_j};
}

TEST(Haptic, AnArmOnAStiffCouplingGetsNoEnergyAndDoesNotOscillate) {
  for (const double ratio : {1.0, 0.1})
    for (const double end_m : {-0.003, 0.010})
      for (const double stiffness : {200.0, 1000.0, 5000.0})
        for (const double delay : {0.0, 0.001, 0.003, 0.005}) {
          const ArmOnWall got = press_wall(stiffness, delay, true, end_m, ratio);
          const std::string what = fmt::format("{} N/m, {} s, to {} m, ratio {}", stiffness, delay, end_m, ratio);
          EXPECT_LT(got.most_given_j, 1e-3) << what;
          // A coupling with hardly any damping may swing on what the hand put in before.
          if (ratio == 1.0) { EXPECT_LT(got.late_speed_m_s, 0.5 * got.early_speed_m_s) << what; }
        }
  // Without the controller the delay makes energy: what is tested can fail.
  EXPECT_GT(press_wall(5000.0, 0.003, false, 0.010, 0.1).most_given_j, 0.1);
}

ModelDescription soft_cube() {
  MaterialDescription material;
  material.youngs_modulus_pa = 20000.0;
  material.poissons_ratio = 0.4;
  material.damping_ratio = 0.3;
  ModelDescription scene = test::held_tet_cuboid(Vec3(0.03, 0.02, 0.02), 0.004, material);
  scene.integrator.kind = IntegratorKind::semi_implicit_euler;
  return scene;
}

DeviceDescription touches_cube(std::vector<Vec3> points, std::vector<double> times) {
  DeviceDescription device;
  device.touches = "block";
  device.path.points_m = std::move(points);
  device.path.times_s = std::move(times);
  return device;
}

struct Felt {
  std::vector<Vec3> force_n;  // on the hand, a period apart
  double most_n() const {
    double most = 0.0;
    for (const Vec3& f : force_n) most = std::max(most, f.norm());
    return most;
  }
  double most_jump_n() const {
    double most = 0.0;
    for (std::size_t n = 1; n < force_n.size(); ++n) most = std::max(most, (force_n[n] - force_n[n - 1]).norm());
    return most;
  }
};

Felt touch(Simulation& simulation, const DeviceDescription& device, double seconds) {
  SkinTouch hand("hand", device, simulation.model(), kPeriod_s);
  Felt felt;
  TouchFeedback last;
  for (int n = 0; n < static_cast<int>(seconds / kPeriod_s); ++n) {
    const TouchCommand command = hand.update(simulation.state(), simulation.workspace().travelled_m, last, kPeriod_s);
    const StepReport report = simulation.advance({}, {}, {&command, 1});
    EXPECT_EQ(report.status, StepStatus::good) << report.message;
    if (report.status != StepStatus::good) break;
    last = simulation.measure_touches()[0];
    felt.force_n.push_back(hand.port().side().memory().shown.force);
  }
  return felt;
}

// Paper 4's touch: in, along by 12 mm over many faces, out again.
TEST(Haptic, AStrokeOverASkinHasNoJumpOfForce) {
  for (const double depth_m : {0.0005, 0.001, 0.0015}) {
    Simulation simulation(soft_cube());
    const double z = 0.01 - depth_m;
    const Felt felt = touch(simulation,
                            touches_cube({Vec3(-0.006, 0.001, 0.0105), Vec3(-0.006, 0.001, z), Vec3(0.006, -0.001, z),
                                          Vec3(0.006, -0.001, 0.012)},
                                         {0.1, 0.5, 1.3, 1.7}),
                            1.8);
    EXPECT_GT(felt.most_n(), 20.0 * depth_m);
    EXPECT_LT(felt.most_jump_n(), 0.05 * felt.most_n()) << depth_m;
    EXPECT_EQ(felt.force_n.back(), Vec3::Zero()) << depth_m;
    // It slips: along the way the cone bounds it.
    for (const Vec3& f : felt.force_n)
      if (f.z() > 0.01) { EXPECT_LT(f.head<2>().norm(), 0.6 * f.z()) << depth_m; }
    EXPECT_LT(std::abs(simulation.energy().residual), 0.05 * std::abs(simulation.energy().control_work));
  }
}

// What a user sees first. The hand of tremor_task has met its strand at 2 s.
TEST(Haptic, ShippedScenesHaveNoJumpOfForce) {
  const std::filesystem::path scenes = DISTAL_SCENARIO_DIR;
  const std::vector<std::string> whole = {"record.frames_per_s=0"},
                                 begin = {"record.frames_per_s=0", "run.duration_s=3"};
  for (const Scene& scene :
       {load_scene(scenes / "touch_fingertip.toml", whole), load_scene(scenes / "tremor_task.toml", begin)}) {
    const test::ScratchFolder scratch;
    RunOptions options;
    options.out = scratch.path() / "out";
    const RunResult result = run_scene(scene, options);
    ASSERT_EQ(result.status, RunStatus::done);
    EXPECT_GT(result.devices.at(0).most_force_n, 0.01) << scene.model.title;
    EXPECT_LT(result.devices[0].most_jump_n, 0.05 * result.devices[0].most_force_n) << scene.model.title;
  }
}

// A tool in a hand, the default: the same for a ball on a strand.
TEST(Haptic, AStrokeWithAHeldToolHasNoJumpOfForce) {
  ModelDescription scene = soft_cube();
  scene.integrator.kind = IntegratorKind::automatic;
  scene.contact.static_friction = scene.contact.dynamic_friction = 0.3;
  RigidDescription ball = test::sphere(0.005, Vec3(-0.006, 0.0, 0.0155), 0.05);
  scene.bodies.emplace_back("ball", ball);
  Simulation simulation(scene);
  DeviceDescription device = touches_cube(
      {Vec3(-0.006, 0.0, 0.0155), Vec3(-0.006, 0.0, 0.0135), Vec3(0.006, 0.0, 0.0135), Vec3(0.006, 0.0, 0.017)},
      {0.1, 0.5, 1.3, 1.7});
  device.touches.clear();
  device.body = "ball";
  HeldBody held("hand", device, simulation.model(), simulation.rigid_index(0), kPeriod_s);
  Felt felt;
  for (int n = 0; n < 1700; ++n) {
    const BodyCommand command = held.update(simulation.measure()[0].feedback, kPeriod_s);
    ASSERT_EQ(simulation.advance({&command, 1}).status, StepStatus::good);
    felt.force_n.push_back(held.port().side().memory().shown.force);
  }
  EXPECT_GT(felt.most_n(), 0.1);
  EXPECT_LT(felt.most_jump_n(), 0.05 * felt.most_n());
}

// Fig. 11: deep beside an edge the other side is nearer, and nobody is thrown out through it.
TEST(Haptic, CrossingACornerKeepsTheSideThatWasTouched) {
  Simulation simulation(soft_cube());
  const Felt felt = touch(
      simulation,
      touches_cube({Vec3(0.010, 0.0, 0.0105), Vec3(0.010, 0.0, 0.007), Vec3(0.0135, 0.0, 0.007)}, {0.1, 0.6, 1.2}),
      1.4);
  EXPECT_GT(felt.most_n(), 0.02);
  for (std::size_t n = 700; n < felt.force_n.size(); ++n) {
    EXPECT_GT(felt.force_n[n].z(), 0.01);
    EXPECT_LT(std::abs(felt.force_n[n].x()), felt.force_n[n].z());
  }
}

// Eq. (5): a touched node goes where the hand goes.
TEST(Haptic, TheTouchedPointMovesWithTheHand) {
  Simulation simulation(soft_cube());
  DeviceDescription device = touches_cube({Vec3(0.001, 0.002, 0.0102), Vec3(0.001, 0.002, 0.0085)}, {0.05, 0.45});
  SkinTouch hand("hand", device, simulation.model(), kPeriod_s);
  TouchFeedback last;
  for (int n = 0; n < 600; ++n) {
    const TouchCommand command = hand.update(simulation.state(), simulation.workspace().travelled_m, last, kPeriod_s);
    ASSERT_EQ(simulation.advance({}, {}, {&command, 1}).status, StepStatus::good);
    last = simulation.measure_touches()[0];
    if (hand.touching() && n > 200 && n % 50 == 0) {
      const Vec3 place = hand.port().hand().wanted.pose.position;
      SkinIndex index(simulation.model().soft[0]);
      index.update(simulation.state().x, 0.0);
      EXPECT_LT(std::abs(index.find(simulation.state().x, place).distance_m), 3e-5) << n;
    }
  }
  EXPECT_TRUE(hand.touching());
  EXPECT_LT(last.force_n.z(), -0.01);
}

// As printed: the node of the skin that is nearest moves with the hand's velocity, and nothing while the hand
// withdraws.
TEST(Haptic, AsPrintedTheNearestNodeMovesAndOnlyInwards) {
  Simulation simulation(soft_cube());
  DeviceDescription device = touches_cube(
      {Vec3(0.001, 0.002, 0.0102), Vec3(0.001, 0.002, 0.0085), Vec3(0.001, 0.002, 0.012)}, {0.05, 0.45, 0.85});
  device.as_printed = true;
  SkinTouch hand("hand", device, simulation.model(), kPeriod_s);
  const SoftBody& body = simulation.model().soft[0];
  TouchFeedback last;
  int moved = 0, withdrew = 0;
  for (int n = 0; n < 900; ++n) {
    const State before = simulation.state();
    const TouchCommand command = hand.update(before, simulation.workspace().travelled_m, last, kPeriod_s);
    const Carriage wanted = hand.port().hand().wanted;
    ASSERT_EQ(simulation.advance({}, {}, {&command, 1}).status, StepStatus::good);
    last = simulation.measure_touches()[0];
    if (wanted.twist.linear.z() > 1e-6) {
      withdrew += hand.touching();
      EXPECT_EQ(command.soft, -1) << n;
      EXPECT_EQ(last.force_n, Vec3::Zero()) << n;
    }
    if (command.soft < 0) continue;
    ASSERT_EQ(command.weight.maxCoeff(), 1.0);
    Eigen::Index corner = 0;
    command.weight.maxCoeff(&corner);
    const std::int32_t vertex =
        body.skin_triangles[static_cast<std::size_t>(command.triangle)][static_cast<std::size_t>(corner)];
    const CellCorners corners(body);
    const auto place = [&](std::size_t v, const Vec3Array& of) { return corners.interpolate(body.skin, v, of); };
    const double distance = (place(static_cast<std::size_t>(vertex), before.x) - wanted.pose.position).norm();
    for (std::size_t v = 0; v < body.skin.size(); ++v)
      ASSERT_GE((place(v, before.x) - wanted.pose.position).norm(), distance - 1e-15) << n;
    if (last.force_n.isZero(0.0) || wanted.twist.linear.z() > -1e-3) continue;
    ++moved;
    EXPECT_NEAR(place(static_cast<std::size_t>(vertex), simulation.state().v).z(), wanted.twist.linear.z(), 1e-9) << n;
  }
  EXPECT_GT(moved, 100);
  EXPECT_GT(withdrew, 50);
}

TEST(Haptic, AHandUnpluggedInASkinFeelsNothingAtOnceAndComesBackWithoutAKick) {
  Simulation simulation(soft_cube());
  SkinTouch hand("hand", touches_cube({}, {}), simulation.model(), kPeriod_s);
  auto stub = std::make_unique<test::StubDevice>();
  test::StubDevice& device = *stub;
  hand.port().plug_in(std::move(stub));
  TouchFeedback last;
  const auto advance = [&] {
    const TouchCommand command = hand.update(simulation.state(), simulation.workspace().travelled_m, last, kPeriod_s);
    ASSERT_EQ(simulation.advance({}, {}, {&command, 1}).status, StepStatus::good);
    last = simulation.measure_touches()[0];
  };
  for (int n = 0; n < 400; ++n) {
    device.sample.pose.position = Vec3(0.0, 0.0, std::max(0.008, 0.0105 - 1e-5 * n));
    device.sample.twist.linear.z() = n < 250 ? -0.01 : 0.0;
    advance();
  }
  EXPECT_GT(device.felt.force.z(), 0.02);
  device.sample.connected = false;
  advance();
  EXPECT_EQ(device.felt.force, Vec3::Zero());
  for (int n = 0; n < 100; ++n) advance();
  // Back, inside the body: nothing is felt until it has been outside.
  device.sample.connected = true;
  for (int n = 0; n < 200; ++n) {
    advance();
    EXPECT_EQ(device.felt.force, Vec3::Zero());
  }
  device.sample.pose.position.x() = std::numeric_limits<double>::quiet_NaN();
  for (int n = 0; n < 10; ++n) advance();
  EXPECT_EQ(hand.port().side().memory().guard.not_numbers, 10U);
  // A jump of a metre is refused too.
  device.sample.pose.position = Vec3(1.0, 0.0, 0.008);
  for (int n = 0; n < 10; ++n) advance();
  EXPECT_EQ(hand.port().side().memory().guard.jumps, 10U);
}

// A way longer than from the skin to what is inside is split over periods.
TEST(Haptic, AFastHandDoesNotTearTheSkin) {
  Simulation simulation(soft_cube());
  const Felt felt = touch(simulation, touches_cube({Vec3(0.0, 0.0, 0.011), Vec3(0.0, 0.0, 0.006)}, {0.05, 0.06}), 0.3);
  EXPECT_EQ(felt.force_n.size(), 300U);
  EXPECT_GT(felt.force_n.back().z(), 0.02);
}

}  // namespace
}  // namespace distal
