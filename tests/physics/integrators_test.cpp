// Orders of the integrators on a smooth problem, the energy-guided step through first contact, and the stable step.
#include "distal/integrator/integrators.hpp"

#include <gtest/gtest.h>

#include <fmt/core.h>

#include "distal/contact/contacts.hpp"
#include "support/scenes.hpp"

namespace distal::test {
namespace {

// A held block that starts bent sideways and squeezed a little, smooth in space.
State vibrate(IntegratorKind kind, int steps_per_period, double relaxation_time_s) {
  MaterialDescription material = rubber(0.3);
  material.relaxation_time_s = relaxation_time_s;
  ModelDescription scene = held_block(Vec3::Constant(0.008), 0.002, material);
  scene.integrator.kind = kind;
  scene.integrator.residual_tolerance = 1e-9;
  scene.integrator.balance_tolerance = 0.0;
  scene.integrator.time_step_s = scene.control_period_s / steps_per_period;
  Simulation simulation(scene);
  State state = simulation.state();
  const SoftBody& body = simulation.model().soft[0];
  for (int n = 0; n < body.lattice.grid.node_count(); ++n) {
    const double height = (body.lattice.grid.rest_position(n).z() + 0.004) / 0.008,
                 shape = 1.0 - std::cos(0.5 * kPi * height);
    const auto p = static_cast<std::size_t>(n);
    state.x.set(p, state.x.get(p) + shape * Vec3(2e-4, 0.0, -1e-4));
  }
  simulation.restore(state);
  for (int period = 0; period < 8; ++period) EXPECT_EQ(simulation.advance({}).status, StepStatus::good);
  return simulation.state();
}

double distance(const State& a, const State& b) {
  double largest = 0.0;
  for (std::size_t n = 0; n < a.x.size(); ++n) largest = std::max(largest, (a.x.get(n) - b.x.get(n)).norm());
  return largest;
}

double find_order(IntegratorKind kind, int steps, double relaxation_time_s) {
  const State exact = vibrate(IntegratorKind::runge_kutta, 160, relaxation_time_s);
  const double coarse = distance(vibrate(kind, steps, relaxation_time_s), exact);
  const double fine = distance(vibrate(kind, 2 * steps, relaxation_time_s), exact);
  const double order = std::log2(coarse / fine);
  fmt::print("  errors {:.3g} and {:.3g} m: order {:.3f}\n", coarse, fine, order);
  return order;
}

TEST(IntegratorOrder, ForwardEulerIsOfFirstOrder) {
  EXPECT_NEAR(find_order(IntegratorKind::forward_euler, 64, 1e-3), 1.0, 0.1);
}
TEST(IntegratorOrder, SemiImplicitEulerIsOfFirstOrder) {
  EXPECT_NEAR(find_order(IntegratorKind::semi_implicit_euler, 32, 0.0), 1.0, 0.1);
}
TEST(IntegratorOrder, RungeKuttaIsOfFifthOrder) {
  // A vibration this small is nearly linear, where some of the sixth-order terms cancel: at least five, and no more
  // than six.
  const double order = find_order(IntegratorKind::runge_kutta, 12, 0.0);
  EXPECT_GT(order, 4.8);
  EXPECT_LT(order, 6.0);
}

TEST(IntegratorOrder, ImplicitEulerIsOfFirstOrder) {
  EXPECT_NEAR(find_order(IntegratorKind::implicit_euler, 64, 0.0), 1.0, 0.1);
}
TEST(IntegratorOrder, ImplicitMidpointIsOfSecondOrder) {
  EXPECT_NEAR(find_order(IntegratorKind::implicit_midpoint, 8, 0.0), 2.0, 0.1);
}

double turned_over(const EnergyReading& a, const EnergyReading& b) {
  return 0.5 * (std::abs(a.kinetic - b.kinetic) + std::abs(a.elastic - b.elastic) + std::abs(a.gravity - b.gravity) +
                std::abs(a.contact - b.contact) + std::abs(a.ligament - b.ligament) +
                std::abs(a.dissipated - b.dissipated) + std::abs(a.control_work - b.control_work));
}

class EnergyGuidedStep : public testing::TestWithParam<Precision> {};

TEST_P(EnergyGuidedStep, SpuriousEnergyStaysUnderItsToleranceThroughFirstContact) {
  FingertipDescription finger = reference_finger(0.002);
  finger.mount = Mount::free;
  finger.placement.velocity_m_s = Vec3(0.0, 0.0, -0.05);
  ModelDescription scene = finger_over_table(finger, 0.4286);
  scene.gravity_m_s2 = Vec3(0.0, 0.0, -9.81);
  scene.contact.static_friction = 0.9, scene.contact.dynamic_friction = 0.7;
  scene.integrator.kind = IntegratorKind::energy_guided;
  scene.precision = GetParam();
  Simulation simulation(scene);
  EnergyReading last = simulation.energy();
  double turnover = 0.0, worst_share = 0.0, largest_force = 0.0;
  int rejected = 0, spurious = 0;
  for (int period = 0; period < 20; ++period) {
    const BodyCommand none;
    const StepReport report = simulation.advance(std::span(&none, 1));
    ASSERT_EQ(report.status, StepStatus::good) << report.message;
    const EnergyReading now = simulation.energy();
    turnover += turned_over(last, now);
    worst_share = std::max(worst_share, std::abs(now.residual) / turnover);
    largest_force = std::max(largest_force, simulation.measure()[0].feedback.contact.force.norm());
    rejected += report.rejected, spurious += report.spurious_steps;
    last = now;
  }
  fmt::print("  residual {:.3g} of the energy turned over, {} steps tried again, largest force {:.3f} N\n", worst_share,
             rejected, largest_force);
  EXPECT_GT(largest_force, 0.05);
  EXPECT_LE(worst_share, scene.integrator.energy_tolerance);
  EXPECT_EQ(spurious, 0);
}
INSTANTIATE_TEST_SUITE_P(Precisions, EnergyGuidedStep, testing::Values(Precision::double_, Precision::float_),
                         [](const auto& info) { return info.param == Precision::float_ ? "float" : "double"; });

// Kinetic energy after many steps of size share * bound, over the energy put in.
double growth(double share) {
  MaterialDescription material = rubber(0.4286);
  material.relaxation_time_s = 0.0;
  ModelDescription scene = held_block(Vec3::Constant(0.01), 0.002, material);
  const Model model = build_model(scene);
  State state = make_initial_state(model);
  Workspace ws(model);
  const double h = share * find_stable_step(model, state, ws).step_s;
  // A tiny kick of every node, so that every mode takes part and all stays linear.
  double first = 0.0, last = 0.0;
  for (std::size_t p = 0; p < model.particle_slots; ++p)
    if (model.inverse_mass_per_kg[p] > 0.0) {
      state.v.set(p, 1e-9 * Vec3(std::sin(37.0 * static_cast<double>(p)), std::sin(91.0 * static_cast<double>(p)),
                                 std::cos(53.0 * static_cast<double>(p))));
      first += 0.5 * model.mass_kg[p] * state.v.get(p).squaredNorm();
    }
  for (int step = 0; step < 400; ++step) advance_semi_implicit_euler(model, h, state, ws);
  for (std::size_t p = 0; p < model.particle_slots; ++p) last += 0.5 * model.mass_kg[p] * state.v.get(p).squaredNorm();
  return last / first;
}

TEST(StableStep, IsTheEdgeOfStability) {
  const double below = growth(0.95), above = growth(1.1);
  fmt::print("  kinetic energy grew by {:.3g} at 0.95 of the bound, by {:.3g} at 1.1\n", below, above);
  EXPECT_LT(below, 30.0);
  EXPECT_FALSE(above < 1e12);  // also true of a number that is none
}

}  // namespace
}  // namespace distal::test
