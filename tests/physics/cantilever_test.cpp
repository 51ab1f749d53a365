// The cantilever of tests/reference/case_d_patch_beam.csv: 10 x 10 x 80 mm, E = 100 kPa, nu = 0.3, 1000 kg/m^3, one end
// held, a dead load of 1.953125 mN spread over the other.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "support/reference_table.hpp"
#include "support/scenes.hpp"

namespace distal::test {
namespace {

ModelDescription cantilever(double load_n, double relaxation_time_s) {
  MaterialDescription material;
  material.density_kg_m3 = 1000.0;
  material.youngs_modulus_pa = 1e5;
  material.poissons_ratio = 0.3;
  material.relaxation_time_s = relaxation_time_s;
  ModelDescription scene = held_block(Vec3(0.01, 0.01, 0.08), 0.002, material);
  if (load_n == 0.0) return scene;
  LoadDescription load;
  load.body = "block";
  load.min_m.z() = 0.04;
  load.force_n = Vec3(load_n, 0.0, 0.0);
  scene.loads = {{"end", load}};
  return scene;
}

// Mean sideways displacement of the end face.
double end_deflection(const Simulation& simulation) {
  const SoftBody& body = simulation.model().soft[0];
  double sum = 0.0;
  int count = 0;
  for (int n = 0; n < body.lattice.grid.node_count(); ++n) {
    const Vec3 rest = body.lattice.grid.rest_position(n);
    if (body.lattice.mass[static_cast<std::size_t>(n)] == 0.0 || rest.z() < 0.04 - 1e-9) continue;
    sum += simulation.state().x.get(static_cast<std::size_t>(n)).x() - rest.x();
    ++count;
  }
  return sum / count;
}

// Runs until 50 ms change the deflection by no more than a hundred-thousandth.
double settle(Simulation& simulation) {
  for (double before = -1.0; simulation.state().time_s < 4.0;) {
    for (int period = 0; period < 50; ++period) EXPECT_EQ(simulation.advance({}).status, StepStatus::good);
    const double now = end_deflection(simulation);
    if (std::abs(now - before) <= 1e-5 * std::abs(now)) return now;
    before = now;
  }
  ADD_FAILURE() << "the beam did not settle";
  return end_deflection(simulation);
}

TEST(Cantilever, DeflectionAndFirstFrequencyMeetFiniteElements) {
  Simulation loaded(cantilever(1.953125e-3, 1e-4), true);
  const double deflection = settle(loaded);
  const auto wanted = load_reference("case_d_patch_beam.csv", {{"model", "NH"}, {"mesh", "48x6x6 Q2"}})[0];
  const double error = 1e3 * deflection / number(wanted, "fem") - 1.0;
  fmt::print("  deflection {:.4f} mm {:+.2f} %\n", 1e3 * deflection, 100.0 * error);
  EXPECT_LE(std::abs(error), 0.03);

  // A thousandth of that shape, let go without load and damping: the time between upward passes of the middle.
  Simulation vibrating(cantilever(0.0, 0.0));
  State state = vibrating.state();
  for (std::size_t n = 0; n < state.x.size(); ++n)
    state.x.set(n, state.x.get(n) + 1e-3 * (loaded.state().x.get(n) - state.x.get(n)));
  vibrating.restore(state);
  std::vector<double> crossings;
  double last = end_deflection(vibrating);
  while (crossings.size() < 5 && vibrating.state().time_s < 2.0) {
    ASSERT_EQ(vibrating.advance({}).status, StepStatus::good);
    const double now = end_deflection(vibrating);
    if (last * now < 0.0)
      crossings.push_back(vibrating.state().time_s - vibrating.model().control_period_s * now / (now - last));
    last = now;
  }
  ASSERT_EQ(crossings.size(), 5u);
  const double frequency = 2.0 / (crossings[4] - crossings[0]);
  const auto wanted_hz = load_reference(
      "case_d_patch_beam.csv", {{"quantity", "beam_f1_Hz(analytic=Euler-Bernoulli)"}, {"mesh", "32x4x4 Q2"}})[0];
  const double frequency_error = frequency / number(wanted_hz, "fem") - 1.0;
  fmt::print("  first frequency {:.4f} Hz {:+.2f} %\n", frequency, 100.0 * frequency_error);
  EXPECT_LE(std::abs(frequency_error), 0.02);
}

}  // namespace
}  // namespace distal::test
