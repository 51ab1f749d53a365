// Force against depth of a soft fingertip: the finger is described in code, driven down on a table, and held at each
// depth until the force rests. Prints a table; ends with 1 if it is further from a finite-element reference than the
// coarse cells explain.
#include <cmath>
#include <cstdio>
#include <limits>

#include "distal/controller/prescribed_motion.hpp"
#include "distal/run/simulated_plant.hpp"
#include "distal/sensor/measure.hpp"

using namespace distal;

ModelDescription describe_finger() {
  MaterialDescription rubber;
  rubber.density_kg_m3 = 500.0;
  rubber.youngs_modulus_pa = 3922.66;
  rubber.poissons_ratio = 0.4286;

  FingertipDescription finger;  // tip radius 10 mm, rod radius 5 mm
  finger.lattice.material = "rubber";
  finger.lattice.cell_size_m = 0.002;
  finger.placement.position_m = Vec3(0.0, 0.0, 0.0101);  // the tip is 0.1 mm above the table
  finger.placement.q_xyzw = Quat(0.0, 1.0, 0.0, 0.0);    // (w, x, y, z): half a turn about x, pointing down
  finger.mount = Mount::driven;

  ModelDescription model;
  model.gravity_m_s2 = Vec3::Zero();
  model.materials["rubber"] = rubber;
  model.bodies.emplace_back("finger", finger);
  model.bodies.emplace_back("table", PlaneDescription{});
  model.threads = 1;  // too few particles to share
  model.contact.static_friction = model.contact.dynamic_friction = std::numeric_limits<double>::infinity();  // no slip
  return model;
}

int main() {
  // The quasi-static drag settles the tip fast, without changing where it settles.
  Simulation simulation(describe_finger(), true);
  SimulatedPlant plant(simulation);

  MotionDescription path;
  path.body = "finger";
  path.depths_m = {0.001, 0.002, 0.003};
  PrescribedMotion motion(path, find_gap(simulation.model(), 0, simulation.state(), path.direction));

  const double reference_n[] = {0.034540, 0.131443, 0.316236};  // neo-Hookean, no slip, finite elements
  int row = 0, wrong = 0;
  std::printf("%10s %10s %14s\n", "depth mm", "force N", "reference N");
  while (!motion.finished()) {
    const BodyCommand command = motion.update(plant.feedback()[0], plant.period_s());
    if (const auto settled = motion.take_row()) {
      std::printf("%10.2f %10.5f %14.5f\n", 1e3 * settled->depth_m, settled->force_n, reference_n[row]);
      if (std::abs(settled->force_n / reference_n[row] - 1.0) > 0.07) ++wrong;
      ++row;
    }
    plant.exchange({&command, 1});
    if (plant.report().status == StepStatus::failed) {
      std::fprintf(stderr, "%s\n", plant.report().message.c_str());
      return 1;
    }
  }
  return row == 3 && wrong == 0 ? 0 : 1;
}
