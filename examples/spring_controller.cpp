// A controller in twenty lines, in a program of its own: a spring and a damper let the finger down on the table and
// hold it there. It needs one header, distal_client.hpp. usage: spring_controller HOST PORT, after `distal serve press`
#include <cstdio>
#include <cstdlib>
#include <distal_client.hpp>

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: spring_controller HOST PORT\n"), 2;
  try {
    distal_client::Client plant(argv[1], std::atoi(argv[2]));
    const double start_m = plant.bodies()[0].position_m[2], lowest_m = start_m - 0.008;
    double wanted_m = start_m;
    for (int k = 0; k < 500 && !plant.has(distal_client::kDone); ++k) {
      const distal_client::Body& finger = plant.bodies()[0];
      wanted_m = wanted_m > lowest_m ? wanted_m - 0.02 * plant.description().period_s : lowest_m;
      const double up_n = 0.22 + 50.0 * (wanted_m - finger.position_m[2]) - 1.0 * finger.linear_m_s[2];
      // The finger points down: E's z axis is the world's, upside down.
      plant.step(distal_client::wrench(0.0, 0.0, -up_n));
      if (plant.has(distal_client::kRefused | distal_client::kFailed)) return 1;
    }
    std::printf("pressed with %.4f N\n", -plant.bodies()[0].contact[2]);
    plant.stop();
  } catch (const distal_client::Error& error) { return std::fprintf(stderr, "%s\n", error.what()), 1; }
}
