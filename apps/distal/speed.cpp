#include "distal/speed.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "distal/force/lattice_force.hpp"
#include "distal/integrator/implicit_system.hpp"
#include "distal/run/control_room.hpp"
#include "distal/run/simulated_plant.hpp"
#include "distal/sensor/measure.hpp"

namespace distal {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// The scene's controllers; a measured body moves steadily instead of stopping at each depth.
ControlRoom make_drivers(const Scene& scene, const Simulation& simulation) {
  ControlRoom room(scene, body_names(simulation));
  if (!scene.motion) return room;
  BodyCommand command;
  command.mode = CommandMode::twist;
  command.twist.linear = scene.motion->direction.normalized() * scene.motion->speed_m_s;
  room.hold(simulation.body_index(scene.motion->body), command);
  return room;
}

// A steady motion ends at the greatest depth that the scene asks for.
double longest_s(const Scene& scene, const Simulation& simulation) {
  if (!scene.motion || scene.motion->depths_m.empty()) return scene.run.duration_s;
  const int soft = soft_on_rod(simulation.model(), simulation.rigid_index(simulation.body_index(scene.motion->body)));
  if (soft < 0) return scene.run.duration_s;
  const double gap = find_gap(simulation.model(), static_cast<std::size_t>(soft), simulation.state(),
                              scene.motion->direction.normalized());
  const double deepest = *std::max_element(scene.motion->depths_m.begin(), scene.motion->depths_m.end());
  return std::min(scene.run.duration_s, (gap + deepest) / scene.motion->speed_m_s);
}

double quantile(const std::vector<double>& sorted, double share) {
  const auto last = static_cast<double>(sorted.size() - 1);
  return sorted[static_cast<std::size_t>(std::ceil(share * last))];
}

// A block that is neither at rest nor at its rest shape, so that no term is trivially zero.
ModelDescription describe_block(Precision precision, int threads) {
  ModelDescription model;
  MaterialDescription rubber;
  rubber.density_kg_m3 = 500.0;
  rubber.youngs_modulus_pa = 3922.66;
  rubber.poissons_ratio = 0.4286;
  rubber.relaxation_time_s = 1e-4;
  model.materials["rubber"] = rubber;
  BlockDescription block;
  block.lattice.material = "rubber";
  block.size_m = Vec3::Constant(40.0 * block.lattice.cell_size_m);
  model.bodies.emplace_back("block", block);
  model.precision = precision;
  model.threads = threads;
  return model;
}

void deform(const Model& model, State& state) {
  for (std::size_t n = 0; n < model.particle_slots; ++n) {
    const Vec3 x = state.x.get(n);
    const Vec3 wave(std::sin(100.0 * x.y()), std::sin(100.0 * x.z()), std::sin(100.0 * x.x()));
    state.x.set(n, x + 1e-4 * wave);
    state.v.set(n, 1e-2 * wave);
  }
}

// Wall time of work(), the best of several rounds: others use this machine too.
template <typename Work>
double best_s(int repeats, Work&& work) {
  constexpr int kRounds = 9;
  double best = INFINITY;
  for (int round = 0; round < kRounds; ++round) {
    const auto start = Clock::now();
    for (int i = 0; i < repeats; ++i) work();
    best = std::min(best, seconds_since(start) / repeats);
  }
  return best;
}

}  // namespace

Speed measure_speed(const Scene& scene, Simulation& simulation, double most_wall_s) {
  Speed speed;
  SimulatedPlant plant(simulation);
  ControlRoom drivers = make_drivers(scene, simulation);
  const double period = plant.period_s();
  const auto most_periods = static_cast<int>(std::ceil(longest_s(scene, simulation) / period - 1e-9));
  std::vector<double> walls;
  const auto start = Clock::now();
  while (speed.periods < most_periods && (speed.periods == 0 || seconds_since(start) < most_wall_s)) {
    const auto before = Clock::now();
    plant.exchange(drivers.update(plant.feedback(), period));
    walls.push_back(seconds_since(before));
    if (plant.report().status == StepStatus::failed) {
      speed.problem = plant.report().message;
      break;
    }
    ++speed.periods;
    speed.newton += plant.report().solve.newton, speed.iterations += plant.report().solve.iterations;
  }
  if (speed.periods > 0) speed.newton /= speed.periods, speed.iterations /= speed.periods;
  speed.wall_s = seconds_since(start);
  speed.simulated_s = speed.periods * period;
  speed.steps_per_period = plant.report().steps;
  speed.missed =
      static_cast<int>(std::count_if(walls.begin(), walls.end(), [&](double wall) { return wall > period; }));
  std::sort(walls.begin(), walls.end());
  speed.median_s = quantile(walls, 0.5), speed.p999_s = quantile(walls, 0.999), speed.worst_s = walls.back();
  return speed;
}

double measure_kernel_s_per_particle(Precision precision, int threads) {
  const Model model = build_model(describe_block(precision, threads));
  State state = make_initial_state(model);
  deform(model, state);
  Workspace workspace(model);
  return best_s(20, [&] { compute_lattice_force(model, 0, state, workspace); }) / model.active_particles();
}

double measure_iteration_s_per_particle(int threads) {
  const Model model = build_model(describe_block(Precision::double_, threads));
  State state = make_initial_state(model);
  deform(model, state);
  Workspace workspace(model);
  ImplicitSystem system(model, workspace);
  constexpr double kStep_s = 1e-3;
  system.linearise(state, workspace, {kStep_s * kStep_s, kStep_s, false});
  system.set_right_side({state.v, std::vector<Six>(model.rigid.size(), Six::Zero())});
  CgSums sums = system.begin();
  const auto iterate = [&] {
    const double before = sums.rz;
    sums = system.advance(before / system.multiply());
    system.turn(sums.rz / before);
  };
  return best_s(3, iterate) / model.active_particles();
}

}  // namespace distal
