// Implicit steps: how iterations and cost grow with the number of particles, and a small stiff block. In two ways, one
// step a millisecond: the fingertip of paper 1 with ever smaller cells, pushed sideways by its rod (a wave then crosses
// more cells in a step, so that iterations grow too), and ever larger blocks of the same cells that hang and swing. The
// largest sizes need minutes and gigabytes: implicit_growth --all. --one-thread: for a machine that has other
// work, time of the processor. A picture: --svg FILE.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "distal/record/line_plot.hpp"
#include "distal/simulation/simulation.hpp"

namespace {

using namespace distal;
int threads = 2;

// By the clock; with one thread, of the processor: what else the machine does then counts less.
double now_s() {
  if (threads == 1) return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
double seconds_since(double start_s) { return now_s() - start_s; }

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

Size measure(const ModelDescription& scene, int periods) {
  Simulation simulation(scene);
  BodyCommand command;
  command.mode = CommandMode::twist;
  const std::size_t commands = scene.fixes.empty() ? 1 : 0;  // a block has no rod
  double iterations = 0.0;
  std::vector<double> times_s;  // the first has memory to prepare, and is left out
  for (int period = 0; period <= periods; ++period) {
    const auto start = now_s();
    command.twist.linear = Vec3(0.02 * std::sin(0.4 * period), 0.0, 0.01 * std::cos(0.3 * period));
    const int own = simulation.advance({&command, commands}).solve.iterations;
    if (period > 0) iterations += own, times_s.push_back(seconds_since(start));
  }
  // The median: what else the machine does shows in some steps only.
  std::nth_element(times_s.begin(), times_s.begin() + periods / 2, times_s.end());
  return {static_cast<double>(simulation.model().active_particles()), iterations / periods,
          times_s[static_cast<std::size_t>(periods / 2)]};
}

ModelDescription make_scene(double youngs_modulus_pa) {
  ModelDescription scene;
  scene.materials["rubber"] = make_rubber(youngs_modulus_pa, 0.45);
  scene.integrator.kind = IntegratorKind::implicit_euler;
  scene.threads = threads;
  return scene;
}

Size measure_finger(double cell_m, double youngs_modulus_pa) {
  FingertipDescription finger;
  finger.lattice.material = "rubber";
  finger.lattice.cell_size_m = cell_m;
  finger.mount = Mount::driven;
  ModelDescription scene = make_scene(youngs_modulus_pa);
  scene.bodies = {{"finger", finger}};
  return measure(scene, cell_m < 4e-4 ? 6 : 30);
}

// Fixed at its upper face, and set into motion.
Size measure_hanging_block(int cells, double youngs_modulus_pa) {
  BlockDescription block;
  block.lattice.material = "rubber";
  block.lattice.cell_size_m = 0.001;
  block.size_m = Vec3::Constant(0.001 * cells);
  block.placement.velocity_m_s = Vec3(0.05, 0.0, 0.0);
  FixDescription fix;
  fix.body = "block";
  fix.min_m.z() = 0.0005 * cells - 1e-6;
  ModelDescription scene = make_scene(youngs_modulus_pa);
  scene.bodies = {{"block", block}};
  scene.fixes = {{"top", fix}};
  return measure(scene, cells > 50 ? 6 : 30);
}

Pixel place(const Size& size) { return {std::log10(size.particles), std::log10(1e6 * size.step_s)}; }

PlotLine print_growth(const std::string& name, int color, std::size_t sizes,
                      const std::function<Size(std::size_t)>& at) {
  PlotLine line{name, color, false, true, {}};
  fmt::print("{}, nu = 0.45, steps of 1 ms, threads: {}\n", name, threads);
  fmt::print("{:>11}{:>12}{:>12}{:>15}{:>18}{:>18}{:>18}\n", "particles", "iterations", "ms a step", "ns a particle",
             "and iteration", "cost like n to", "from the first");
  Size first{}, last{};
  const auto print_power = [](const Size& from, const Size& to) {
    fmt::print("{:>18.2f}", std::log(to.step_s / from.step_s) / std::log(to.particles / from.particles));
  };
  for (std::size_t i = 0; i < sizes; ++i) {
    const Size size = at(i);
    const double particle_ns = 1e9 * size.step_s / size.particles;
    fmt::print("{:>11.0f}{:>12.1f}{:>12.3f}{:>15.0f}{:>18.1f}", size.particles, size.iterations, 1e3 * size.step_s,
               particle_ns, particle_ns / std::max(size.iterations, 1.0));
    if (last.particles > 0.0) print_power(last, size), print_power(first, size);
    fmt::print("\n");
    std::fflush(stdout);
    if (i == 0) first = size;
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
  const auto start = now_s();
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
  if (std::find(arguments.begin(), arguments.end(), "--one-thread") != arguments.end()) threads = 1;
  std::vector<double> cells_m = {0.002, 0.001, 0.0005};
  std::vector<int> cells = {10, 20, 40};
  if (all) cells_m.insert(cells_m.end(), {0.0003, 0.00021}), cells.push_back(79);
  const auto finger = [&](double youngs_modulus_pa) {
    return [&cells_m, youngs_modulus_pa](std::size_t i) { return measure_finger(cells_m[i], youngs_modulus_pa); };
  };
  const std::vector<PlotLine> lines = {
      print_growth("fingertip, smaller cells, 4 kPa", 0, cells_m.size(), finger(4e3)),
      print_growth("fingertip, smaller cells, 100 kPa", 1, cells_m.size(), finger(1e5)),
      print_growth("larger block, 1 mm cells, 4 kPa", 2, cells.size(),
                   [&](std::size_t i) { return measure_hanging_block(cells[i], 4e3); })};
  print_block();
  const auto svg = std::find(arguments.begin(), arguments.end(), "--svg");
  if (svg != arguments.end() && svg + 1 != arguments.end()) draw(lines, (svg + 1)->c_str());
}
