// A controller of your own: hold a contact force by moving toward the table while it is too small and away while it is
// too large (admittance control). It talks to a Plant and cannot tell a simulated finger from a real one.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "distal/run/simulated_plant.hpp"

using namespace distal;

class HoldForce : public Controller {
 public:
  explicit HoldForce(double wanted_n) : wanted_n_(wanted_n) {}

  BodyCommand update(const BodyFeedback& feedback, double) override {
    // Wrenches are along the rod end's axes; its z axis points out of the tip, so a press is negative.
    const double force_n = -feedback.contact.force.z();
    const double speed_m_s = std::clamp(kMobility * (wanted_n_ - force_n), -kFastest, kFastest);
    BodyCommand command;
    command.mode = CommandMode::twist;
    command.twist.linear = speed_m_s * (feedback.pose.q * Vec3::UnitZ());  // twists are in the world
    return command;
  }

 private:
  static constexpr double kMobility = 0.2;  // [m/s per N]: 50 ms to close an error on this finger of about 100 N/m
  static constexpr double kFastest = 0.02;  // [m/s]
  double wanted_n_;
};

// Knows nothing of the simulation behind the plant.
double hold(Plant& plant, Controller& controller, double duration_s) {
  for (double t = 0.0; t < duration_s; t += plant.period_s()) {
    const BodyCommand command = controller.update(plant.feedback()[0], plant.period_s());
    plant.exchange({&command, 1});
  }
  return -plant.feedback()[0].contact.force.z();
}

ModelDescription describe_finger() {
  FingertipDescription finger;
  finger.lattice.material = "rubber";
  finger.lattice.cell_size_m = 0.002;
  finger.placement.position_m = Vec3(0.0, 0.0, 0.0105);  // half a millimetre above the table
  finger.placement.q_xyzw = Quat(0.0, 1.0, 0.0, 0.0);    // (w, x, y, z): pointing down
  finger.mount = Mount::driven;

  ModelDescription model;
  model.materials["rubber"].density_kg_m3 = 500.0;
  model.materials["rubber"].youngs_modulus_pa = 3922.66;
  model.materials["rubber"].poissons_ratio = 0.4286;
  model.bodies.emplace_back("finger", finger);
  model.bodies.emplace_back("table", PlaneDescription{});
  model.threads = 1;  // too few particles to share
  return model;
}

int main() {
  Simulation simulation(describe_finger());
  SimulatedPlant plant(simulation);
  bool good = true;
  for (const double wanted_n : {0.05, 0.15, 0.10}) {
    HoldForce controller(wanted_n);
    const double force_n = hold(plant, controller, 0.4);
    std::printf("wanted %.3f N, got %.4f N at a depth of %.2f mm\n", wanted_n, force_n,
                1e3 * plant.readings()[0].depth_m);
    good = good && std::abs(force_n / wanted_n - 1.0) < 0.02;
  }
  return good && plant.report().status == StepStatus::good ? 0 : 1;
}
