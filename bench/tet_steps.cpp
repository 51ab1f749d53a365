// Implicit steps of tetrahedra: a cuboid of 50 x 43 x 20 mm (E 57.6 kPa, nu 0.45), bottom held, pressed by a driven
// sphere, one step a millisecond, residual 1e-3, two threads. Real-time factor at 5,000 cells; with --all, how cost
// grows from 1,000 to 200,000 cells: the sizes take turns of ten steps, so that a busy machine slows all of them.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <string_view>
#include <vector>

#include "distal/simulation/simulation.hpp"
#include "support/tet_scenes.hpp"

namespace {

using namespace distal;
using Clock = std::chrono::steady_clock;

struct Cost {
  double cells, vertices, iterations, newton, step_s;
};

ModelDescription make_pressed_cuboid(double edge_m) {
  MaterialDescription material;
  material.youngs_modulus_pa = 57.6e3, material.poissons_ratio = 0.45;
  ModelDescription scene = test::held_tet_cuboid(Vec3(0.05, 0.043, 0.02), edge_m, material);
  test::add_sphere_on_top(scene, 0.01, 0.01);
  scene.integrator.kind = IntegratorKind::implicit_euler;
  scene.integrator.residual_tolerance = 1e-3;
  scene.threads = 2;
  return scene;
}

// Goes down at 20 mm/s, then swings by a millimetre about that depth.
class Press {
 public:
  explicit Press(double edge_m) : simulation_(make_pressed_cuboid(edge_m)) {}

  void advance(int periods) {
    BodyCommand command;
    command.mode = CommandMode::twist;
    const auto start = Clock::now();
    for (int n = 0; n < periods; ++n, ++done_) {
      command.twist.linear.z() = done_ < 100 ? -0.02 : 0.02 * std::sin(0.04 * (done_ - 100));
      const StepReport report = simulation_.advance({&command, 1});
      if (report.status != StepStatus::good) fmt::print("{}\n", report.message);
      iterations_ += report.solve.iterations, newton_ += report.solve.newton;
    }
    wall_s_ += std::chrono::duration<double>(Clock::now() - start).count();
  }
  Cost cost() const {
    const TetMesh& mesh = simulation_.model().soft[0].tet->mesh;
    return {static_cast<double>(mesh.cells.size()), static_cast<double>(mesh.vertices.size()), iterations_ / done_,
            newton_ / done_, wall_s_ / done_};
  }

 private:
  Simulation simulation_;
  int done_ = 0;
  double iterations_ = 0.0, newton_ = 0.0, wall_s_ = 0.0;
};

}  // namespace

int main(int argc, char** argv) {
  const bool all = argc > 1 && std::string_view(argv[1]) == "--all";
  std::vector<double> edges_m = {0.0075, 0.0045, 0.003};
  if (all) edges_m.insert(edges_m.end(), {0.002, 0.00122});
  std::vector<std::unique_ptr<Press>> presses;
  for (const double edge : edges_m) presses.push_back(std::make_unique<Press>(edge));
  for (int turn = 0; turn < (all ? 4 : 50); ++turn)
    for (const auto& press : presses) press->advance(10);
  fmt::print("{:>9}{:>10}{:>9}{:>12}{:>12}{:>12}{:>28}{:>16}{:>16}\n", "cells", "vertices", "newton", "iterations",
             "ms a step", "real time", "ns a vertex and iteration", "cost like n to", "from the first");
  Cost first{}, last{};
  const auto print_power = [](const Cost& from, const Cost& to) {
    fmt::print("{:>16.2f}", std::log(to.step_s / from.step_s) / std::log(to.cells / from.cells));
  };
  for (const auto& press : presses) {
    const Cost cost = press->cost();
    fmt::print("{:>9.0f}{:>10.0f}{:>9.1f}{:>12.1f}{:>12.3f}{:>12.2f}{:>28.0f}", cost.cells, cost.vertices, cost.newton,
               cost.iterations, 1e3 * cost.step_s, 1e-3 / cost.step_s,
               1e9 * cost.step_s / cost.vertices / std::max(cost.iterations, 1.0));
    if (last.cells > 0.0) print_power(last, cost), print_power(first, cost);
    fmt::print("\n");
    if (!(first.cells > 0.0)) first = cost;
    last = cost;
  }
}
