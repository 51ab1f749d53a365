// What must balance: wrenches of the tip, the energy ledger, momentum between bodies.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "support/scenes.hpp"

namespace distal::test {
namespace {

class WrenchClosure : public testing::TestWithParam<Precision> {};

// A press with gravity and all its transients: approach, first touch, vibration, rest.
TEST_P(WrenchClosure, HoldsThroughAPressAndSoDoesTheEnergyLedger) {
  const bool single = GetParam() == Precision::float_;
  ModelDescription scene = finger_over_table(reference_finger(0.002), 0.4286);
  scene.gravity_m_s2 = Vec3(0.0, 0.0, -9.81);
  scene.contact.static_friction = 0.9, scene.contact.dynamic_friction = 0.7;
  scene.precision = GetParam();
  scene.integrator.kind = IntegratorKind::semi_implicit_euler;
  Simulation simulation(scene);
  MotionDescription motion;
  motion.body = "finger";
  motion.depths_m = {0.001, 0.002};
  motion.settle_tolerance = 1e-3;
  double worst_closure = 0.0, worst_energy = 0.0, work = 0.0;
  run_motion(
      simulation, motion, find_gap_below(simulation), [](const auto&...) {},
      [&](const Simulation& s, const BodyReading& reading) {
        worst_closure = std::max(worst_closure, reading.closure_residual);
        const EnergyReading e = s.energy();
        worst_energy = std::max(worst_energy, std::abs(e.residual));
        work = e.elastic + e.ligament + e.contact + e.dissipated;
      });
  fmt::print("  {}: closure {:.2g}, energy residual {:.3g} J of {:.3g} J put into the tip\n",
             single ? "float" : "double", worst_closure, worst_energy, work);
  EXPECT_GT(worst_closure, 0.0);
  EXPECT_LT(worst_closure, single ? 1e-5 : 1e-9);
  EXPECT_LT(worst_energy, 0.005 * work);
}

INSTANTIATE_TEST_SUITE_P(Precisions, WrenchClosure, testing::Values(Precision::double_, Precision::float_));

struct Momentum {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();  // about the world's origin
};

Momentum total_momentum(const Simulation& simulation) {
  Momentum sum;
  const Model& model = simulation.model();
  const auto add = [&](double mass, const Vec3& x, const Vec3& v) {
    sum.linear += mass * v;
    sum.angular += mass * x.cross(v);
  };
  for (std::size_t p = 0; p < model.particle_slots; ++p)
    add(model.mass_kg[p], simulation.state().x.get(p), simulation.state().v.get(p));
  for (std::size_t b = 0; b < model.rigid.size(); ++b) {
    if (model.rigid[b].mount == Mount::fixed) continue;
    const RigidState& body = simulation.state().rigid[b];
    add(model.rigid[b].mass_kg, body.centre_of_mass, body.velocity);
    sum.angular += angular_momentum(model.rigid[b], body);
  }
  return sum;
}

class FreePush : public testing::TestWithParam<RigidShapeKind> {};

TEST_P(FreePush, ActionIsReactionAndEnergyIsAccountedFor) {
  FingertipDescription finger = reference_finger(0.002);
  finger.mount = Mount::free;
  finger.placement.velocity_m_s = Vec3(0.0, 0.0, -0.1);
  RigidDescription object;
  object.shape = GetParam();
  object.placement.position_m = Vec3(0.003, 0.001, -0.0101);
  ModelDescription scene = finger_over_table(finger, 0.4286);
  scene.bodies[1] = {"object", object};
  scene.contact.static_friction = 0.5, scene.contact.dynamic_friction = 0.4;
  scene.integrator.kind = IntegratorKind::semi_implicit_euler;
  Simulation simulation(scene);
  const Momentum before = total_momentum(simulation);
  const double energy = simulation.energy().kinetic;
  std::vector<BodyCommand> commands(2);
  double largest_force = 0.0;
  for (int period = 0; period < 80; ++period) {
    ASSERT_EQ(simulation.advance(commands).status, StepStatus::good);
    const auto readings = simulation.measure();
    largest_force = std::max(largest_force, readings[1].feedback.contact.force.norm());
    const Vec3 on_finger = readings[0].feedback.pose.q * readings[0].feedback.contact.force;
    const Vec3 on_object = readings[1].feedback.pose.q * readings[1].feedback.contact.force;
    EXPECT_LT((on_finger + on_object).norm(), 1e-12);
  }
  const Momentum after = total_momentum(simulation);
  fmt::print("  largest force {:.3f} N, object at {:.4f} m/s, residual {:.2g} of the energy\n", largest_force,
             simulation.measure()[1].feedback.twist.linear.z(), simulation.energy().residual / energy);
  EXPECT_GT(largest_force, 0.05);
  EXPECT_LT((after.linear - before.linear).norm(), 1e-11 * before.linear.norm());
  // Contact acts at the sample on both bodies, so angular momentum is kept too.
  EXPECT_LT((after.angular - before.angular).norm(), 1e-9 * 0.01 * before.linear.norm());
  EXPECT_LT(std::abs(simulation.energy().residual), 0.005 * energy);
}

INSTANTIATE_TEST_SUITE_P(Objects, FreePush,
                         testing::Values(RigidShapeKind::sphere, RigidShapeKind::box, RigidShapeKind::cylinder));

// A free finger that turns about a transverse axis through the common centre of mass.
ModelDescription spinning_finger(double omega_rad_s, IntegratorKind integrator) {
  FingertipDescription finger = reference_finger(0.004);
  finger.mount = Mount::free;
  ModelDescription scene = finger_over_table(finger, 0.4286);
  scene.bodies.pop_back();
  scene.materials["rubber"].damping_ratio = 0.5;
  scene.integrator.kind = integrator;
  const Model model = build_model(scene);
  const State state = make_initial_state(model);
  double mass = model.rigid[0].mass_kg;
  Vec3 centre = mass * state.rigid[0].centre_of_mass;
  for (std::size_t p = 0; p < model.particle_slots; ++p) {
    centre += model.mass_kg[p] * state.x.get(p);
    mass += model.mass_kg[p];
  }
  Placement& placement = std::get<FingertipDescription>(scene.bodies[0].second).placement;
  placement.angular_velocity_rad_s = Vec3(omega_rad_s, 0.0, 0.0);
  placement.velocity_m_s = placement.angular_velocity_rad_s.cross(placement.position_m - centre / mass);
  return scene;
}

class RigidSpin : public testing::TestWithParam<IntegratorKind> {};

// Ten turns after the tip has come to rest in the rotating frame: an objective viscosity has nothing left to take.
TEST_P(RigidSpin, DampingTakesNoEnergyAndAngularMomentumStays) {
  const double turns_per_s = 4.0;
  Simulation simulation(spinning_finger(2.0 * kPi * turns_per_s, GetParam()));
  const BodyCommand none;
  const auto run = [&](int periods) {
    for (int period = 0; period < periods; ++period)
      ASSERT_EQ(simulation.advance(std::span(&none, 1)).status, StepStatus::good);
  };
  const Momentum at_start = total_momentum(simulation);
  run(500);
  const EnergyReading before = simulation.energy();
  const Momentum settled = total_momentum(simulation);
  run(static_cast<int>(std::lround(10.0 / turns_per_s / simulation.model().control_period_s)));
  const EnergyReading after = simulation.energy();
  const Momentum at_end = total_momentum(simulation);
  const double stored_before = before.kinetic + before.elastic + before.ligament;
  const double lost = 1.0 - (after.kinetic + after.elastic + after.ligament) / stored_before;
  const double booked = (after.dissipated - before.dissipated) / stored_before;
  const double drift = (at_end.angular - at_start.angular).norm() / at_start.angular.norm();
  fmt::print("  lost {:.2g} of the energy, booked as damping {:.2g}, angular momentum moved by {:.2g}\n", lost, booked,
             drift);
  EXPECT_LT(std::abs(lost), 1e-6);
  EXPECT_LT(drift, 1e-6);
  EXPECT_LT((at_end.linear - settled.linear).norm(), 1e-6 * at_start.angular.norm());
  // The books are coarser than the motion: a velocity half a step behind looks like a strain rate of omega^2 h / 2, and
  // a ligament that is stretched like one that moves. Neither takes energy.
  EXPECT_LT(std::abs(booked), 1e-3);
}

// Where the automatic choice would be implicit Euler, which takes a third of the energy in ten turns.
TEST(SpinUnderAuto, GetsExplicitStepsAndKeepsItsEnergy) {
  ModelDescription spinning = spinning_finger(4.0 * kPi, IntegratorKind::automatic);
  auto& finger = std::get<FingertipDescription>(spinning.bodies[0].second);
  finger.lattice.cell_size_m = 0.002;
  ModelDescription resting = spinning;
  std::get<FingertipDescription>(resting.bodies[0].second).placement = Placement{};
  EXPECT_EQ(Simulation(resting).model().integrator.kind, IntegratorKind::implicit_euler);
  // A hand that holds the rod keeps up the spin.
  ModelDescription driven = spinning;
  std::get<FingertipDescription>(driven.bodies[0].second).mount = Mount::driven;
  EXPECT_EQ(Simulation(driven).model().integrator.kind, IntegratorKind::implicit_euler);

  Simulation simulation(spinning);
  EXPECT_EQ(simulation.model().integrator.kind, IntegratorKind::semi_implicit_euler);
  EXPECT_NE(simulation.integrator_reason().find("begins turning with 12.6 rad/s"), std::string::npos)
      << simulation.integrator_reason();
  const BodyCommand none;
  const auto run = [&](int periods) {
    for (int period = 0; period < periods; ++period)
      ASSERT_EQ(simulation.advance(std::span(&none, 1)).status, StepStatus::good);
  };
  run(500);
  const double before = simulation.energy().kinetic;
  const Momentum at_start = total_momentum(simulation);
  run(1000);  // two turns: a fifth of what may be lost in ten
  EXPECT_LT(std::abs(1.0 - simulation.energy().kinetic / before), 2e-7);
  EXPECT_LT((total_momentum(simulation).angular - at_start.angular).norm(), 2e-7 * at_start.angular.norm());
}

INSTANTIATE_TEST_SUITE_P(Integrators, RigidSpin,
                         testing::Values(IntegratorKind::semi_implicit_euler, IntegratorKind::runge_kutta));

}  // namespace
}  // namespace distal::test
