// What if? Press a shipped scene's finger on the table, keep the state, and go on from it in two ways: lift, or press
// on. Then the first way once more, to see that it ends in the same bits. usage: what_if [FOLDER WITH THE SCENES]
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "distal/core/error.hpp"
#include "distal/run/simulated_plant.hpp"
#include "distal/scenario/scene.hpp"

using namespace distal;

// Moves the finger straight up or down; returns the contact force at the end [N].
double move(Simulation& simulation, double speed_m_s, int periods) {
  BodyCommand command;
  command.mode = CommandMode::twist;
  command.twist.linear = Vec3(0.0, 0.0, speed_m_s);
  for (int i = 0; i < periods; ++i) {
    const StepReport report = simulation.advance({&command, 1});
    if (report.status == StepStatus::failed) std::fprintf(stderr, "%s\n", report.message.c_str());
  }
  return -simulation.measure()[0].feedback.contact.force.z();
}

int what_if(const std::filesystem::path& folder) {
  const std::vector<std::string> overrides = {"body.finger.cell_size_m=0.002", "run.threads=1"};
  const Scene scene = load_scene(folder / "press_curve.toml", overrides);
  Simulation simulation(scene.model);

  const double pressed_n = move(simulation, -0.02, 75);  // 0.5 mm of air and 1 mm of rubber
  const State kept = simulation.state();                 // all that is needed to go on

  const double lifted_n = move(simulation, 0.02, 40);
  const std::uint64_t first = hash_state(simulation.state());
  simulation.restore(kept);
  const double deeper_n = move(simulation, -0.02, 40);
  simulation.restore(kept);
  move(simulation, 0.02, 40);
  const std::uint64_t again = hash_state(simulation.state());

  std::printf("pressed %.4f N, then lifted %.4f N or pressed on %.4f N\n", pressed_n, lifted_n, deeper_n);
  std::printf("state after lifting %016" PRIx64 ", once more %016" PRIx64 "\n", first, again);
  return 0.0 <= lifted_n && lifted_n < pressed_n && pressed_n < deeper_n && first == again ? 0 : 1;
}

int main(int argc, char** argv) {
  const char* folder = argc > 1 ? argv[1] : std::getenv("DISTAL_SCENARIOS");
  try {
    return what_if(folder ? folder : "scenarios");
  } catch (const InputError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
