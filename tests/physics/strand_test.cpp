// Strands against closed forms: bending, stable steps, friction, volume, plastic set.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "distal/sensor/body_measures.hpp"
#include "support/scenes.hpp"
#include "support/strand_scenes.hpp"

namespace distal {
namespace {

using namespace test;

void run_for(Simulation& simulation, double seconds, const BodyCommand& command = {}) {
  const std::vector<BodyCommand> commands(simulation.body_count(), command);
  const double end = simulation.state().time_s + seconds - 1e-9;
  while (simulation.state().time_s < end) {
    const StepReport report = simulation.advance(commands);
    ASSERT_EQ(report.status, StepStatus::good) << report.message;
  }
}

// The planar elastica of a clamped, horizontal rod under its own weight: theta'' = -load (1 - s) cos(theta) with
// load = w L^3 / (E I), theta(0) = 0, theta'(1) = 0; returns its end (x, drop) as shares of the length.
std::array<double, 2> find_elastica_end(double load) {
  const auto shoot = [&](double slope, std::array<double, 2>& end) {
    constexpr int kSteps = 2000;
    constexpr double h = 1.0 / kSteps;
    double angle = 0.0;
    end = {0.0, 0.0};
    const auto bend = [&](double s, double a) { return -load * (1.0 - s) * std::cos(a); };
    for (int k = 0; k < kSteps; ++k) {  // Runge-Kutta of fourth order
      const double s = k * h, k1 = slope, l1 = bend(s, angle);
      const double k2 = slope + 0.5 * h * l1, l2 = bend(s + 0.5 * h, angle + 0.5 * h * k1);
      const double k3 = slope + 0.5 * h * l2, l3 = bend(s + 0.5 * h, angle + 0.5 * h * k2);
      const double k4 = slope + h * l3, l4 = bend(s + h, angle + h * k3);
      const double middle = angle + 0.5 * h * k2, next = angle + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
      end[0] += h / 6.0 * (std::cos(angle) + 4.0 * std::cos(middle) + std::cos(next));
      end[1] += h / 6.0 * (std::sin(angle) + 4.0 * std::sin(middle) + std::sin(next));
      angle = next;
      slope += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
    }
    return slope;
  };
  std::array<double, 2> end{};
  double low = 0.0, high = load;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (shoot(middle, end) > 0.0 ? high : low) = middle;
  }
  return end;
}

TEST(Elastica, IsTheBeamForSmallLoads) { EXPECT_NEAR(find_elastica_end(1e-3)[1], 1e-3 / 8.0, 1e-9); }

// Drop of a cantilever's end over that of the elastica.
double bending_ratio(const StrandDescription& shape, double youngs) {
  constexpr double kLength = 0.06, kRadius = 0.002, kDensity = 1000.0, kGravity = 9.81;
  StrandDescription strand = shape;
  strand.length_m = kLength, strand.radius_m = kRadius;
  ModelDescription scene = strand_alone(strand, strand_material(youngs, kDensity));
  hold_start(scene);
  scene.gravity_m_s2 = Vec3(0.0, 0.0, -kGravity);
  scene.integrator.kind = IntegratorKind::implicit_euler;
  scene.control_period_s = 0.01;
  Simulation simulation(scene, true);
  run_for(simulation, 1.0);
  const int rings = simulation.model().soft[0].tet->strand.rings;
  const double load = 4.0 * kDensity * kGravity * std::pow(kLength, 3) / (youngs * kRadius * kRadius);
  return -ring_centre(simulation, rings - 1).z() / kLength / find_elastica_end(load)[1];
}

constexpr double kStiffNoodle_pa = 7e5;  // falls by a third of its length

TEST(StrandBending, NeoHookeanIsTheElastica) {
  StrandDescription strand;
  EXPECT_NEAR(bending_ratio(strand, kStiffNoodle_pa), 1.0, 0.03);
}

// Springs have no Poisson's ratio of their own and no exact modulus: the errors of docs/models/strand.md.
TEST(StrandBending, ErrorsOfThePapersCrossSections) {
  struct Case {
    CrossSection section;
    int nodes;
    double ratio;
  };
  for (const Case& c : {Case{CrossSection::eight_plus_centre, 0, 0.0}, Case{CrossSection::grid, 29, 0.0},
                        Case{CrossSection::grid, 13, 0.0}, Case{CrossSection::grid, 5, 0.0},
                        Case{CrossSection::concentric, 0, 0.0}}) {
    StrandDescription strand;
    strand.model = TetModel::paper4;
    strand.cross_section = c.section;
    if (c.nodes > 0) strand.grid_nodes = c.nodes;
    const double ratio = bending_ratio(strand, kStiffNoodle_pa);
    fmt::print("paper4, section {} {}: {:.3f} of the elastica's drop\n", static_cast<int>(c.section), c.nodes, ratio);
    EXPECT_NEAR(ratio, c.ratio, 0.02);
  }
}

}  // namespace
}  // namespace distal
