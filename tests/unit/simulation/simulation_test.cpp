// Mounts, commands, and continuing from a copied state.
#include "distal/simulation/simulation.hpp"

#include <gtest/gtest.h>

#include "distal/core/error.hpp"
#include "distal/sensor/measure.hpp"

namespace distal {
namespace {

ModelDescription finger(Mount mount) {
  ModelDescription d;
  MaterialDescription rubber;
  rubber.density_kg_m3 = 500.0;
  rubber.youngs_modulus_pa = 3922.66;
  rubber.poissons_ratio = 0.4286;
  d.materials["rubber"] = rubber;
  FingertipDescription f;
  f.lattice.material = "rubber";
  f.lattice.cell_size_m = 0.0025;
  f.placement.position_m = Vec3(0.0, 0.0, 0.011);
  f.placement.q_xyzw = Quat(0.0, 1.0, 0.0, 0.0);
  f.mount = mount;
  d.bodies.emplace_back("finger", f);
  d.bodies.emplace_back("table", PlaneDescription{});
  d.threads = 1;
  return d;
}

double tip_mass(const Simulation& simulation) {
  double mass = 0.0;
  for (const double m : simulation.model().soft[0].lattice.mass) mass += m;
  return mass;
}

TEST(Step, AFailedPeriodLeavesPlacesAndContactsAsTheyWere) {
  ModelDescription d = finger(Mount::driven);
  d.integrator.kind = IntegratorKind::semi_implicit_euler;
  Simulation simulation(d);
  BodyCommand command;
  command.mode = CommandMode::twist;
  command.twist.linear = Vec3(0.0, 0.0, -0.02);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(simulation.advance({&command, 1}).status, StepStatus::good);
  const State before = simulation.state();
  const PairState& was = before.pairs[0];
  command.twist.linear = Vec3(40.0, 0.0, -40.0);
  ASSERT_EQ(simulation.advance({&command, 1}).status, StepStatus::failed);
  const PairState& is = simulation.state().pairs[0];
  for (std::size_t p = 0; p < before.x.size(); ++p) ASSERT_EQ(simulation.state().x.get(p), before.x.get(p)) << p;
  EXPECT_EQ(is.touch, was.touch);
  EXPECT_EQ(is.stretch_m, was.stretch_m);
  EXPECT_EQ(is.weakened, was.weakened);
  int touching = 0;
  for (std::size_t s = 0; s < was.touch.size(); ++s) {
    if (was.touch[s] == Touch::none) continue;
    ++touching;
    EXPECT_EQ(is.anchor_m[s], was.anchor_m[s]) << s;
  }
  EXPECT_GT(touching, 20);
}

TEST(Mount, FreeFingerFallsAndItsSensorReadsNothing) {
  ModelDescription d = finger(Mount::free);
  std::get<FingertipDescription>(d.bodies[0].second).placement.position_m.z() = 0.5;
  d.integrator.kind = IntegratorKind::semi_implicit_euler;
  Simulation simulation(d);
  const BodyCommand none;
  for (int i = 0; i < 100; ++i) ASSERT_EQ(simulation.advance({&none, 1}).status, StepStatus::good);
  const BodyReading reading = simulation.measure()[0];
  EXPECT_NEAR(reading.feedback.twist.linear.z(), -0.981, 1e-9);
  EXPECT_LT(reading.feedback.sensor.force.norm(), 1e-9);
  EXPECT_LT(reading.feedback.sensor.torque.norm(), 1e-11);
}

TEST(Mount, HeldFingerWeighsWhatItWeighs) {
  Simulation simulation(finger(Mount::driven), true);
  const BodyCommand none;
  for (int i = 0; i < 400; ++i) ASSERT_EQ(simulation.advance({&none, 1}).status, StepStatus::good);
  const BodyReading reading = simulation.measure()[0];
  // E's z axis points down, as weight does.
  EXPECT_NEAR(reading.feedback.sensor.force.z(), (0.02 + tip_mass(simulation)) * 9.81, 1e-6);
  EXPECT_NEAR(reading.feedback.tip.force.z(), tip_mass(simulation) * 9.81, 1e-6);
  EXPECT_LT(reading.closure_residual, 1e-12);
}

TEST(Mount, DrivenFingerReachesTheCommandedPose) {
  Simulation simulation(finger(Mount::driven));
  BodyCommand command;
  command.mode = CommandMode::pose;
  command.pose = simulation.measure()[0].feedback.pose;
  command.pose.position += Vec3(1e-5, -2e-5, 3e-5);
  command.pose.q = rotation_from_vector(Vec3(0.001, 0.002, -0.001)) * command.pose.q;
  ASSERT_EQ(simulation.advance({&command, 1}).status, StepStatus::good);
  const Pose reached = simulation.measure()[0].feedback.pose;
  EXPECT_LT((reached.position - command.pose.position).norm(), 1e-15);
  EXPECT_LT(vector_from_rotation(reached.q * command.pose.q.conjugate()).norm(), 1e-12);
}

TEST(Mount, FlangeMassAndDampingStandBehindTheSensor) {
  ModelDescription d = finger(Mount::inertia);
  auto& f = std::get<FingertipDescription>(d.bodies[0].second);
  f.placement.position_m.z() = 1.0;
  f.flange_mass_kg = 0.1;
  f.flange_damping_n_s_m = 5.0;
  Simulation simulation(d);
  const BodyCommand none;
  for (int i = 0; i < 500; ++i) ASSERT_EQ(simulation.advance({&none, 1}).status, StepStatus::good);
  const BodyReading reading = simulation.measure()[0];
  // Terminal speed m g / c of everything; the sensor then carries the rod and the tip only.
  const double beyond = 0.02 + tip_mass(simulation);
  EXPECT_NEAR(reading.feedback.twist.linear.z(), -(0.1 + beyond) * 9.81 / 5.0, 1e-5);
  EXPECT_NEAR(reading.feedback.sensor.force.z(), beyond * 9.81, 1e-4);
}

TEST(State, ACopyGoesOnWithTheSameBits) {
  ModelDescription d = finger(Mount::free);
  Simulation first(d), second(d);
  BodyCommand push;
  push.wrench.force = Vec3(0.01, 0.0, 0.1);
  for (int i = 0; i < 75; ++i) first.advance({&push, 1});
  second.restore(first.state());
  ASSERT_EQ(hash_state(first.state()), hash_state(second.state()));
  for (int i = 0; i < 75; ++i) first.advance({&push, 1}), second.advance({&push, 1});
  EXPECT_EQ(hash_state(first.state()), hash_state(second.state()));
}

TEST(TimeStep, MustDivideThePeriodAndBeStable) {
  ModelDescription d = finger(Mount::free);
  d.integrator.time_step_s = 3e-5;
  EXPECT_THROW(Simulation{d}, InputError);
  d.integrator.time_step_s = 5e-4;
  try {
    Simulation simulation(d);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("largest good value"), std::string::npos);
  }
  d.integrator.time_step_s = 2e-5;
  EXPECT_EQ(Simulation(d).state().steps_per_period, 50);
}

TEST(Threads, DoNotChangeABit) {
  for (const IntegratorKind kind : {IntegratorKind::semi_implicit_euler, IntegratorKind::implicit_euler}) {
    std::uint64_t hashes[3];
    const int threads[3] = {1, 2, 4};
    for (int t = 0; t < 3; ++t) {
      ModelDescription d = finger(Mount::free);
      d.threads = threads[t];
      d.integrator.kind = kind;
      Simulation simulation(d);
      BodyCommand push;
      push.wrench.force = Vec3(0.02, 0.0, 0.2);
      for (int i = 0; i < 25; ++i) simulation.advance({&push, 1});
      EXPECT_GT(simulation.measure()[0].patch.count, 0) << "in contact";
      hashes[t] = hash_state(simulation.state());
    }
    EXPECT_EQ(hashes[0], hashes[1]) << name_of(kind);
    EXPECT_EQ(hashes[0], hashes[2]) << name_of(kind);
  }
}

}  // namespace
}  // namespace distal
