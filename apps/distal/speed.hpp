// How fast a scene runs on this machine: the control loop without recording.
#pragma once
#include <string>

#include "distal/scenario/scene.hpp"
#include "distal/simulation/simulation.hpp"

namespace distal {

struct Speed {
  int periods = 0;
  double simulated_s = 0.0, wall_s = 0.0;
  double median_s = 0.0, p999_s = 0.0, worst_s = 0.0;  // wall time of a control period with its controllers
  int missed = 0;                                      // periods that took longer than the control period
  int steps_per_period = 0;                            // at the end
  double newton = 0.0, iterations = 0.0;               // implicit kinds: a period, on average
  std::string problem;                                 // why the run failed; empty when all is well

  double real_time_factor() const { return wall_s > 0.0 ? simulated_s / wall_s : 0.0; }
};

// Runs until the scene's duration or `most_wall_s` is over. A body under a [motion] moves steadily along its direction.
Speed measure_speed(const Scene& scene, Simulation& simulation, double most_wall_s);

// Wall time of one evaluation of the lattice forces over the particles of a block of 40 cells a side [s].
double measure_kernel_s_per_particle(Precision precision, int threads);
// The same of one iteration of the implicit solver.
double measure_iteration_s_per_particle(int threads);

}  // namespace distal
