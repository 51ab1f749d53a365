// Same bits for any number of threads, extreme parameters, and a press that no step can follow.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "distal/core/error.hpp"
#include "support/scenes.hpp"

namespace distal::test {
namespace {

std::uint64_t hash_of_press(int threads, Precision precision, IntegratorKind kind) {
  const bool adaptive = kind == IntegratorKind::runge_kutta;
  ModelDescription scene = finger_over_table(reference_finger(adaptive ? 0.0025 : 0.002), 0.4286);
  scene.gravity_m_s2 = Vec3(0.0, 0.0, -9.81);
  scene.contact.static_friction = 0.6, scene.contact.dynamic_friction = 0.5;
  scene.threads = threads;
  scene.precision = precision;
  scene.integrator.kind = kind;
  Simulation simulation(scene);
  BodyCommand command;
  command.mode = CommandMode::twist;
  command.twist.linear = Vec3(0.01, 0.005, -0.04);
  command.twist.angular = Vec3(0.0, 0.0, 1.0);
  for (int period = 0; period < (adaptive ? 15 : 60); ++period)
    EXPECT_EQ(simulation.advance(std::span(&command, 1)).status, StepStatus::good);
  EXPECT_GT(simulation.measure()[0].patch.count, 3);
  return hash_state(simulation.state());
}

class Determinism : public testing::TestWithParam<IntegratorKind> {};
TEST_P(Determinism, SameHashForAnyNumberOfThreads) {
  for (const Precision precision : {Precision::double_, Precision::float_}) {
    if (precision == Precision::float_ && (is_implicit(GetParam()) || GetParam() == IntegratorKind::energy_guided))
      continue;  // their forces are in double anyway
    const std::uint64_t one = hash_of_press(1, precision, GetParam());
    for (const int threads : {1, 2, 4})
      EXPECT_EQ(hash_of_press(threads, precision, GetParam()), one) << threads << " threads";
  }
}
INSTANTIATE_TEST_SUITE_P(Integrators, Determinism,
                         testing::Values(IntegratorKind::semi_implicit_euler, IntegratorKind::runge_kutta,
                                         IntegratorKind::energy_guided, IntegratorKind::implicit_euler,
                                         IntegratorKind::implicit_midpoint),
                         [](const auto& info) { return std::string(name_of(info.param)); });

struct Extreme {
  double youngs_modulus_pa, cell_m, radius_m;
};

class Extremes : public testing::TestWithParam<Extreme> {};

// Ten periods of a press by a tenth of the radius: runs or says why not, and never loses a number.
TEST_P(Extremes, RunsOrRefusesAndNeverLosesANumber) {
  const Extreme e = GetParam();
  FingertipDescription finger = reference_finger(e.cell_m);
  finger.tip_radius_m = finger.tip_length_m = e.radius_m;
  finger.rod_radius_m = 0.5 * e.radius_m;
  finger.rod_length_m = 3.0 * e.radius_m;
  finger.placement.position_m.z() = 1.001 * e.radius_m;
  ModelDescription scene = finger_over_table(finger, 0.4286);
  scene.materials["rubber"] = rubber(0.4286, e.youngs_modulus_pa);
  scene.contact.static_friction = 0.9, scene.contact.dynamic_friction = 0.7;
  try {
    Simulation simulation(scene);
    BodyCommand command;
    command.mode = CommandMode::twist;
    command.twist.linear.z() = -0.1 * e.radius_m / 0.010;
    double force = 0.0;
    for (int period = 0; period < 10; ++period) {
      const StepReport report = simulation.advance(std::span(&command, 1));
      ASSERT_TRUE(is_finite(simulation.state()));
      if (report.status == StepStatus::failed) {
        EXPECT_FALSE(report.message.empty());
        fmt::print("  stopped: {}\n", report.message);
        return;
      }
      const BodyReading reading = simulation.measure()[0];
      force = reading.feedback.contact.force.norm();
      ASSERT_TRUE(std::isfinite(force) && std::isfinite(reading.closure_residual) &&
                  std::isfinite(simulation.energy().residual));
    }
    EXPECT_GT(force, 0.0);
    fmt::print("  {} particles, step {:.3g} s, force {:.4g} N\n", simulation.model().active_particles(),
               simulation.time_step_s(), force);
  } catch (const InputError& error) {
    fmt::print("  refused: {}\n", error.what());
    EXPECT_GT(std::string(error.what()).size(), 20u);
  }
}

INSTANTIATE_TEST_SUITE_P(Corners, Extremes,
                         testing::Values(Extreme{1e3, 0.00025, 0.002}, Extreme{1e3, 0.004, 0.010},
                                         Extreme{1e3, 0.004, 0.050}, Extreme{1e7, 0.0005, 0.002},
                                         Extreme{1e7, 0.004, 0.010}, Extreme{1e7, 0.004, 0.050},
                                         Extreme{4e3, 0.004, 0.002}));

TEST(ViolentPress, StopsWithTimeCellCauseAndRemedyAndKeepsTheLastGoodState) {
  ModelDescription scene = finger_over_table(reference_finger(0.002), 0.4286);
  scene.integrator.kind = IntegratorKind::semi_implicit_euler;
  Simulation simulation(scene);
  BodyCommand command;
  command.mode = CommandMode::twist;
  command.twist.linear.z() = -3.0;
  StepReport report;
  State before = simulation.state();
  for (int period = 0; period < 20 && report.status == StepStatus::good; ++period) {
    before = simulation.state();
    report = simulation.advance(std::span(&command, 1));
  }
  ASSERT_EQ(report.status, StepStatus::failed);
  fmt::print("  {}\n", report.message);
  EXPECT_GT(report.rejected, 0);
  for (const char* part : {"t = ", "body 'finger'", "mm of its undeformed shape", "Press more slowly", "cell"})
    EXPECT_NE(report.message.find(part), std::string::npos) << part;
  EXPECT_TRUE(is_finite(simulation.state()));
  EXPECT_EQ(simulation.state().time_s, before.time_s);
  for (std::size_t p = 0; p < before.x.size(); ++p) ASSERT_EQ(simulation.state().x.get(p), before.x.get(p));
  EXPECT_EQ(simulation.workspace().soft[0].worst_cell, -1) << "the state that is kept has no inverted cell";
}

// A cell that is inside out is found in the very step that turns it, whatever the size of the step.
TEST(ViolentPress, AnInvertedCellIsNeverPassedOver) {
  ModelDescription scene = finger_over_table(reference_finger(0.002), 0.4286);
  Simulation simulation(scene);
  State state = simulation.state();
  const SoftBody& body = simulation.model().soft[0];
  const CellRun run = body.lattice.runs[body.lattice.runs.size() / 2];
  // Mirror the lower corners of a full cell beyond its upper ones.
  for (int a = 0; a < 4; ++a) {
    const auto low = static_cast<std::size_t>(run.node + body.lattice.grid.corner_offset(a));
    const auto high = static_cast<std::size_t>(run.node + body.lattice.grid.corner_offset(a + 4));
    const Vec3 x = state.x.get(low);
    state.x.set(low, state.x.get(high));
    state.x.set(high, x);
  }
  simulation.restore(state);
  const BodyCommand none;
  const StepReport report = simulation.advance(std::span(&none, 1));
  EXPECT_EQ(report.status, StepStatus::failed);
  EXPECT_NE(report.message.find("inverted cell"), std::string::npos) << report.message;
}

}  // namespace
}  // namespace distal::test
