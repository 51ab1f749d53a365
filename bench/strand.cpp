// The deformation loop of paper 4: one semi-implicit step of a strand of springs (forces, velocities, places), at the
// sizes of its Table 2 and up to 100,000 nodes. Ratios within one run: time per node against that at 720 nodes.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "distal/integrator/integrators.hpp"
#include "support/strand_scenes.hpp"

using namespace distal;

namespace {

// Best of several rounds: seconds a step.
double measure_step(int nodes) {
  ModelDescription scene = test::strand_alone(test::paper4_strand(nodes / 9),
                                              test::strand_material(test::kPaper4_pa, test::kPaper4Heavy_kg_m3));
  scene.gravity_m_s2 = Vec3(0.0, 0.0, -9.81);
  const Model model = build_model(scene);
  State state = make_initial_state(model);
  Workspace ws(model);
  const int steps = std::max(10, 720 * 500 / nodes);
  double best = 1e300;
  for (int round = 0; round < 7; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < steps; ++k) advance_semi_implicit_euler(model, 1e-4, state, ws);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count() / steps);
  }
  return best;
}

}  // namespace

int main() {
  constexpr struct {
    int nodes;
    double paper_s;
  } kSizes[] = {{180, 0.0047}, {360, 0.0098}, {540, 0.0149}, {720, 0.0194}, {7200, 0.0}, {36000, 0.0}, {100800, 0.0}};
  const double reference = measure_step(720) / 720;
  fmt::print("{:>8} {:>12} {:>18} {:>14} {:>10}\n", "nodes", "us a step", "a node, of 720's", "paper 4, us", "times");
  for (const auto& size : kSizes) {
    const double step = measure_step(size.nodes);
    fmt::print("{:>8} {:>12.1f} {:>18.2f} {:>14} {:>10}\n", size.nodes, 1e6 * step, step / size.nodes / reference,
               size.paper_s > 0.0 ? fmt::format("{:.0f}", 1e6 * size.paper_s) : "",
               size.paper_s > 0.0 ? fmt::format("{:.0f}", size.paper_s / step) : "");
  }
}
