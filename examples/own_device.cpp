// A haptic device of your own: a class with read() and write(). This one stands for a vendor's library, whose calls are
// marked; here they are played by a hand that goes up and down. Put your device's calls in their place.
#include <cmath>
#include <cstdio>
#include <memory>

#include "distal/haptic/held_body.hpp"
#include "distal/simulation/simulation.hpp"

using namespace distal;

class OwnDevice : public Device {
 public:
  // Vendor: open the device here, and throw InputError if it is not there.

  HandSample read(double time_s) override {
    HandSample sample;
    sample.connected = true;  // vendor: false when the cable is pulled; everything goes soft at once
    // Vendor: position, velocity and buttons. Metres, in the device's own frame; [device.NAME] places that in the
    // world.
    sample.pose.position = Vec3(0.0, 0.0, 0.006 - 0.004 * std::pow(std::sin(2.0 * time_s), 2));
    sample.twist.linear = Vec3(0.0, 0.0, -0.008 * std::sin(4.0 * time_s));
    sample.buttons = 0;
    return sample;
  }

  void write(const Wrench& on_hand) override {
    felt_ = on_hand;  // vendor: newtons to the motors. Limits of force and of its change are already kept
  }

  const Wrench& felt() const { return felt_; }

 private:
  Wrench felt_;
};

int main() {
  // A ball on a table, and a hand that holds it by a virtual coupling of 1 kN/m.
  ModelDescription scene;
  RigidDescription ball;
  ball.shape = RigidShapeKind::sphere;
  ball.radius_m = 0.005;
  ball.mass_kg = 0.05;
  ball.placement.position_m = Vec3(0.0, 0.0, 0.006);
  scene.bodies.emplace_back("ball", ball);
  scene.bodies.emplace_back("table", PlaneDescription{});
  Simulation simulation(scene);

  DeviceDescription description;
  description.body = "ball";
  description.stiffness_n_m = 1000.0;
  const double period_s = simulation.model().control_period_s;
  HeldBody held("hand", description, simulation.model(), simulation.rigid_index(0), period_s);
  auto own = std::make_unique<OwnDevice>();
  const OwnDevice& device = *own;
  held.port().plug_in(std::move(own));

  double most_n = 0.0;
  for (int n = 0; n < 3000; ++n) {
    const BodyCommand command = held.update(simulation.measure()[0].feedback, period_s);
    if (simulation.advance({&command, 1}).status != StepStatus::good) return 1;
    most_n = std::fmax(most_n, device.felt().force.z());
  }
  const DeviceMemory& told = held.port().side().memory();
  std::printf("largest force on the hand %.2f N; energy put in %.4f J, never below %.6f J\n", most_n,
              told.linear.energy_j, told.linear.least_j);
  // 3 mm into the table on 1 kN/m.
  return most_n > 2.5 && most_n < 3.5 ? 0 : 1;
}
