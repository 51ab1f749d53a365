// Implicit steps: how iterations and cost grow with the number of particles, and a small stiff block. The fingertip of
// paper 1 with ever smaller cells is pushed sideways by its rod, one step a millisecond. The largest sizes need minutes
// and gigabytes: implicit_growth --all. A picture: --svg FILE.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "distal/record/line_plot.hpp"
#include "distal/simulation/simulation.hpp"

namespace {

using namespace distal;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

MaterialDescription make_rubber(double youngs_modulus_pa, double poissons_ratio) {
  MaterialDescription rubber;
  rubber.density_kg_m3 = 500.0;
  rubber.youngs_modulus_pa = youngs_modulus_pa;
  rubber.poissons_ratio = poissons_ratio;
  rubber.relaxation_time_s = 5e-4;
  return rubber;
}

struct Size {
  double particles, iterations, step_s;
};

Size measure_finger(double cell_m, double youngs_modulus_pa, int periods) {
  FingertipDescription finger;
  finger.lattice.material = "rubber";
  finger.lattice.cell_size_m = cell_m;
  finger.mount = Mount::driven;
  ModelDescription scene;
  scene.materials["rubber"] = make_rubber(youngs_modulus_pa, 0.45);
  scene.bodies = {{"finger", finger}};
  scene.integrator.kind = IntegratorKind::implicit_euler;
  scene.threads = 2;
  Simulation simulation(scene);
  BodyCommand command;
  command.mode = CommandMode::twist;
  double iterations = 0.0;
  const auto start = Clock::now();
  for (int period = 0; period < periods; ++period) {
    command.twist.linear = Vec3(0.02 * std::sin(0.4 * period), 0.0, 0.01 * std::cos(0.3 * period));
    iterations += simulation.advance({&command, 1}).solve.iterations;
  }
  return {static_cast<double>(simulation.model().active_particles()), iterations / periods,
          seconds_since(start) / periods};
}

Pixel place(const Size& size) { return {std::log10(size.particles), std::log10(1e6 * size.step_s)}; }

PlotLine print_growth(double youngs_modulus_pa, const std::vector<double>& cells_m, int color) {
  PlotLine line{fmt::format("{:.0f} kPa", 1e-3 * youngs_modulus_pa), color, false, true, {}};
  fmt::print("fingertip, E = {:.0f} kPa, nu = 0.45, steps of 1 ms, two threads\n", 1e-3 * youngs_modulus_pa);
  fmt::print("{:>9}{:>11}{:>12}{:>12}{:>15}{:>18}\n", "cell mm", "particles", "iterations", "ms a step",
             "ns a particle", "cost like n to");
  Size last{};
  for (const double cell_m : cells_m) {
    const Size size = measure_finger(cell_m, youngs_modulus_pa, cell_m < 4e-4 ? 6 : 30);
    fmt::print("{:>9.3g}{:>11.0f}{:>12.1f}{:>12.3f}{:>15.0f}", 1e3 * cell_m, size.particles, size.iterations,
               1e3 * size.step_s, 1e9 * size.step_s / size.particles);
    if (last.particles > 0.0)
      fmt::print("{:>18.2f}", std::log(size.step_s / last.step_s) / std::log(size.particles / last.particles));
    fmt::print("\n");
    std::fflush(stdout);
    last = size;
    line.points.push_back(place(size));
  }
  return line;
}

// Beside a cost like n to 1.2 from the first point on.
void draw(std::vector<PlotLine> lines, const char* file) {
  const Pixel first = lines.front().points.front(), last = lines.front().points.back();
  lines.push_back({"n to 1.2", 7, true, false, {first, {last[0], first[1] + 1.2 * (last[0] - first[0])}}});
  std::ofstream(file) << line_plot_file({"Cost of an implicit step",
                                         {"particles, as a power of ten", ""},
                                         {"microseconds a step, as a power of ten", ""},
                                         lines});
}

// 10 nodes a side, one simulated second, one thread: a case that other engines find hard.
void print_block() {
  BlockDescription block;
  block.lattice.material = "rubber";
  block.lattice.cell_size_m = 0.001;
  block.size_m = Vec3::Constant(0.009);
  block.placement.angular_velocity_rad_s = Vec3(0.0, 2.0, 0.0);
  ModelDescription scene;
  scene.materials["rubber"] = make_rubber(5e5, 0.45);
  scene.bodies = {{"block", block}};
  FixDescription fix;
  fix.body = "block";
  fix.max_m.z() = -0.0045;
  scene.fixes = {{"bottom", fix}};
  scene.integrator.kind = IntegratorKind::implicit_euler;
  scene.threads = 1;
  Simulation simulation(scene);
  double iterations = 0.0;
  const auto start = Clock::now();
  for (int period = 0; period < 1000; ++period) iterations += simulation.advance({}).solve.iterations;
  fmt::print(
      "block of {} nodes at 1 mm, 0.5 MPa: one simulated second in {:.3f} s on one thread, {:.1f} iterations a "
      "step\n",
      simulation.model().active_particles(), seconds_since(start), iterations / 1000.0);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool all = std::find(arguments.begin(), arguments.end(), "--all") != arguments.end();
  std::vector<double> cells_m = {0.002, 0.001, 0.0005};
  if (all) cells_m.insert(cells_m.end(), {0.0003, 0.00022});
  const std::vector<PlotLine> lines = {print_growth(4e3, cells_m, 0), print_growth(1e5, cells_m, 1)};
  print_block();
  const auto svg = std::find(arguments.begin(), arguments.end(), "--svg");
  if (svg != arguments.end() && svg + 1 != arguments.end()) draw(lines, (svg + 1)->c_str());
}
