// The forces of one step, one thread, the same block: paper 1's AccumulateForces (Fig. 4) over a list of springs,
// against our lattice kernel, which also has the right stiffness, the pressure and the viscosity.
#include <fmt/format.h>

#include "distal/force/lattice_force.hpp"
#include "distal/math/instruction_set.hpp"
#include "lattice_block.hpp"

namespace {

// Paper 1, Fig. 4 and eq. (1), with its erratum: f_j = f_j + u_j.
void accumulate_forces(bench::SpringBlock& block) {
  for (bench::Point& p : block.points) p.f = distal::Vec3::Zero();
  for (const bench::Spring& s : block.springs) {
    bench::Point &a = block.points[static_cast<std::size_t>(s.i)], &b = block.points[static_cast<std::size_t>(s.j)];
    const distal::Vec3 d = b.x - a.x;
    const double length = d.norm(), rate = (b.v - a.v).dot(d) / length;
    const distal::Vec3 u = (s.stiffness * (length - s.rest_length) + s.damping * rate) / length * d;
    a.f += u;
    b.f -= u;
  }
}

struct Contestant {
  explicit Contestant(distal::Precision precision)
      : model(bench::make_block(precision)), state(bench::make_moving_state(model)), workspace(model) {}
  void run() { compute_lattice_force(model, 0, state, workspace); }

  distal::Model model;
  distal::State state;
  distal::Workspace workspace;
};

}  // namespace

int main() {
  bench::SpringBlock block = bench::make_spring_block();
  Contestant with_double(distal::Precision::double_), with_float(distal::Precision::float_);
  const auto best =
      bench::best_times_s({[&] { accumulate_forces(block); }, [&] { with_double.run(); }, [&] { with_float.run(); }});

  const auto particles = static_cast<double>(block.points.size());
  fmt::print("block of {0} x {0} x {0} cells: {1} particles, {2} springs; one thread, {3}\n", bench::kCells, particles,
             block.springs.size(), distal::kernel_instruction_set());
  fmt::print("{:<34}{:>14}{:>10}\n", "forces of one step", "ns a particle", "ratio");
  const char* names[] = {"paper's loop over springs", "neo_hookean lattice, double", "neo_hookean lattice, float"};
  for (std::size_t c = 0; c < best.size(); ++c)
    fmt::print("{:<34}{:>14.2f}{:>10.1f}\n", names[c], 1e9 * best[c] / particles, best[0] / best[c]);
}
