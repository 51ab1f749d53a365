// Wrench in, twist out: what industrial arms run. The finger is let down until the sensor feels the wanted force, and
// gives way when it feels more. usage: admittance_controller HOST PORT, after `distal serve press_curve`, whose finger
// has mount = "driven"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <distal_client.hpp>

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: admittance_controller HOST PORT\n"), 2;
  // The mass and the damping that the finger is to feel like [kg], [N s/m]: well damped on a finger of 100 N/m.
  const double wanted_n = 0.10, mass = 0.1, damping = 5.0, fastest_m_s = 0.02;
  try {
    distal_client::Client plant(argv[1], std::atoi(argv[2]));
    // What the sensor reads before contact is the finger's weight.
    const double weight_n = plant.bodies()[0].sensor[2];
    double speed_m_s = 0.0;  // down
    for (int k = 0; k < 1000 && !plant.has(distal_client::kDone); ++k) {
      const double force_n = -(plant.bodies()[0].sensor[2] - weight_n);  // E's z axis points out of the tip
      speed_m_s += (wanted_n - force_n - damping * speed_m_s) / mass * plant.description().period_s;
      speed_m_s = std::clamp(speed_m_s, -fastest_m_s, fastest_m_s);
      plant.step(distal_client::twist(0.0, 0.0, -speed_m_s));  // twists are in the world: down is negative
      if (plant.has(distal_client::kRefused | distal_client::kFailed)) return 1;
    }
    const double force_n = -plant.bodies()[0].contact[2];
    std::printf("wanted %.3f N, got %.4f N\n", wanted_n, force_n);
    plant.stop();
    return std::abs(force_n / wanted_n - 1.0) < 0.02 ? 0 : 1;
  } catch (const distal_client::Error& error) { return std::fprintf(stderr, "%s\n", error.what()), 1; }
}
