// Closes a gripper on a box from outside, by the position of its joint or by the force of its motor, and tells what the
// fingertips feel. usage: gripper_controller HOST PORT position|torque, after `distal serve close_gripper`
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <distal_client.hpp>

namespace {

double force_n(const distal_client::Client& plant, const char* body) {
  const double* f = plant.bodies()[plant.body_index(body)].contact;
  return std::sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return std::fprintf(stderr, "usage: gripper_controller HOST PORT position|torque\n"), 2;
  constexpr double kClosing_m_s = 0.1, kGrip_n = 6.0, kEnd_m = 0.01;
  const bool by_position = std::strcmp(argv[3], "position") == 0;
  try {
    distal_client::Client plant(argv[1], std::atoi(argv[2]));
    const std::size_t left = plant.joint_index("hand/left");
    double target_m = plant.joints()[left].position;  // half the opening; hand/right follows
    std::vector<distal_client::JointCommand> commands(plant.joints().size());
    for (int k = 0; k < 500 && !plant.has(distal_client::kDone); ++k) {
      if (by_position) {  // into the box: the motor's limit is the grip
        target_m = std::max(target_m - kClosing_m_s * plant.description().period_s, kEnd_m);
        commands[left] = distal_client::joint_position(target_m, target_m > kEnd_m ? -kClosing_m_s : 0.0);
      } else {  // no faster than kClosing_m_s in the air, kGrip_n at the box
        commands[left] = distal_client::joint_torque(-kGrip_n * (1.0 + plant.joints()[left].velocity / kClosing_m_s));
      }
      plant.step_joints(commands);
      if (plant.has(distal_client::kRefused | distal_client::kFailed)) return 1;
    }
    const distal_client::Joint& joint = plant.joints()[left];
    std::printf("motor %.3f N%s, fingertips press with %.4f and %.4f N\n", joint.effort,
                joint.limited ? " (all it can)" : "", force_n(plant, "hand/left_pad"),
                force_n(plant, "hand/right_pad"));
    plant.stop();
    return 0;
  } catch (const distal_client::Error& error) { return std::fprintf(stderr, "%s\n", error.what()), 1; }
}
