// Implicit steps: agreement with explicit ones, energy, momentum, robustness, threads, and the choice between them.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "distal/core/error.hpp"
#include "support/reference_table.hpp"
#include "support/scenes.hpp"

namespace distal::test {
namespace {

double settled_force(IntegratorKind kind) {
  ModelDescription scene = finger_over_table(reference_finger(0.002), 0.4286);
  scene.integrator.kind = kind;
  Simulation simulation(scene, true);
  MotionDescription motion;
  motion.body = "finger";
  motion.depths_m = {0.002};
  double force = 0.0;
  run_motion(simulation, motion, find_gap_below(simulation),
             [&](const Simulation&, const CurveRow& row, const BodyReading&) { force = row.force_n; });
  return force;
}

TEST(Implicit, SettlesWhereExplicitStepsDo) {
  const double truth = settled_force(IntegratorKind::semi_implicit_euler);
  for (const IntegratorKind kind : {IntegratorKind::implicit_euler, IntegratorKind::implicit_midpoint}) {
    const double force = settled_force(kind);
    fmt::print("  {}: {:.6f} N, {:+.3f} % of explicit\n", name_of(kind), force, 100.0 * (force / truth - 1.0));
    EXPECT_NEAR(force, truth, 0.005 * truth);
  }
}

// A fast press of hard rubber, where contacts come by the dozen in every step: none may be lost on the way.
TEST(Implicit, ForceRisesWithEveryStepOfAFastPress) {
  FingertipDescription finger = reference_finger(0.004);
  finger.tip_radius_m = finger.tip_length_m = 0.05;
  finger.rod_radius_m = 0.025, finger.rod_length_m = 0.15;
  finger.placement.position_m.z() = 0.05005;
  ModelDescription scene = finger_over_table(finger, 0.4286);
  scene.materials["rubber"] = rubber(0.4286, 1e7);
  scene.contact.static_friction = 0.9, scene.contact.dynamic_friction = 0.7;
  scene.integrator.kind = IntegratorKind::implicit_euler;
  Simulation simulation(scene);
  BodyCommand command;
  command.mode = CommandMode::twist;
  command.twist.linear.z() = -0.5;
  double before = 0.0;
  for (int period = 0; period < 12; ++period) {
    ASSERT_EQ(simulation.advance(std::span(&command, 1)).rejected, 0);
    const double force = simulation.measure()[0].feedback.contact.force.norm();
    EXPECT_GT(force, before) << "period " << period;
    before = force;
  }
  fmt::print("  {:.0f} N at {:.2f} mm\n", before, 1e3 * simulation.measure()[0].depth_m);
}

// A free, undamped block that starts stretched, at rest.
struct FreeBlock {
  explicit FreeBlock(IntegratorKind kind, const Vec3& spin_rad_s, double stretch, double tolerance) {
    ModelDescription scene;
    scene.gravity_m_s2.setZero();
    scene.materials["rubber"] = rubber(0.4, 1e5);
    scene.materials["rubber"].relaxation_time_s = 0.0;
    BlockDescription block;
    block.lattice.material = "rubber";
    block.lattice.cell_size_m = 0.002;
    block.size_m = Vec3(0.010, 0.008, 0.012);
    block.placement.velocity_m_s = Vec3(0.3, -0.2, 0.1);
    block.placement.angular_velocity_rad_s = spin_rad_s;
    scene.bodies = {{"block", block}};
    scene.integrator.kind = kind;
    scene.integrator.residual_tolerance = tolerance;
    scene.threads = 1;
    simulation = std::make_unique<Simulation>(scene);
    if (stretch == 0.0) return;
    State state = simulation->state();
    for (std::size_t p = 0; p < state.x.size(); ++p)
      state.x.set(p, state.x.get(p) + stretch * Vec3(state.x.get(p).x(), 0.5 * state.x.get(p).z(), 0.0));
    simulation->restore(state);
  }
  double mechanical_energy() const { return simulation->energy().kinetic + simulation->energy().elastic; }
  Vec3 linear() const {
    Vec3 sum = Vec3::Zero();
    for (std::size_t p = 0; p < simulation->model().particle_slots; ++p)
      sum += simulation->model().mass_kg[p] * simulation->state().v.get(p);
    return sum;
  }
  Vec3 angular() const {
    Vec3 sum = Vec3::Zero(), centre = Vec3::Zero();
    double mass = 0.0;
    const Model& model = simulation->model();
    for (std::size_t p = 0; p < model.particle_slots; ++p)
      mass += model.mass_kg[p], centre += model.mass_kg[p] * simulation->state().x.get(p);
    centre /= mass;
    for (std::size_t p = 0; p < model.particle_slots; ++p)
      sum += model.mass_kg[p] * (simulation->state().x.get(p) - centre).cross(simulation->state().v.get(p));
    return sum;
  }
  std::unique_ptr<Simulation> simulation;
};

TEST(Implicit, EulerNeverRaisesTheEnergyOfAnUndampedBlockAndReportsWhatItTakes) {
  FreeBlock block(IntegratorKind::implicit_euler, Vec3::Zero(), 0.05, 1e-6);
  const double start = block.mechanical_energy();
  double last = start;
  for (int period = 0; period < 200; ++period) {
    ASSERT_EQ(block.simulation->advance({}).status, StepStatus::good);
    EXPECT_LE(block.mechanical_energy(), last * (1.0 + 1e-12)) << "period " << period;
    last = block.mechanical_energy();
  }
  const EnergyReading energy = block.simulation->energy();
  fmt::print("  {:.3g} of {:.3g} J taken by the scheme, residual {:.2g} J\n", energy.integrator, start,
             energy.residual);
  EXPECT_GT(energy.integrator, 0.1 * (start - last));
  EXPECT_NEAR(energy.integrator, start - last, 1e-6 * start);
}

// Midpoint keeps quadratic energies; what is left of the nonlinear one only swings.
TEST(Implicit, MidpointKeepsTheEnergyOfASmallVibration) {
  FreeBlock block(IntegratorKind::implicit_midpoint, Vec3::Zero(), 0.002, 1e-8);
  const double start = block.simulation->energy().elastic;
  const double kinetic_of_the_whole = block.simulation->energy().kinetic;
  double highest = 0.0, lowest = 1e300;
  for (int period = 0; period < 200; ++period) {
    ASSERT_EQ(block.simulation->advance({}).status, StepStatus::good);
    const double vibration = block.mechanical_energy() - kinetic_of_the_whole;
    highest = std::max(highest, vibration), lowest = std::min(lowest, vibration);
  }
  fmt::print("  vibration between {:.5f} and {:.5f} of its energy at the start\n", lowest / start, highest / start);
  EXPECT_LT(highest, 1.01 * start);
  EXPECT_GT(lowest, 0.97 * start);
}

TEST(Implicit, LinearMomentumStaysToTenDigits) {
  for (const IntegratorKind kind : {IntegratorKind::implicit_euler, IntegratorKind::implicit_midpoint}) {
    // Nothing damps the midpoint rule here: what solves leave over would add up.
    const double tolerance = kind == IntegratorKind::implicit_euler ? 1e-3 : 1e-6;
    FreeBlock block(kind, Vec3(3.0, 5.0, -2.0), 0.03, tolerance);
    const Vec3 before = block.linear();
    for (int period = 0; period < 200; ++period) {
      const StepReport report = block.simulation->advance({});
      ASSERT_EQ(report.status, StepStatus::good) << name_of(kind) << ": " << report.message;
    }
    EXPECT_LT((block.linear() - before).norm(), 1e-10 * before.norm()) << name_of(kind);
  }
}

// It shares the solve, and its tolerance, with a finger that is being pressed.
TEST(Implicit, ABallFallsFreelyBesideAFinger) {
  ModelDescription scene = finger_over_table(reference_finger(0.002), 0.4286);
  scene.integrator.kind = IntegratorKind::implicit_euler;
  scene.gravity_m_s2 = Vec3(0.0, 0.0, -9.81);
  RigidDescription ball;
  ball.shape = RigidShapeKind::sphere;
  ball.radius_m = 0.01, ball.mass_kg = 0.1;
  ball.placement.position_m = Vec3(0.1, 0.0, 1.0);
  ball.placement.angular_velocity_rad_s = Vec3(1.0, 2.0, 3.0);
  scene.bodies.emplace_back("ball", ball);
  Simulation simulation(scene);
  std::vector<BodyCommand> commands(simulation.body_count());
  commands[simulation.body_index("finger")].mode = CommandMode::twist;
  commands[simulation.body_index("finger")].twist.linear.z() = -0.02;
  for (int period = 0; period < 200; ++period) ASSERT_EQ(simulation.advance(commands).status, StepStatus::good);
  const RigidState& at = simulation.state().rigid[simulation.rigid_index(simulation.body_index("ball"))];
  EXPECT_NEAR(at.velocity.z(), -9.81 * 0.2, 1e-9);
  EXPECT_LT((at.angular_velocity - Vec3(1.0, 2.0, 3.0)).norm(), 1e-9);
}

TEST(Implicit, MidpointKeepsAngularMomentumAndEulerLosesWhatTheorySays) {
  const Vec3 spin(0.0, 0.0, 20.0);
  FreeBlock midpoint(IntegratorKind::implicit_midpoint, spin, 0.0, 1e-9);
  const double before = midpoint.angular().norm(), energy_before = midpoint.mechanical_energy();
  for (int period = 0; period < 1000; ++period) ASSERT_EQ(midpoint.simulation->advance({}).status, StepStatus::good);
  fmt::print("  midpoint: {:+.2g} in a second\n", midpoint.angular().norm() / before - 1.0);
  EXPECT_NEAR(midpoint.angular().norm(), before, 1e-6 * before);
  // What it takes it gives back: nothing is booked on the way.
  const EnergyReading books = midpoint.simulation->energy();
  EXPECT_EQ(books.integrator, 0.0);
  EXPECT_NEAR(books.residual, midpoint.mechanical_energy() - energy_before, 1e-9 * energy_before);
  EXPECT_LT(std::abs(books.residual), 1e-4 * energy_before);
  // Implicit Euler: L falls like exp(-h omega^2 t) while omega follows it.
  FreeBlock euler(IntegratorKind::implicit_euler, spin, 0.0, 1e-9);
  const double h = 1e-3, periods = 100.0, rate = h * spin.squaredNorm();
  const double start = euler.angular().norm();
  for (int period = 0; period < 100; ++period) ASSERT_EQ(euler.simulation->advance({}).status, StepStatus::good);
  const double lost = 1.0 - euler.angular().norm() / start;
  // d omega / dt = -h omega^3: omega(t) = omega_0 / sqrt(1 + 2 h omega_0^2 t)
  const double expected = 1.0 - 1.0 / std::sqrt(1.0 + 2.0 * rate * periods * h);
  fmt::print("  Euler: lost {:.5f}, theory {:.5f}\n", lost, expected);
  EXPECT_NEAR(lost, expected, 0.05 * expected);
}

struct Hard {
  double youngs_modulus_pa, poissons_ratio;
};
class HardTreatment : public testing::TestWithParam<Hard> {};

// One step of 1 ms: press fast to 60 % of the soft layer, let go at once, and twist hard.
TEST_P(HardTreatment, StaysStableMeetsItsResidualAndLeavesNoInvertedCell) {
  FingertipDescription finger = reference_finger(0.002);
  finger.placement.position_m.z() = 0.0101;
  ModelDescription scene = finger_over_table(finger, GetParam().poissons_ratio);
  scene.materials["rubber"] = rubber(GetParam().poissons_ratio, GetParam().youngs_modulus_pa);
  scene.contact.static_friction = 0.9, scene.contact.dynamic_friction = 0.7;
  scene.integrator.kind = IntegratorKind::implicit_euler;
  scene.threads = 2;
  Simulation simulation(scene);
  double largest_residual = 0.0, deepest = 0.0;
  int rejected = 0;
  const auto drive = [&](const Twist& twist, int periods) {
    BodyCommand command;
    command.mode = CommandMode::twist;
    command.twist = twist;
    for (int period = 0; period < periods; ++period) {
      const StepReport report = simulation.advance(std::span(&command, 1));
      ASSERT_EQ(report.status, StepStatus::good) << report.message;
      rejected += report.rejected;
      largest_residual = std::max(largest_residual, report.solve.relative);
      ASSERT_TRUE(is_finite(simulation.state()));
      ASSERT_EQ(simulation.workspace().soft[0].worst_cell, -1);
      deepest = std::max(deepest, simulation.measure()[0].depth_m);
    }
  };
  drive({Vec3(0.0, 0.0, -0.1), Vec3::Zero()}, 31);  // 3 mm of 5 mm in 30 ms
  drive({Vec3(0.0, 0.0, 0.2), Vec3::Zero()}, 20);   // away faster than it came
  drive({Vec3(0.0, 0.0, -0.05), Vec3::Zero()}, 44);
  drive({Vec3::Zero(), Vec3(0.0, 0.0, 30.0)}, 30);  // 52 degrees in 30 ms
  fmt::print("  E = {:.3g} Pa, nu = {}: {:.1f} mm deep, largest residual {:.2g}, {} periods done again\n",
             GetParam().youngs_modulus_pa, GetParam().poissons_ratio, 1e3 * deepest, largest_residual, rejected);
  EXPECT_GT(deepest, 0.0029);
  EXPECT_LE(largest_residual, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Rubbers, HardTreatment,
                         testing::Values(Hard{1e3, 0.25}, Hard{4e3, 0.4286}, Hard{1e5, 0.45}, Hard{1e6, 0.49},
                                         Hard{1e7, 0.3}, Hard{1e7, 0.49}));

// A body of so many cells has coarse grids: few iterations, and the same bits.
TEST(Implicit, ALargeStiffBlockTakesFewIterationsAndTheSameBitsForAnyThreads) {
  BlockDescription block;
  block.lattice.material = "rubber";
  block.lattice.cell_size_m = 0.001;
  block.size_m = Vec3::Constant(0.028);
  block.placement.velocity_m_s = Vec3(0.05, 0.0, 0.0);
  FixDescription fix;
  fix.body = "block";
  fix.min_m.z() = 0.014 - 1e-6;
  ModelDescription scene;
  scene.materials["rubber"] = rubber(0.45, 1e5);
  scene.bodies = {{"block", block}};
  scene.fixes = {{"top", fix}};
  scene.integrator.kind = IntegratorKind::implicit_euler;
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 4}) {
    scene.threads = threads;
    Simulation simulation(scene);
    int iterations = 0;
    for (int period = 0; period < 3; ++period) {
      const StepReport report = simulation.advance({});
      ASSERT_EQ(report.status, StepStatus::good) << report.message;
      EXPECT_LE(report.solve.relative, 1e-3);
      iterations += report.solve.iterations;
    }
    fmt::print("  {} particles: {:.1f} iterations a step\n", simulation.model().active_particles(), iterations / 3.0);
    EXPECT_LT(iterations, 3 * 45);
    hashes.push_back(hash_state(simulation.state()));
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
}

// The same finger with cells of two thirds the size: nearly the same iterations.
TEST(Implicit, IterationsOfALargeFingerDoNotGrowWithItsParticles) {
  const auto iterations = [](double cell_m) {
    FingertipDescription finger;
    finger.lattice.material = "rubber";
    finger.lattice.cell_size_m = cell_m;
    finger.mount = Mount::driven;
    ModelDescription scene;
    scene.materials["rubber"] = rubber(0.45, 1e5);
    scene.bodies = {{"finger", finger}};
    scene.integrator.kind = IntegratorKind::implicit_euler;
    scene.threads = 2;
    Simulation simulation(scene);
    BodyCommand command;
    command.mode = CommandMode::twist;
    int sum = 0;
    for (int period = 0; period < 6; ++period) {
      command.twist.linear = Vec3(0.02 * std::sin(0.4 * period), 0.0, 0.01);
      const StepReport report = simulation.advance({&command, 1});
      EXPECT_EQ(report.status, StepStatus::good) << report.message;
      sum += report.solve.iterations;
    }
    fmt::print("  {} particles: {:.1f} iterations a step\n", simulation.model().active_particles(), sum / 6.0);
    return sum;
  };
  const int coarse = iterations(0.00062), fine = iterations(0.00042);
  EXPECT_LT(fine, 6 * 30);
  EXPECT_LT(fine, 1.25 * coarse);
}

TEST(AutomaticIntegrator, TakesImplicitStepsWhereExplicitOnesWouldBeMany) {
  ModelDescription soft = finger_over_table(reference_finger(0.004), 0.4286);
  soft.materials["rubber"] = rubber(0.4286, 500.0);
  soft.materials["rubber"].density_kg_m3 = 2000.0;
  const Simulation slow(soft);
  EXPECT_EQ(slow.model().integrator.kind, IntegratorKind::semi_implicit_euler) << slow.integrator_reason();
  ModelDescription hard = finger_over_table(reference_finger(0.002), 0.45);
  hard.materials["rubber"] = rubber(0.45, 1e5);
  const Simulation fast(hard);
  EXPECT_EQ(fast.model().integrator.kind, IntegratorKind::implicit_euler) << fast.integrator_reason();
  EXPECT_NEAR(fast.time_step_s(), 1e-3, 1e-12);
  // A user who wants less damping gets more steps.
  hard.integrator.added_damping = 0.1;
  const Simulation careful(hard);
  EXPECT_LT(careful.time_step_s(), 0.5e-3) << careful.integrator_reason();
}

}  // namespace
}  // namespace distal::test
